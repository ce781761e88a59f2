"""A command as somebody reports it: told from what they say became of it, and from prose.

"make check failed: TZ is not set" is the command `make check` and its complaint. Who writes a
sentence instead of a command has run nothing by these words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from helix.rules.vocabulary import listed

LONGEST_COMPLAINT = 60
"""Letters of a complaint that names what is wrong; a longer one describes it."""

MOST_READ = 1_000
"""Letters of a line in which the outcome of a command is looked for."""

_FAILED = r"failed|fails|errored|crashed|timed out|broke|hung|error"
_WENT_WELL = r"passed|passes|succeeded|worked|completed|finished"
_OUTCOME = re.compile(
    rf"\s+(?:has |have |is )?(?:(?P<failed>{_FAILED})|{_WENT_WELL})"
    r"(?:\s*[:;,.!]\s*|\s+(?:with|because|again|after|until|due)\b\s*|\s*$)(?P<told>.*)$"
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
_SENTENCE = re.compile(r"[A-Z][a-z]+,?\s+[a-z]+(?:\s|$)")
"""How prose begins; a command seldom has a capital, and one of PowerShell has a hyphen."""
_NOT_RUN = listed("""
    build builds test tests suite deploy deployment deploys ci pipeline job jobs install import
    migration migrations server error errors warning lint linter compile compilation it this
    """)
"""What fails in reports and is no command by itself."""


class Report(NamedTuple):
    """A command, whether it is said to have failed (None: nothing is said), and with what."""

    command: str
    failed: bool | None = None
    complaint: str = ""


def reported(line: str) -> Report | None:
    """Return the command that a line tells of, or None where it is prose."""
    line = line[:MOST_READ]
    found = _OUTCOME.search(_QUOTED.sub(lambda quoted: "_" * len(quoted[0]), line))
    words = line[: found.start()].split() if found else line.split()
    if found and words and words[-1].startswith("-"):  # "--only failed" asks for those
        found, words = None, line.split()
    if not words or words[0].endswith(":") or _SENTENCE.match(line):
        return None
    if found is None:
        return Report(line)
    if len(words) == 1 and words[0].lower() in _NOT_RUN:
        return None
    command = line[: found.start()]
    told = line[found.start("told") :].strip(" .")
    return Report(command, found["failed"] is not None, told)


def named_by(told: str) -> str:
    """Return what a report says is wrong, where that is short and the same every time."""
    short = 0 < len(told) <= LONGEST_COMPLAINT and not re.search(r"\d", told)
    return told if short else ""
