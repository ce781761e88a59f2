"""Which insights have outlived their evidence: asked again, the work shows them no more.

Only what was looked at this night is judged. That a command was hardly run of late, or that
its failures were put away, says nothing about whether it still fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Night
from helix.reflection.tallies import (
    FAILING_SHARE,
    FEWEST_RUNS,
    FEWEST_TOGETHER,
    TOGETHER_SHARE,
    Touched,
    runs,
    touched,
)
from helix.rules.quoting import quoted_memory
from helix.rules.withdrawing import withdrawn

FAILS, TOGETHER = "fails:", "together:"
"""How the subject of an insight begins, by its question."""


def outlived(night: Night, held: Mapping[str, Memory]) -> Iterator[Conclusion]:
    """Yield the conclusion that an insight holds no more, of those that this night did not show.

    `held` are by what they are about.
    """
    made = [
        withdrawn(night, held[subject], why, forgotten=False)
        for subject, why in _refuted(night, held)
    ]
    made += [_unquoted(night, memory) for memory in held.values()]
    yield from (each for each in made if each is not None)


def _unquoted(night: Night, insight: Memory) -> Conclusion | None:
    """Return the conclusion that what an insight quotes may not be told, or holds no more."""
    quoted = quoted_memory(insight)
    memory = night.held.get(quoted)
    if not quoted or (memory is not None and memory.status is Status.ACTIVE):
        return None
    ended = memory is not None and memory.status in (Status.SUPERSEDED, Status.ARCHIVED)
    why = f"what it quotes is {memory.status.value}" if memory else "what it quotes is gone"
    return withdrawn(night, insight, why, forgotten=not ended)


def _refuted(night: Night, held: Mapping[str, Memory]) -> Iterator[tuple[str, str]]:
    failing = [each for each in held if each.startswith(FAILS)]
    if failing:
        by_form = runs(night)
        for subject in failing:
            times = by_form.get(subject.removeprefix(FAILS), ())
            failed = sum(each.failed for each in times)
            if len(times) >= FEWEST_RUNS and failed < FAILING_SHARE * len(times):
                yield subject, f"it failed in {failed} of {len(times)} runs only"
    belonging = [each for each in held if each.startswith(TOGETHER)]
    if belonging:
        files = touched(night)
        for subject in belonging:
            pair = _pair(subject.removeprefix(TOGETHER), files)
            both = len(files.together.get(pair, ())) if pair else 0
            most = files.most(pair) if pair else 0
            if most >= FEWEST_TOGETHER and both < TOGETHER_SHARE * most:
                yield subject, f"they changed together in {both} of {most} changes only"


def _pair(names: str, files: Touched) -> tuple[str, str] | None:
    """Return the two files that a subject names; a file's name may hold spaces itself."""
    cuts = (at for at, letter in enumerate(names) if letter == " ")
    pairs = ((names[:at], names[at + 1 :]) for at in cuts)
    return next((each for each in pairs if all(name in files.alone for name in each)), None)
