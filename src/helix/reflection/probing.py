"""The pass that challenges old beliefs: what nobody bore out for long is believed less.

Only what no person vouches for is probed, and only once in a while. Confidence falls and a
person is asked; nothing is taken away.
"""

from __future__ import annotations

from datetime import timedelta

from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.model.provenance import Origin
from helix.model.types import EPISODE
from helix.rules.concluded import is_summary
from helix.rules.concluding import doubted
from helix.rules.relations import telling

PASS = "probe"

OLD = timedelta(days=180)
"""How long a belief may stand without anybody bearing it out."""

CONFIDENCE_KEPT = 0.9
DOUBT = "nobody bore it out for half a year"
_WORDS_BORNE_OUT = 0.6
"""Share of a belief's telling words that a recent episode must hold to bear it out."""


def probe(night: Night) -> Findings:
    """Return the beliefs that stood long without support."""
    old = [each for each in night.held.values() if _may_be_probed(each, night)]
    if not old:
        return Findings()
    recent = [
        frozenset(telling(each.content))
        for each in night.credible
        if night.now - each.recorded_at < OLD
    ]
    made = []
    for memory in old:
        words = frozenset(telling(memory.content))
        if any(len(words & each) >= _WORDS_BORNE_OUT * len(words) for each in recent):
            continue
        change = doubted(night, memory, DOUBT, share_kept=CONFIDENCE_KEPT)
        made.append(Conclusion(Decision.FLAG, "", DOUBT, (memory.id,), (change,)))
    return Findings(len(old), tuple(made))


def _may_be_probed(memory: Memory, night: Night) -> bool:
    belief = memory.belief
    if memory.type == EPISODE or memory.status is not Status.ACTIVE or belief.pinned:
        return False
    if any(each.source.origin is Origin.USER_ASSERTED for each in belief.provenance):
        return False
    if is_summary(memory):  # it happened, whatever is so now
        return False
    return night.now - belief.believed_from >= OLD and DOUBT not in belief.doubts
