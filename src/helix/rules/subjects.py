"""Whether a text names a subject: a person, a repository, a source. Pure.

People do not spell a name as the asker does. Case, the form of accents and letters, and the
space between two words do not count; which letters stand beside the name does: "Ali" is not
in "Alice". Where a script is written without spaces there is no such edge to ask for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

SHORTEST = 3
SHORTEST_WITHOUT_SPACES = 2
"""Letters and digits that a name needs; 王芳 is a whole name, "Al" could be anybody."""

LONGEST = 200

SHORTEST_SPELLING = 6
"""Bytes from which on a name is not found by chance among the bytes of a file."""

_LETTERS_AT_ONCE = 4_000  # normalising a long run of combining marks takes quadratic time

_WITHOUT_SPACES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007), (0x3040, 0x30FF), (0x31F0, 0x31FF),  # kana, and marks among ideographs
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),  # ideographs
)  # fmt: skip
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))
_BARE = re.compile(r"[\w:-]*", re.ASCII)
"""A single word, as Helix has many of its own in the rows of a store."""
_ALIKE = {0x2019: "'", 0x2018: "'", 0x02BC: "'", 0x2010: "-", 0x2013: "-"}
"""Typographic apostrophes and dashes, as a keyboard writes them."""


class Subject:
    """Somebody or something that texts may name."""

    def __init__(self, name: str) -> None:
        """Take the name as it was given; see `is_usable`."""
        self._given = name.split()
        self._name = _plain(name)
        letters = [each for each in self._name if not each.isspace()]
        self._pattern = re.compile(_spelt(self._name))
        self._letters = sum(map(_is_letter, letters))
        self._short = all(_runs_on(each) or _is_hangul(each) for each in letters)

    @property
    def is_usable(self) -> bool:
        """Whether it says enough: so short a name, or one without letters, is everywhere."""
        shortest = SHORTEST_WITHOUT_SPACES if self._short else SHORTEST
        return self._letters >= shortest and len(self._name) <= LONGEST

    def is_named_in(self, texts: Iterable[str]) -> bool:
        """Return whether any of the texts names it."""
        return any(self._stands_in(_plain(text)) for text in texts if text)

    def might_be_in(self, texts: Iterable[str]) -> bool:
        """Return whether any text has the letters of the name after each other.

        Whatever stands around or between them: as a part of other words, as an identifier, with
        or without accents. Where this is false, no index made of the texts holds the name.
        """
        letters = _letters(self._name)
        return any(letters in _letters(text) for text in texts)

    def spellings(self, texts: Iterable[str]) -> frozenset[str]:
        """Return the name as it was given, in one case, and as it is written in these texts.

        Left out is what bytes of a file could hold without meaning it: a single plain word, or
        very few letters.
        """
        written = re.compile(r"\s+".join(map(re.escape, self._given)), re.IGNORECASE)
        found = {each for text in texts for each in written.findall(text)}
        found |= {" ".join(self._given), self._name}
        return frozenset(
            each
            for each in found
            if not _BARE.fullmatch(each) and len(each.encode()) >= SHORTEST_SPELLING
        )

    def _stands_in(self, text: str) -> bool:
        found = self._pattern.search(text)
        while found:
            if _apart(text, found.start() - 1, found.start()) and _apart(
                text, found.end(), found.end() - 1
            ):
                return True
            found = self._pattern.search(text, found.start() + 1)
        return False


def _plain(text: str) -> str:
    """Return a text in one case and one form, with one space between words."""
    if text.isascii():
        return " ".join(text.lower().split())
    pieces = (text[at : at + _LETTERS_AT_ONCE] for at in range(0, len(text), _LETTERS_AT_ONCE))
    one_form = "".join(unicodedata.normalize("NFKC", each).casefold() for each in pieces)
    return " ".join(one_form.translate(_ALIKE).split())


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in one case and without marks."""
    if text.isascii():
        return re.sub("[^a-z0-9]+", "", text.lower())
    pieces = (text[at : at + _LETTERS_AT_ONCE] for at in range(0, len(text), _LETTERS_AT_ONCE))
    apart = "".join(unicodedata.normalize("NFKD", each).casefold() for each in pieces)
    return "".join(filter(str.isalnum, apart))


def _spelt(name: str) -> str:
    """Return the pattern of a name; 田中 太郎 is 田中太郎, and a line may end anywhere in it."""
    inner = range(1, len(name) - 1)
    gaps = {at for at in inner if name[at] == " " and _runs_on(name[at - 1] + name[at + 1])}
    letters = [letter for at, letter in enumerate(name) if at not in gaps]
    pattern = "".join(map(re.escape, letters[:1]))
    for before, letter in pairwise(letters):
        pattern += (" ?" if _runs_on(before + letter) else "") + re.escape(letter)
    return pattern


def _apart(text: str, beside: int, edge: int) -> bool:
    """Return whether what stands beside a name's edge is no part of the same word."""
    if not 0 <= beside < len(text):
        return True
    neighbour, own = text[beside], text[edge]
    if not _is_letter(neighbour) or not _is_letter(own):
        return True
    if _is_hangul(own):
        # Particles are written onto a Korean name, but nothing is written before it.
        return beside > edge or not _is_hangul(neighbour)
    return _runs_on(own) or _runs_on(neighbour) or _is_hangul(neighbour)


def _is_letter(letter: str) -> bool:
    # Marks count: the vowels of many scripts are marks on the letter before them.
    return unicodedata.category(letter)[0] in "LMN"


def _runs_on(letters: str) -> bool:
    return all(_is_among(each, _WITHOUT_SPACES) for each in letters)


def _is_hangul(letter: str) -> bool:
    return _is_among(letter, _HANGUL)


def _is_among(letter: str, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(first <= ord(letter) <= last for first, last in ranges)
