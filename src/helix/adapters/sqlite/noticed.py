"""What a transaction has read so far, so that no step of a question looks it up again.

The steps of one recall come back to the same memories: found, read with what is around
them, scored by their words, measured by their vectors. Inside a transaction nothing of
this changes but by its own writing; then, and with the next one, it is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from helix.adapters.sqlite.rows import Row
from helix.model.frozen import dataclass
from helix.ports.projection import Beside


class Episode(NamedTuple):
    """An episode, as far as its neighbours want to know."""

    session: str
    told: Beside


@dataclass(frozen=True, slots=True)
class Holding:
    """What one place's index holds: rows, words in all, and in how many rows each word is."""

    place: int
    rows: int
    length: int
    frequencies: dict[str, int]


class Noticed:
    """Keys of memories by id, by content and by rank for words; episodes by where they stand."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.key_of_content: dict[str, int] = {}
        self.episodes: dict[int, dict[int, Episode | None]] = {}
        self.holdings: dict[tuple[int, frozenset[str]], Holding] = {}
        self.ranked: dict[tuple[int, str, int], tuple[int, list[int]]] = {}
        self._by_id: dict[str, tuple[int, int]] = {}

    def forget(self) -> None:
        """Begin anew, as every transaction does."""
        self.key_of_content.clear()
        self.episodes.clear()
        self.holdings.clear()
        self.ranked.clear()
        self._by_id.clear()

    def memory(self, key: int, place: int, memory_id: str, content: str) -> None:
        """Hear that a memory that is not purged was read."""
        self._by_id[memory_id] = (key, place)
        # Whoever else has this content has the same words, so the last one may stand for all.
        self.key_of_content[content] = key

    def rows(self, rows: Iterable[Row]) -> None:
        """Hear that rows of `MEMORY_COLUMNS` were read."""
        for row in rows:
            self.memory(row[0], row[1], row[2], row[5])

    def keys(self, memory_ids: Sequence[str], places: Iterable[int]) -> dict[int, dict[int, str]]:
        """Return those of these memories that were read: their ids by place and by key."""
        found: dict[int, dict[int, str]] = {place: {} for place in places}
        for memory_id in memory_ids:
            key, place = self._by_id.get(memory_id, (0, 0))
            if place in found:
                found[place][key] = memory_id
        return {place: ids for place, ids in found.items() if ids}
