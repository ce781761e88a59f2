"""Private keys over many lines, whole or cut off, with whatever a log put before each line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix.rules.patterns import lazy

_BEGIN = lazy(
    r"-----BEGIN (?!ENCRYPTED)(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|PuTTY-User-Key-File-\d|-----BEGIN PGP PRIVATE KEY BLOCK-----"
)
_END = lazy(r"-----END (?!ENCRYPTED)(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_ENCRYPTED = lazy(r"Proc-Type: \d,ENCRYPTED|DEK-Info:|ENCRYPTED PRIVATE KEY")
LEAST_BODY = 20
_BODY = lazy(rf"[A-Za-z0-9+/=]{{{LEAST_BODY},}}")
LONGEST = 32_000


def private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where private keys stand. A key that is itself encrypted is not one."""
    at = 0
    while begun := _BEGIN.search(text, at):
        ended = _END.search(text, begun.end(), begun.end() + LONGEST)
        end = ended.end() if ended else _last_body_line(text, begun.end())
        at = end
        if not _ENCRYPTED.search(text, begun.start(), end):
            yield begun.start(), end, "private-key"
    # The end of a key whose beginning was cut off.
    begun, body = _BEGIN.search(text), _BODY.search(text)
    for stray in _END.finditer(text, body.start() + LEAST_BODY if body else len(text)):
        if begun is None or begun.end() > stray.start():
            yield 0, stray.end(), "private-key"
        return


def _last_body_line(text: str, start: int) -> int:
    end = start
    for line in re.finditer(r"[^\n]*\n?", text[start : start + LONGEST]):
        said = line[0].strip()
        body = _BODY.search(said) or "[redacted " in said or re.fullmatch(r"[\w-]+: .*", said)
        if said and not body:
            break
        if said:
            end = start + line.start() + len(line[0].rstrip())
        if not line[0]:
            break
    return end
