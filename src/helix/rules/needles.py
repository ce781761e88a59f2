"""Which of many short strings stand in a text, found in one pass over it.

`in` takes a pass for each. On the capture path that was a third of the time Helix itself
needs, and a long output was read two hundred times.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick


class Needles:
    """Strings to look for, all at once; made ready when they are first looked for."""

    def __init__(self, needles: Iterable[str]) -> None:
        """Take the strings; none may be empty."""
        self._needles = tuple(dict.fromkeys(needles))

    def within(self, text: str) -> set[str]:
        """Return those that stand in a text, wherever, also in one another."""
        try:
            found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:  # half a character, as a file name may have
            return {each for each in self._needles if each in text}
        needles = self._needles
        return {needles[each[0]] for each in found}

    def places(self, text: str) -> list[tuple[int, int]] | None:
        """Return which of them (by number) begins where, also in one another.

        None for a text that cannot be looked through, for half a character in it.
        """
        try:
            found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:
            return None
        return [(number, start) for number, start, _ in found]

    @cached_property
    def _automaton(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick, Implementation  # noqa: PLC0415 - when it is needed

        # A full table of states looks through a text a fifth faster, and takes five times as long
        # to make: milliseconds that every short-lived process would wait for.
        return AhoCorasick(self._needles, implementation=Implementation.ContiguousNFA)
