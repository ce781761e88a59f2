"""How much an agent's context is charged for a text, estimated on the safe side."""

from __future__ import annotations

import re

LETTERS_PER_TOKEN = 3.5
"""English prose takes about four, code and ids about three."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def tokens(text: str) -> int:
    """Return about how many tokens a text costs; letters beyond ASCII count whole."""
    if not text:
        return 0
    beyond = 0 if text.isascii() else len(_BEYOND_ASCII.findall(text))
    return beyond + int((len(text) - beyond) / LETTERS_PER_TOKEN) + 1


def shortened(text: str, most: int) -> str:
    """Return the beginning of a text that costs at most so many tokens, cut at a word."""
    if tokens(text) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) < most else (low, middle - 1)
    cut = text[:low]
    at_word = cut.rsplit(None, 1)[0] if " " in cut else cut
    return at_word.rstrip() + "…"
