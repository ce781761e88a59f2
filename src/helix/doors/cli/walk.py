"""The walk through Helix: nine stages in the order a memory passes them, then the rest.

It is told by the packages' own docstrings, so that what a newcomer reads here is what
stands above the code.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

STAGES = {
    "capture": "Experience comes in.",
    "ledger": "It is written down once, in order.",
    "projection": "Records become memories, edges and words one can ask.",
    "enrichment": "Episodes gain vectors, keywords, importance, entities and likeness.",
    "consolidation": "Many become fewer and better: distilled facts and procedures.",
    "reflection": "Memories become insight, citing what grounds it.",
    "recall": "A question is answered, or honestly not.",
    "reinforcement": "Use makes memories last.",
    "archive": "What fades steps back; what must go is erased.",
}
"""The stages in order, each with what to say of it until it is built."""

PARTS = ("model", "rules", "ports", "adapters", "app", "doors")

WHERE_A_CHANGE_BELONGS = (
    ("to change", "look in"),
    ("what may come in", "capture/admission.py"),
    ("what can happen to a memory", "model/act.py, capture/, projection/folding.py"),
    ("how records are sealed or checked", "ledger/"),
    ("how an answer is found", "recall/"),
    ("a number, a formula, a threshold", "rules/"),
    ("a field of a memory", "model/memory.py, then adapters/sqlite/schema.py"),
    ("a command, or how an answer looks", "doors/"),
    ("another database behind it", "ports/ (the promise), adapters/ (the driver)"),
    ("which parts are used together", "app/wiring.py"),
)


class Stop(NamedTuple):
    """One place on the walk."""

    name: str
    built: bool
    says: str


def stages() -> list[Stop]:
    """Return the nine stages in order, told by their own docstrings where they are built."""
    return [_stop(name, to_come) for name, to_come in STAGES.items()]


def parts() -> list[Stop]:
    """Return what the stages stand on and what stands around them."""
    return [_stop(name, "") for name in PARTS]


def numbered(stop: Stop, number: int) -> str:
    """Return what to say of a stage; one that is not built yet has only its promise."""
    if stop.built:
        return stop.says
    return f"Stage {number} of {len(STAGES)}: {stop.name}. {stop.says} (to come)"


def _stop(name: str, to_come: str) -> Stop:
    package = f"helix.{name}"
    if find_spec(package) is None:
        return Stop(name, built=False, says=to_come)
    told = inspect.getdoc(import_module(package))
    return Stop(name, built=told is not None, says=told or to_come)
