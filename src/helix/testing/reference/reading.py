"""A text as plain words: whole, lower-cased, in order; no stems and no accents folded."""

from __future__ import annotations

import re
from collections import Counter

from helix.rules.words import parts

_WORD = re.compile(r"\w+")


class Text:
    """The words of a content, and those derived from its names."""

    def __init__(self, content: str) -> None:
        self._written = _WORD.findall(content.lower())
        self._derived = _WORD.findall(parts(content))
        self.counts = Counter([*self._written, *self._derived])

    def contains(self, asked: str) -> bool:
        """Return whether a word, or a phrase of words in a row, occurs."""
        phrase = _WORD.findall(asked.lower())
        return bool(phrase) and (_occurs(phrase, self._written) or _occurs(phrase, self._derived))


def _occurs(phrase: list[str], words: list[str]) -> bool:
    return any(
        words[start : start + len(phrase)] == phrase
        for start in range(len(words) - len(phrase) + 1)
    )
