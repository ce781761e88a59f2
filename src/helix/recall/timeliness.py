"""Whether a candidate is of the time that a question asks about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta

from helix.model.memory import Memory
from helix.recall.asking import Asking, asked_spans
from helix.recall.signals import Candidate
from helix.recall.time_words import Span

TOLD_WITHIN = timedelta(days=28)
TOLD_LATER, HALVED_BY = 0.7, timedelta(days=7)
"""What happened on a day is often told in the days after it, and seldom weeks after: how long,
what the day after counts beside the day itself, and when half of that is left (docs/ranking.md)."""

LONGEST = timedelta(days=32)
"""Of a longer time, what follows it says nothing."""


def in_time(asking: Asking, candidates: Sequence[Candidate]) -> Mapping[str, float]:
    """Return by id how far candidates are of the time asked about, where they are at all."""
    found: dict[str, float] = {}
    for span in asked_spans(asking):
        for each in candidates:
            share = _share(each.memory, span)
            if share > found.get(each.memory.id, 0.0):
                found[each.memory.id] = share
    return found


def _share(memory: Memory, span: Span) -> float:
    at = memory.event_time.start if memory.event_time and memory.event_time.start else None
    at = at or memory.recorded_at
    if span.start <= at < span.end:
        return 1.0
    later = at - span.end
    if not timedelta(0) <= later < TOLD_WITHIN or span.end - span.start > LONGEST:
        return 0.0
    return TOLD_LATER * math.pow(0.5, later / HALVED_BY)
