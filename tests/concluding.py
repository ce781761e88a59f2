"""Facts as sleep concludes them: in the journal, and at no position of the ledger."""

from __future__ import annotations

from dataclasses import replace

from helix import Helix
from helix.model.changes import PutMemory
from helix.model.memory import Memory
from helix.model.provenance import Provenance
from helix.testing.builders import Scribe, a_memory
from helix.testing.clock import SettableClock


def concluded(memory: Helix, *contents: str, ground: int = 0) -> list[Memory]:
    """Put facts into a memory's own realm, and return them."""
    context = memory.context
    scribe = Scribe(context.store, SettableClock(context.clock.now()))
    made = []
    for content in contents:
        name = "mem_" + content.replace(" ", "_")
        fact = a_memory(name, content, realm=context.realm, at=context.clock.now())
        if ground:
            witness = (Provenance(context.source, ground),)
            fact = replace(fact, belief=replace(fact.belief, provenance=witness))
        scribe.conclude([PutMemory(fact)], realm=context.realm)
        made.append(fact)
    return made
