"""What is held, so that the few statements a new one may repeat or replace are found quickly.

Candidates come from exact identity, from shared values and from shared telling words. What
they are to each other is decided by `rules.relations`, never by how they were found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from helix.model.memory import Memory, Status
from helix.model.types import EPISODE
from helix.rules.concluded import is_summary
from helix.rules.relations import telling

MOST_CANDIDATES = 24
MOST_SHARING = 400
"""A word that more statements than this share tells none of them from the others."""

STATED = frozenset(("fact", "decision", "preference", "convention", "identity", "project"))
"""Types that state something, and so can repeat or contradict each other."""


class Statements:
    """The active statements of a night, by their words. Grows as a pass concludes."""

    def __init__(self, held: Iterable[Memory]) -> None:
        """Take what is held; only active statements are looked at."""
        self._by_id: dict[str, Memory] = {}
        self._by_word: dict[str, list[str]] = {}
        for memory in sorted(held, key=lambda each: (each.recorded_at, each.id)):
            self.put(memory)

    def put(self, memory: Memory) -> None:
        """Hold a statement, or what is now believed about it."""
        if memory.type == EPISODE or memory.type not in STATED or is_summary(memory):
            return
        known = memory.id in self._by_id
        if memory.status is not Status.ACTIVE:
            self._by_id.pop(memory.id, None)
            return
        self._by_id[memory.id] = memory
        if not known:
            for word in dict.fromkeys(telling(memory.content)):
                self._by_word.setdefault(word, []).append(memory.id)

    def near(self, content: str) -> list[Memory]:
        """Return the statements that share most with a text, best first."""
        words = list(dict.fromkeys(telling(content)))
        counts: Counter[str] = Counter()
        for word in words:
            sharing = self._by_word.get(word, ())
            if len(sharing) <= MOST_SHARING:
                counts.update(sharing)
        wanted = 1 if len(words) <= 2 else 2  # noqa: PLR2004 - two words in common, where there are
        ranked = sorted(
            (each for each in counts.items() if each[1] >= wanted and each[0] in self._by_id),
            key=lambda each: (-each[1], each[0]),
        )
        return [self._by_id[memory_id] for memory_id, _ in ranked[:MOST_CANDIDATES]]

    def __iter__(self) -> Iterator[Memory]:
        """Iterate over what is held, in the order in which it came."""
        return iter(self._by_id.values())

    def __len__(self) -> int:
        """Return how many are held."""
        return len(self._by_id)
