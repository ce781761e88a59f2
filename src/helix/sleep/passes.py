"""The dream cycle: which passes a night consists of, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from helix.consolidation.distilling import distil
from helix.consolidation.extraction import extract
from helix.consolidation.gates import GATES, SUMMARY_GATES, Gate
from helix.consolidation.grounding import ground
from helix.consolidation.procedures import proceed
from helix.consolidation.relating import relate
from helix.consolidation.standing import repeat
from helix.model.night import Findings, Night
from helix.reflection.bridges import bridge
from helix.reflection.cards import cards
from helix.reflection.drift import drift
from helix.reflection.insights import reflect
from helix.reflection.probing import probe
from helix.reflection.summaries import summarise
from helix.reflection.ties import tie


class Pass(NamedTuple):
    """One step of the dream cycle: a name, what it does in a few words, how, and its gates."""

    name: str
    does: str
    run: Callable[[Night], Findings]
    gates: tuple[Gate, ...] = GATES


DREAM_CYCLE: tuple[Pass, ...] = (
    Pass("ground", "asks whether earlier conclusions still stand on their grounds", ground),
    Pass("extract", "reads talk and history for what was said for good", extract),
    Pass("repeat", "hears what a person says in session after session", repeat),
    Pass("distil", "makes one rule of episodes that teach the same", distil),
    Pass("proceed", "makes a procedure of steps that recur", proceed),
    Pass("relate", "flags what contradicts, links what repeats", relate),
    Pass("cards", "keeps a card for whatever is spoken of often", cards),
    Pass(
        "summarise",
        "rolls up long episodes and sessions that have gone stale, and an agent's month",
        summarise,
        SUMMARY_GATES,
    ),
    Pass("tie", "draws shortcuts between what is used together", tie),
    Pass("reflect", "asks what keeps failing, changes together, does not last", reflect),
    Pass("bridge", "asks what connects parts that are seldom touched together", bridge),
    Pass("probe", "challenges old beliefs that nobody bore out", probe),
    Pass("drift", "compares claims with the project's working tree", drift),
)
