"""Cutting texts that may hold secrets: cleaned first, cut then.

A token of which two letters are cut off is no longer one to any rule, and neither is a password
without its name; both would be written down. So whoever keeps only a part of a text asks here,
and gives the gate that the text will pass.
"""

from __future__ import annotations

from collections.abc import Callable

from helix.rules.secrets.keys import LONGEST
from helix.rules.secrets.redacting import PLACEHOLDER, redacted

Clean = Callable[[str], str]
"""A text to the same text as it may be kept."""

MARGIN = LONGEST
"""Letters that are cleaned with the part that is kept, on either side of it.

Hooks wait for this, and an output may have megabytes: so not all of it is cleaned. Nothing that
is looked for is longer than a private key may be.
"""

EDGE = 4_000
"""Letters that are dropped where a text was cut to be cleaned: the cut may have left half a secret.

They lie far from what is kept, unless placeholders for whole keys have brought them near.
"""

LONGEST_PLACEHOLDER = 100
_OPENING = "[redacted "


def beginning(text: str, letters: int, clean: Clean = redacted) -> str:
    """Return a text's beginning, without outer space, and with a mark where the rest is cut off."""
    text = text.strip()
    return _shortened(_cleaned(text, 0, letters, clean), letters, _beyond(text, letters))


def gist(text: str, letters: int, clean: Clean = redacted) -> str:
    """Return a text's beginning on one line."""
    text = text.strip()
    line = " ".join(_cleaned(text, 0, letters, clean).split())
    return _shortened(line, letters, _beyond(text, letters))


def last_line(text: str, letters: int, clean: Clean = redacted) -> str:
    """Return the beginning of a text's last line; what gives a value away may stand above it."""
    text = text.strip()
    start = max(text.rfind("\n"), text.rfind("\r")) + 1
    lines = _cleaned(text, start, start + letters, clean).splitlines() or [""]
    return _shortened(" ".join(lines[-1].split()), letters, _beyond(text, start + letters))


def ending(text: str, letters: int, clean: Clean = redacted) -> str:
    """Return a text's end, without outer space, and with a mark where the rest is cut off."""
    text = text.strip()
    end = _cleaned(text, len(text) - letters, len(text), clean)
    if len(end) <= letters and len(text) <= letters + MARGIN:
        return end
    return "… " + _from(end, len(end) - letters).lstrip()


def _cleaned(text: str, start: int, end: int, clean: Clean) -> str:
    first, last = max(0, start - MARGIN), end + MARGIN
    part = clean(text[first:last])
    if last < len(text):
        part = _up_to(part, len(part) - EDGE)
    if first:
        part = _from(part, EDGE)
    return part.strip()


def _beyond(text: str, end: int) -> bool:
    return len(text) > end + MARGIN


def _shortened(text: str, letters: int, more: bool) -> str:
    if len(text) <= letters and not more:
        return text
    return _up_to(text, min(len(text), letters - 1)).rstrip() + "…"


def _up_to(text: str, at: int) -> str:
    at = max(0, at)
    across = _across(text, at)
    return text[: across[0] if across else at]


def _from(text: str, at: int) -> str:
    at = max(0, at)
    across = _across(text, at)
    return text[across[1] if across else at :]


def _across(text: str, at: int) -> tuple[int, int] | None:
    """Return the placeholder that a cut would go through."""
    opened = text.rfind(_OPENING, max(0, at - LONGEST_PLACEHOLDER), at + len(_OPENING) - 1)
    found = PLACEHOLDER.match(text, opened) if opened >= 0 else None
    return found.span() if found and found.end() > at else None
