"""A run of sleep as whoever asks may see it: without words that are kept from agents.

A run tells what it changed as it was then. What the user turned away since stands there in
its words, and so does what was passed over, which nobody has screened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from helix.app.withholding import WITHHELD, is_withheld, memory_as_seen, withheld
from helix.model.changes import Change, ChangeSet, PutMemory
from helix.model.memory import Memory
from helix.model.night import Passed
from helix.model.provenance import Origin, Source
from helix.model.run import PassReport, Run
from helix.rules.screening.judging import Verdict, cached

Held = Callable[[str], Memory | None]
"""Gives a memory by its id as it stands now."""


def run_as_seen(asker: Source, run: Run) -> Run:
    """Return a run with what its passes left alone, as whoever asks may read it."""
    if asker.origin is Origin.USER_ASSERTED:
        return run
    passes = tuple(map(_report, run.passes))
    return replace(run, passes=passes, begun=run.begun and _report(run.begun))


def changes_as_seen(
    asker: Source, changes: Iterable[tuple[str, ChangeSet]], held: Held
) -> tuple[tuple[str, ChangeSet], ...]:
    """Return what the passes of a run changed, as whoever asks may see it now."""
    if asker.origin is Origin.USER_ASSERTED:
        return tuple(changes)

    def seen(change: Change) -> Change:
        if not isinstance(change, PutMemory):
            return change
        now = held(change.memory.id)
        if now is not None and is_withheld(asker, now):
            return PutMemory(withheld(change.memory))
        return PutMemory(memory_as_seen(asker, change.memory))

    return tuple(
        (
            name,
            replace(each, changes=tuple(map(seen, each.changes)), undo=tuple(map(seen, each.undo))),
        )
        for name, each in changes
    )


def _report(report: PassReport) -> PassReport:
    return replace(report, passed=tuple(Passed(_told(e.what), _told(e.why)) for e in report.passed))


def _told(text: str) -> str:
    return WITHHELD if cached(text).verdict is Verdict.HOLD else text
