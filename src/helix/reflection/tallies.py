"""What the work of a night adds up to: how commands ended, and which files it touched."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from helix.model.memory import Memory
from helix.model.night import Night
from helix.rules.steps import steps
from helix.rules.turns import turn_of

FEWEST_RUNS, FEWEST_FAILURES = 6, 3
FAILING_SHARE = 0.3
"""Share of runs that fail from which a command is worth warning of."""

FEWEST_TOGETHER = 5
TOGETHER_SHARE = 0.7
"""Share of the changes to either file that must touch both."""

MOST_FILES = 12
"""An episode that touches more files than this says nothing about pairs of them."""


class Ended(NamedTuple):
    """One run of a command: in which session, how it ended, and the episode that tells of it."""

    session: str
    failed: bool
    complaint: str
    episode: Memory


class Touched(NamedTuple):
    """How often each file was changed, and the episodes that changed two of them at once."""

    alone: Mapping[str, int]
    together: Mapping[tuple[str, str], list[Memory]]

    def most(self, pair: tuple[str, str]) -> int:
        """How often the one of two files was changed that was changed more often."""
        return max(self.alone[each] for each in pair)


def runs(night: Night) -> dict[str, list[Ended]]:
    """Return the runs of each command that does something, by its form."""
    found: dict[str, list[Ended]] = defaultdict(list)
    for session, taken in steps(map(turn_of, night.credible)).items():
        for step in taken:
            if not step.idle:
                ended = Ended(session, step.failed, step.complaint, step.episode)
                found[step.form].append(ended)
    return found


def touched(night: Night) -> Touched:
    """Return which files were changed, alone and two at once."""
    alone: Counter[str] = Counter()
    together: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for episode in night.credible:
        files = sorted(set(episode.circumstances.files)) if episode.circumstances else []
        if not 1 <= len(files) <= MOST_FILES:
            continue
        alone.update(files)
        for pair in combinations(files, 2):
            together[pair].append(episode)
    return Touched(alone, together)
