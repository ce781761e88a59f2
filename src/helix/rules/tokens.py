"""A text cut into tokens, each with the place where it stands.

A token is a word with everything that holds a path, a qualified name, a version or an
address together. Unlike the index words of `helix.rules.words`, tokens keep their spelling:
it is the spelling that tells what they are.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LINK = r"[./\\:@#+=&?%~^$<>!-]"
TOKEN = re.compile(
    r"([a-z]++)(?![^\s,;])"  # four tokens in five, told apart at the speed of a character set
    rf"|[OD]['\u2019][A-Z][a-z]++|(?:[@#]|[.~/\\-]{{0,4}}+)\w++(?:{_LINK}{{1,4}}+\w++)*+(?:\(\)|[/\\](?![\w/\\]))?+"
)
"""A plain lower-case word, which is group 1, or anything else that holds together.

Linear on any text: every repetition is possessive, and tokens do not overlap.
"""

_ENDS = frozenset('.!?:\n\r\t|*>"(`[]#_=/\\{}&+\u2022\u2013\u2014\u201c\u201d')


class Place(NamedTuple):
    """A token where it stands: what lies between it and the token before, and that token."""

    text: str
    start: int
    end: int
    token: str
    gap: str
    previous: str

    @property
    def opens(self) -> bool:
        """Whether a sentence, a cell or a quotation may begin here: then a capital is no sign."""
        return not self.previous or not _ENDS.isdisjoint(self.gap)

    @property
    def in_code(self) -> bool:
        """Whether a backtick or a shell prompt stands right before."""
        return self.gap.endswith(("`", "$ ", "\u276f ")) and not self.gap.endswith("```")

    @property
    def opens_line(self) -> bool:
        """Whether the token is the first of its line, whatever marks stand before it."""
        return not self.previous or "\n" in self.gap


class Found(NamedTuple):
    """A thing that a text names, and where the naming ends."""

    kind: str
    name: str
    end: int
