"""The pass that compares claims with the project's own working tree.

A memory that speaks of a file, a function, a dependency or a command which is no longer
there is flagged with the reason, and the flag is lifted when it comes back. Only claims about
this project's tree are looked at; a path that leads out of it is none of its business, and
what a sentence itself calls gone is not missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from helix.model.changes import PutMemory
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.model.types import EPISODE
from helix.rules.absence import said_to_be_absent
from helix.rules.concluded import is_summary
from helix.rules.concluding import doubted
from helix.rules.doubts import was_settled
from helix.rules.entities import entities

PASS = "drift"

CONFIDENCE_KEPT = 1.0
"""A missing file says that a claim may be stale, not how likely it is wrong."""

STALE = "stale suspected: "
CHECKED = frozenset(("file", "identifier", "package", "command"))
"""Kinds of things whose presence in a working tree can be looked up."""


def drift(night: Night) -> Findings:
    """Return the claims that the working tree no longer bears out, and those it does again."""
    if night.exists is None:
        return Findings()
    claims = [
        each
        for each in night.held.values()
        if each.type != EPISODE and each.status is Status.ACTIVE and not is_summary(each)
    ]
    made = [each for each in (_compared(night, memory) for memory in claims) if each]
    return Findings(len(claims), tuple(made))


def _compared(night: Night, memory: Memory) -> Conclusion | None:
    missing = sorted(_missing(night, memory))
    doubt = f"{STALE}{', '.join(missing)} not in the working tree" if missing else ""
    if doubt and was_settled(memory.belief, doubt):
        return None
    said = [each for each in memory.belief.doubts if each.startswith(STALE)]
    if ([doubt] if doubt else []) == said:
        return None
    others = tuple(each for each in memory.belief.doubts if not each.startswith(STALE))
    cleared = replace(memory, belief=replace(memory.belief, doubts=others, believed_from=night.now))
    if not doubt:
        why = "what it speaks of is there again"
        return Conclusion(Decision.UPDATE, "", why, (memory.id,), (PutMemory(cleared),))
    change = doubted(night, cleared, doubt, share_kept=CONFIDENCE_KEPT)
    return Conclusion(Decision.FLAG, "", doubt, (memory.id,), (change,))


def _missing(night: Night, memory: Memory) -> Iterator[str]:
    assert night.exists is not None
    for entity in entities(memory.content):
        if entity.kind not in CHECKED or said_to_be_absent(memory.content, entity.name):
            continue
        if night.exists(entity.kind, entity.name) is False:
            yield entity.name
