r"""Escape sequences that stand in a text as letters: the `\n` of JSON, a terminal's colours.

The last letter of one would pass for the first of the word behind it, and hide a token there.
"""

from __future__ import annotations

import re

from helix.rules.patterns import lazy

# A folder or a variable may be called `\token` or `\nonce`; the escape letter that begins a
# colour is gone by the time a text is looked at, or stands there as `\e`.
_ESCAPED = lazy(
    r"\\(?:r|n(?!once)|t(?!oken)|e(?=\[)|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|0[0-7]{0,2})"
    r"|\[[\d;]{0,15}[mK]"
)
FILLED = "\x01"
"""Belongs to no word and to no token, and is no space: an address goes on behind it."""


def spelled_out(text: str) -> str:
    """Return a text of the same length in which escape sequences are what they stand for."""
    return _ESCAPED.sub(_meant, text) if "\\" in text or "[" in text else text


def _meant(found: re.Match[str]) -> str:
    said = found[0]
    meant = " "
    if said[1] == "n":
        meant = "\n"
    elif said[1] in "ux" and said[0] == "\\":
        letter = chr(int(said[2:], 16))
        meant = letter if letter.isprintable() else " "
    return meant.rjust(len(said), " " if meant.isspace() else FILLED)


def in_small_letters(text: str) -> str:
    """Return a text of the same length in small letters."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    # A few letters become two, and every place behind them would be another.
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)
