"""Realms that name their events alike: each goes on as if it were alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.app.facade import Helix
from helix.model.errors import HelixError
from helix.model.memory import Memory, Status
from helix.model.note import Noted
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.scope import Realm
from helix.ports.store import Store
from helix.testing import invariants
from helix.testing.builders import AGENT, open_memory
from helix.testing.clock import SettableClock
from helix.testing.reference_store import ReferenceStore

TENANT = "acme"
REALMS = (
    Realm(TENANT, "ann", "project:a"),
    Realm(TENANT, "ann", "project:b"),
    Realm(TENANT, "bob", "project:a"),
)
WAYS = ("capture", "remember", "scratch", "ask", "wait")
MINUTES = timedelta(minutes=20)


@dataclass(frozen=True)
class Move:
    """One thing done in a realm, under an id that others use as well."""

    realm: Realm
    how: str
    event_id: str
    words: str
    parent: str


moves = st.builds(
    Move, st.sampled_from(REALMS), st.sampled_from(WAYS), st.sampled_from(["x", "y"]),
    st.sampled_from(["it broke", "it was fine"]), st.sampled_from(["", "x", "y"]),
)  # fmt: skip


def done(memory: Helix, move: Move) -> object:
    """Do it, and return what the caller can tell from the answer."""
    ways: dict[str, Callable[[], object]] = {
        "capture": lambda: memory.capture(
            move.words, event_id=move.event_id, parent_event_id=move.parent
        ),
        "remember": lambda: memory.remember(move.words, event_id=move.event_id),
        "scratch": lambda: memory.scratch.add(move.words, event_id=move.event_id),
        "ask": lambda: memory.by_event(move.event_id),
        "wait": lambda: memory.scratch.settle().gone,
    }
    try:
        return told(ways[move.how]())
    except HelixError as error:
        return error.code, error.message, error.remedy


def told(answer: object) -> object:
    match answer:
        case Kept(memory=memory) | Joined(memory=memory):
            return type(answer).__name__, told(memory)
        case Noted(note=note):
            return "noted", note.id, note.event_id, note.content, answer.again
        case Memory():
            around = answer.circumstances
            return answer.type, answer.content, around and (around.event_id, around.parent_event_id)
        case Skipped():
            return "skipped", answer.reason
    return answer


def seen(memory: Helix) -> object:
    """Return everything that a realm holds, without positions, which all of a tenant share."""
    held = memory.list(statuses=list(Status))
    content = {each.id: each.content for each in held}
    return (
        [told(each) for each in held],
        [
            sorted((content[e.from_id], e.relation, content[e.to_id]) for e in memory.why(m).edges)
            for m in content
        ],
        [(each.event_id, each.kind, each.says) for each in memory.history.log(100)],
        [(each.id, each.content) for each in memory.scratch.notes()],
    )


@pytest.mark.parametrize("backend", ["sqlite", "reference"])
def test_each_realm_goes_on_as_if_it_were_alone(backend: str) -> None:
    """Every answer, and all that is held in the end, is as in a store of its own."""

    @given(history=st.lists(moves, max_size=15))
    def whatever_happens(history: list[Move]) -> None:
        with sqlite_store() as sqlite:
            together: Store = sqlite if backend == "sqlite" else ReferenceStore()
            alone: dict[Realm, Store] = {each: ReferenceStore() for each in REALMS}
            clock = SettableClock()

            def both(realm: Realm) -> list[Helix]:
                stores = (together, alone[realm])
                return [open_memory(each, realm, clock=clock, source=AGENT) for each in stores]

            for move in history:
                if move.how == "wait":
                    clock.move(MINUTES)
                    for each in REALMS:
                        both(each)[1].scratch.settle()
                one, other = (done(each, move) for each in both(move.realm))
                assert one == other, move
            for each in REALMS:
                one, other = (seen(memory) for memory in both(each))
                assert one == other
            invariants.all_hold(together)

    whatever_happens()
