"""The pass that asks whether what Helix concluded still stands on its grounds.

Where every ground was erased, the conclusion goes with them. Where grounds were taken back,
it is believed less, and says why; where too few are left, it waits for a person.
"""

from __future__ import annotations

from helix.model.changes import DropMemory
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.rules.concluding import doubted, is_concluded
from helix.rules.doubts import was_settled

PASS = "ground"

CONFIDENCE_KEPT = 0.5
"""Share of its confidence that a conclusion keeps once more than half of its grounds are gone."""


def ground(night: Night) -> Findings:
    """Return the conclusions that lost what they stood on."""
    concluded = [each for each in night.held.values() if is_concluded(each)]
    made = [each for each in (_shaken(night, memory) for memory in concluded) if each]
    return Findings(len(concluded), tuple(made))


def _shaken(night: Night, memory: Memory) -> Conclusion | None:
    cited = [each.position for each in memory.belief.provenance]
    erased = [position for position in cited if position in night.erased]
    gone = [position for position in cited if position in night.stepped_back]
    if len(erased) == len(cited):
        why = f"all {len(cited)} records it stood on were erased"
        changes = (DropMemory(night.realm, memory.id),)
        return Conclusion(Decision.WITHDRAW, "", why, (memory.id,), changes)
    lost = len(erased) + len(gone)
    if memory.status is not Status.ACTIVE or lost * 2 <= len(cited):
        return None
    doubt = f"{lost} of {len(cited)} grounds are gone"
    if doubt in memory.belief.doubts or was_settled(memory.belief, doubt):
        return None
    change = doubted(night, memory, doubt, share_kept=CONFIDENCE_KEPT)
    return Conclusion(Decision.FLAG, "", doubt, (memory.id,), (change,))
