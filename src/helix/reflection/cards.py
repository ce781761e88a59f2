"""The pass that keeps a card for whoever and whatever is spoken of often.

A card is an entity: its id and its words never change, so it can be pinned and linked. What
is known about it hangs on it by `mentions` edges, and is read from there: a card is never out
of date.
"""

from __future__ import annotations

from collections import defaultdict

from helix.model.changes import Change, PutMemory
from helix.model.edge import MENTIONS
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.model.types import EPISODE
from helix.rules.concluded import is_summary
from helix.rules.concluding import link, new_memory
from helix.rules.entities import Entity, entities, key

PASS = "cards"

FEWEST_MENTIONS = 3
"""Statements that must speak of a thing before it gets a card."""

MOST_LINKED = 200
CARDED = {"person": "a person", "package": "a package", "file": "a file", "command": "a command"}


def cards(night: Night) -> Findings:
    """Return cards for what several statements speak of, and further mentions of them."""
    spoken: dict[str, list[Memory]] = defaultdict(list)
    named: dict[str, Entity] = {}
    read = 0
    for memory in night.held.values():
        if memory.status is not Status.ACTIVE or memory.type in (EPISODE, "entity"):
            continue
        if is_summary(memory) or memory.belief.suspicion is not None:
            continue
        read += 1
        for entity in entities(memory.content):
            if entity.kind in CARDED:
                spoken[key(entity)].append(memory)
                named.setdefault(key(entity), entity)
    made = [
        _card(night, named[each], memories)
        for each, memories in spoken.items()
        if len(memories) >= FEWEST_MENTIONS
    ]
    return Findings(read, tuple(made))


def _card(night: Night, entity: Entity, memories: list[Memory]) -> Conclusion:
    content = f"{key(entity).partition(':')[2]}: {CARDED[entity.kind]}"
    card = new_memory(
        night, PASS, "entity", content, memories,
        attributes={"kind": entity.kind, "name": entity.name, "key": key(entity)},
    )  # fmt: skip
    known = night.held.get(card.id)
    edges = [link(night, each, MENTIONS, card, by=PASS) for each in memories[:MOST_LINKED]]
    why = f"{len(memories)} statements speak of it"
    grounds = tuple(each.id for each in memories)
    if known is not None:
        return Conclusion(Decision.LINK, "", why, grounds, tuple(edges))
    changes: tuple[Change, ...] = (PutMemory(card), *edges)
    return Conclusion(Decision.ADD, card.id, why, grounds, changes)
