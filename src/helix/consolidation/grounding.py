"""The pass that asks whether what Helix concluded still stands on its grounds.

Where every ground was erased, the conclusion goes with them. Where every ground was taken back
(forgotten, held back or turned away), or the very words that an account repeats, it is told no
more until they are back. Where more than half were, it is believed less, says why, and waits for
a person; with its grounds, what it was believed comes back.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace

from helix.model.changes import DropMemory, PutMemory
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.rules.concluded import is_concluded, is_summary
from helix.rules.concluding import SUREST, doubted
from helix.rules.doubts import was_settled
from helix.rules.quoting import quoted_positions
from helix.rules.withdrawing import told_again, was_withdrawn, withdrawn

PASS = "ground"

CONFIDENCE_KEPT = 0.5
"""Share of its confidence that a conclusion keeps once more than half of its grounds are gone."""

_LOST = re.compile(r"\d+ of \d+ grounds are gone")


def ground(night: Night) -> Findings:
    """Return the conclusions that lost what they stood on, and those that have it again."""
    concluded = [each for each in night.held.values() if is_concluded(each)]
    told = {_account(each) for each in concluded if each.status is Status.ACTIVE} - {()}
    made = [each for each in (_judged(night, memory, told) for memory in concluded) if each]
    return Findings(len(concluded), tuple(made))


def _judged(night: Night, memory: Memory, told: AbstractSet[tuple[str, ...]]) -> Conclusion | None:
    cited = [each.position for each in memory.belief.provenance]
    if all(position in night.erased for position in cited):
        return _dropped(night, memory, f"all {len(cited)} records it stood on were erased")
    if is_summary(memory):
        return _account_judged(night, memory, told)
    lost = sum(each in night.erased or each in night.stepped_back for each in cited)
    if lost == len(cited):
        gone = withdrawn(night, memory, f"all {lost} grounds are gone", forgotten=True)
        if gone is not None or memory.status is not Status.ACTIVE:
            return gone
    elif was_withdrawn(memory) and "subject" not in memory.attributes:
        # Whether an insight holds again is asked by whoever drew it.
        memory = told_again(night, memory)
        return _shaken(night, memory, lost, len(cited)) or _back(memory)
    return _shaken(night, memory, lost, len(cited))


def _account_judged(
    night: Night, summary: Memory, told: AbstractSet[tuple[str, ...]]
) -> Conclusion | None:
    """Return what becomes of a summary by what became of the words it repeats."""
    quoted = quoted_positions(summary)
    if any(position in night.erased for position in quoted):
        return _dropped(night, summary, "words that it repeats were erased")
    if any(position in night.stepped_back for position in quoted):
        return withdrawn(night, summary, "words that it repeats were forgotten", forgotten=True)
    if was_withdrawn(summary) and _account(summary) not in told:
        return _back(told_again(night, summary))
    return None


def _shaken(night: Night, memory: Memory, lost: int, cited: int) -> Conclusion | None:
    """Return the one doubt about grounds that is due, or that none is any more."""
    if memory.status is not Status.ACTIVE:
        return None
    said = [each for each in memory.belief.doubts if _LOST.fullmatch(each)]
    doubt = f"{lost} of {cited} grounds are gone" if lost * 2 > cited else ""
    if doubt and was_settled(memory.belief, doubt):
        doubt = ""
    if ([doubt] if doubt else []) == said:
        return None
    # Whatever was taken for the earlier doubt is given back before there is another.
    believed = memory.belief.confidence / CONFIDENCE_KEPT ** len(said)
    others = tuple(each for each in memory.belief.doubts if each not in said)
    cleared = replace(
        memory.belief,
        doubts=others,
        confidence=round(min(believed, max(SUREST, memory.belief.confidence)), 6),
        believed_from=night.now,
    )
    calm = replace(memory, belief=cleared)
    if not doubt:
        return _back(calm)
    change = doubted(night, calm, doubt, share_kept=CONFIDENCE_KEPT)
    return Conclusion(Decision.FLAG, "", doubt, (memory.id,), (change,))


def _back(memory: Memory) -> Conclusion:
    why = "it has its grounds again"
    return Conclusion(Decision.UPDATE, "", why, (memory.id,), (PutMemory(memory),))


def _dropped(night: Night, memory: Memory, why: str) -> Conclusion:
    changes = (DropMemory(night.realm, memory.id),)
    return Conclusion(Decision.WITHDRAW, "", why, (memory.id,), changes)


def _account(memory: Memory) -> tuple[str, ...]:
    """Return what a summary is of, so that nothing is told twice; () if it is none."""
    if not is_summary(memory):
        return ()
    of = memory.attributes
    level = str(of["level"])
    return (level, str(of.get(level)), str(of.get("month", "")))
