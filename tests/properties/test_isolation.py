"""Tenant, owner and scope never leak, whoever asks for whatever, in whatever way."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from itertools import product
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.app.facade import Helix
from helix.model.changes import PutMemory
from helix.model.errors import Conflict, HelixError, NotFound
from helix.model.memory import Memory, Status
from helix.model.outcome import Kept
from helix.model.question import Question, Standpoint, View
from helix.model.recollection import Recollection
from helix.model.scope import EVERYONE, GLOBAL, Realm, may_read, visible_from
from helix.ports.enrichment import Enriched
from helix.ports.store import Store, Unit
from helix.rules.similarity import packed
from helix.testing import invariants
from helix.testing.builders import Scribe, a_memory, open_memory
from helix.testing.clock import SettableClock
from helix.testing.reference_store import ReferenceStore

TENANTS = ("acme", "other")
REALMS = tuple(
    Realm(tenant, owner, scope)
    for tenant, owner, scope in product(
        TENANTS, ("ann", "bob", EVERYONE), (GLOBAL, "project:a", "project:b")
    )
)
TAGS = {realm: f"zq{chr(ord('a') + number)}zq" for number, realm in enumerate(REALMS)}
"""A word per realm: it stands in everything that was ever said there."""

MODEL = "a-model"
VECTOR = np.asarray([0.6, 0.8, 0.0, 0.0], dtype=np.float32)

FEWEST_CHECKS = 5_000
ALL = 1_000

T = TypeVar("T")


@dataclass
class World:
    """A store full of tagged things, and how to ask it."""

    store: Store
    clock: SettableClock
    memories: list[Memory]

    def seen_from(self, realm: Realm) -> Helix:
        return open_memory(self.store, realm, clock=self.clock)


class Checks:
    """Counts what was checked, and finds foreign words in whatever came back."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()

    def nothing_foreign(self, asker: Realm, method: str, answer: object) -> None:
        """Check that no text anywhere in an answer was said where the asker may not look."""
        self.made[method] += 1
        foreign = [tag for realm, tag in TAGS.items() if not may_read(asker, realm)]
        for text in texts(answer):
            assert not any(tag in text for tag in foreign), (asker, method, text)

    def refused_alike(
        self, asker: Realm, method: str, items: tuple[T, T], act: Callable[[T], object]
    ) -> None:
        """Check that what is hidden is refused in the very words of what does not exist."""
        self.made[method] += 1
        sayings = []
        for item in items:
            with pytest.raises(NotFound) as refused:
                act(item)
            said = f"{refused.value.code}: {refused.value} ({refused.value.remedy})"
            sayings.append(said.replace(str(item), "ITEM"))
        assert sayings[0] == sayings[1], (asker, method)


def texts(value: object) -> Iterator[str]:
    """Yield every text in a value, however deep; bytes are read as text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from texts(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from texts(list(pair))
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from texts(each)


# A world in which much was said and done, everywhere.


def filled(store: Store, chance: random.Random) -> World:
    world = World(store, SettableClock(), [])
    for realm in REALMS:
        say_something(world, realm, chance)
    for _ in range(40):
        do_something(world, chance.choice(REALMS), chance)
    with store.writing() as unit:
        for tenant in TENANTS:
            world.memories += invariants.everything(unit, tenant)
        enrich(unit)
    return world


def enrich(unit: Unit) -> None:
    """Give every memory the same vector, and let it mention its first word and a common one."""
    waiting = unit.enrichment.waiting(MODEL, ALL)
    found = [
        Enriched(key, packed(VECTOR), ("deploys", memory.content.split()[0]))
        for key, memory in waiting
    ]
    unit.enrichment.keep(MODEL, len(VECTOR), found)


def event_of(realm: Realm) -> str:
    """Return the event id of what failed in a realm: an id may be guessed, so it has no tag."""
    return f"event-{REALMS.index(realm)}"


def say_something(world: World, realm: Realm, chance: random.Random) -> None:
    tag, memory = TAGS[realm], world.seen_from(realm)
    memory.remember(f"{tag} deploys on {chance.choice(['Monday', 'Friday'])}")
    memory.remember(
        f"{tag} builds with make", type="convention", attributes={tag: [tag], "why": {"x": tag}}
    )
    with memory.session(f"session-{tag}") as session:
        session.capture(f"{tag} deploys failed", event_id=event_of(realm), files=[f"{tag}.py"])
        # Whatever it names as its cause, in whatever realm, even one that comes later.
        cause = chance.choice(REALMS)
        session.capture(f"{tag} retried", parent_event_id=event_of(cause))
    concluded = a_memory(f"ins_{tag}", f"{tag} deploys are risky", realm=realm)
    Scribe(world.store, world.clock).conclude([PutMemory(concluded)], realm=realm)


def do_something(world: World, realm: Realm, chance: random.Random) -> None:
    """Do one thing to something that can be seen from a realm; a refusal is as good."""
    memory = world.seen_from(realm)
    visible = memory.list(statuses=list(Status), limit=ALL)
    chosen, other = chance.choice(visible), chance.choice(visible)
    tag = TAGS[chosen.realm]
    acts: list[Callable[[], object]] = [
        lambda: memory.confirm(chosen.id),
        lambda: memory.pin(chosen.id),
        lambda: memory.forget(chosen.id, f"{tag} reason"),
        lambda: memory.restore(chosen.id),
        lambda: memory.correct(chosen.id, f"{tag} deploys {chance.random()}"),
        lambda: memory.relate(chosen.id, "uses", other.id),
        lambda: memory.relate(chosen.id, "uses", other.id),
        lambda: roll_back(memory, chance),
    ]
    try:
        chance.choice(acts)()
    except HelixError:
        return


def roll_back(memory: Helix, chance: random.Random) -> None:
    entry = chance.choice(memory.history.log(50))
    realms = [realm for realm in visible_from(memory.context.realm) if realm.scope == entry.scope]
    touched = [each for each in TAGS if each in realms and TAGS[each] in entry.says]
    reason = f"{TAGS[touched[0]]} reason" if touched else ""
    memory.history.rollback(entry.position, reason=reason)


# Everything that can be asked.


def asked_by_id(unit: Unit, asker: Realm, then: datetime, item: str) -> dict[str, object]:
    projection = unit.projection
    return {
        "projection.memory": projection.memory(asker, item),
        "projection.memory then": projection.memory(asker, item, then),
        "projection.beliefs": projection.beliefs(asker, item),
        "projection.neighbours": projection.neighbours(asker, item),
        "projection.neighbours then": projection.neighbours(asker, item, believed_on=then),
        "enrichment.vectors_of": list(unit.enrichment.vectors_of(asker, MODEL, [item])),
        "enrichment.held_of": list(unit.enrichment.held_of(asker, MODEL, [item])),
        "enrichment.entities_of": unit.enrichment.entities_of(asker, [item]),
    }


def asked_in_general(unit: Unit, asker: Realm, then: datetime) -> Iterator[tuple[str, object]]:
    projection = unit.projection
    words = ["deploys", "make", "failed", *TAGS.values()]
    for view in View:
        for believed_on in (None, then):
            standpoint = Standpoint(view, then, believed_on)
            yield f"listing {view}", projection.listing(asker, standpoint, limit=ALL)
            yield f"by_words {view}", projection.by_words(asker, words, standpoint, limit=ALL)
    whole = Standpoint(View.HISTORY, then)
    yield "listing statuses", projection.listing(asker, whole, statuses=list(Status), limit=ALL)
    yield "counts", projection.counts(asker)
    everything = Standpoint(View.HISTORY, then)
    yield "by_meaning", unit.enrichment.by_meaning(asker, MODEL, VECTOR, everything, limit=ALL)
    mentioned = unit.enrichment.mentioning(asker, ["deploys", *TAGS.values()], ALL)
    yield "mentioning", list(mentioned.values())
    yield "ledger.recent", unit.ledger.recent(visible_from(asker), limit=ALL)


def asked_at_the_facade(memory: Helix, then: datetime) -> Iterator[tuple[str, object]]:
    for question in ("what deploys?", *TAGS.values()):
        for view in (View.CURRENT, View.DEEP, View.HISTORY):
            yield f"recall {view}", answered(memory.recall(question, view=view, limit=ALL))
        as_of = memory.recall(question, true_on=then, believed_on=then, limit=ALL)
        yield "recall as of", answered(as_of)
    yield "list", memory.list(limit=ALL)
    yield "list statuses", memory.list(statuses=list(Status), limit=ALL)
    yield "log", memory.history.log(ALL)
    yield "status", memory.upkeep.status().counts
    yield "review", memory.reviewing.waiting(ALL)
    for subject in ("deploys", *TAGS.values()):
        yield "subject", replace(memory.erasing.subject(subject), subject="")


def answered(answer: Recollection) -> Recollection:
    """Return an answer without the question that it repeats."""
    return replace(answer, question=Question(""))


def check_reads(world: World, asker: Realm, checks: Checks) -> None:
    then, memory = world.clock.now(), world.seen_from(asker)
    with world.store.reading() as unit:
        for method, answer in asked_in_general(unit, asker, then):
            checks.nothing_foreign(asker, method, answer)
        for item in world.memories:
            for method, answer in asked_by_id(unit, asker, then, item.id).items():
                checks.nothing_foreign(asker, method, answer)
                assert bool(answer) <= may_read(asker, item.realm), (asker, method, item.id)
            around = unit.projection.around(asker, [item], 5)
            assert may_read(asker, item.realm) or not any(around.values())
            for beside in (each for nears in around.values() for each in nears):
                found = unit.projection.memory(asker, beside.id)
                assert found is not None, (asker, "projection.around", beside)
                assert found.content == beside.content
        for realm, tag in TAGS.items():
            session = unit.projection.session(asker, f"session-{tag}")
            assert (session is not None) == (realm == asker)
            checks.nothing_foreign(asker, "projection.session", session)
        expected = sum(may_read(asker, each.realm) for each in world.memories)
        assert sum(number for *_, number in unit.projection.counts(asker)) == expected
        budget = unit.projection.importance_budget(asker)
    assert memory.upkeep.status().budget == budget / 1000
    for method, answer in asked_at_the_facade(memory, then):
        checks.nothing_foreign(asker, method, answer)


def check_guessed_ids(world: World, asker: Realm, checks: Checks) -> None:
    """What is hidden can be neither read, judged, corrected nor related by guessing its id."""
    memory = world.seen_from(asker)
    own = memory.list(statuses=list(Status), limit=1)[0].id
    acts: dict[str, Callable[[str], object]] = {
        "why": memory.why,
        "confirm": memory.confirm,
        "forget": memory.forget,
        "restore": memory.restore,
        "pin": memory.pin,
        "correct": lambda item: memory.correct(item, "something else"),
        "relate to": lambda item: memory.relate(own, "uses", item),
        "relate from": lambda item: memory.relate(item, "uses", own),
        "erase": memory.erasing.memory,
        "approve": memory.reviewing.approve,
        "reject": memory.reviewing.reject,
        "edit": lambda item: memory.reviewing.edit(item, "something else"),
    }
    before = heads(world.store)
    for item in world.memories:
        if may_read(asker, item.realm):
            checks.nothing_foreign(asker, "why", memory.why(item.id))
            continue
        for method, act in acts.items():
            checks.refused_alike(asker, method, (item.id, "mem_that_never_was"), act)
    assert heads(world.store) == before


def check_guessed_positions(world: World, asker: Realm, checks: Checks) -> None:
    """What was done out of sight cannot be undone, and reads as if it were not there."""
    memory = world.seen_from(asker)
    with world.store.reading() as unit:
        records = unit.ledger.read(asker.tenant, 0, ALL)
    before = heads(world.store)
    for record in records:
        if not may_read(asker, record.realm):
            items = (record.position, 99_999)
            checks.refused_alike(asker, "rollback", items, memory.history.rollback)
    assert heads(world.store) == before


def check_returning(world: World, asker: Realm, checks: Checks) -> None:
    """Returning to the beginning changes this very realm and nothing else."""
    with world.store.snapshot() as copy:
        before = elsewhere(copy, asker)
        try:
            undone = open_memory(copy, asker, clock=world.clock).history.rollback(
                to=0, with_episodes=True
            )
        except Conflict as refused:
            checks.nothing_foreign(asker, "rollback to", [str(refused), refused.remedy])
        else:
            checks.nothing_foreign(asker, "rollback to", undone)
        assert elsewhere(copy, asker) == before


def check_erasing(world: World, asker: Realm, checks: Checks) -> None:
    """Erasing a subject takes it out here and in what is seen from here, and nowhere else."""
    with world.store.snapshot() as copy:
        memory = open_memory(copy, asker, clock=world.clock)
        hidden = _hidden_contents(copy, asker)
        receipt = memory.erasing.about("deploys")
        checks.nothing_foreign(asker, "erase subject", receipt)
        assert _hidden_contents(copy, asker) == hidden


def _hidden_contents(store: Store, asker: Realm) -> dict[str, str]:
    return {
        each.id: each.content for each in elsewhere(store, asker) if not may_read(asker, each.realm)
    }


def check_causes(world: World, asker: Realm, checks: Checks) -> None:
    """An effect here is never tied to a cause that cannot be seen from here."""
    with world.store.snapshot() as copy:
        memory = open_memory(copy, asker, clock=world.clock)
        for realm in REALMS:
            effect = memory.capture("an effect", parent_event_id=event_of(realm))
            assert isinstance(effect, Kept)
            account = memory.why(effect.memory.id)
            checks.nothing_foreign(asker, "capture", account)
            assert bool(account.edges) <= may_read(asker, realm)


def check_events(world: World, asker: Realm, checks: Checks) -> None:
    """An event id that is used out of sight is as free as one that nobody uses."""
    with world.store.snapshot() as copy:
        memory = open_memory(copy, asker, clock=world.clock)
        for realm in REALMS:
            if realm == asker:
                continue
            event_id = event_of(realm)
            found = memory.by_event(event_id)
            checks.nothing_foreign(asker, "by_event", found)
            assert bool(found) <= may_read(asker, realm)
            assert isinstance(memory.capture("an event", event_id=event_id), Kept)
            assert memory.history.log(1)[0].event_id == event_id
            with pytest.raises(Conflict) as refused:
                memory.remember("no event", event_id=event_id)
            checks.nothing_foreign(asker, "event id reused", [str(refused.value)])


def heads(store: Store) -> list[int]:
    with store.reading() as unit:
        return [unit.ledger.head(tenant).position for tenant in TENANTS]


def elsewhere(store: Store, asker: Realm) -> list[Memory]:
    with store.reading() as unit:
        return [
            each
            for tenant in TENANTS
            for each in invariants.everything(unit, tenant)
            if each.realm != asker
        ]


@pytest.mark.parametrize("backend", ["sqlite", "reference"])
def test_nothing_leaks(backend: str, record_property: Callable[[str, object], None]) -> None:
    """Over every read method, every door into the facade and every guess, nothing is leaked."""
    checks = Checks()
    worlds = max(2, settings().max_examples // 25, int(os.environ.get("HELIX_WORLDS", "0")))

    # A seed cannot be made smaller, only different: shrinking would be wasted.
    @settings(max_examples=worlds, phases=[Phase.generate])
    @given(seed=st.integers(0, 2**32))
    def in_any_world(seed: int) -> None:
        with sqlite_store() as sqlite:
            store = sqlite if backend == "sqlite" else ReferenceStore()
            world = filled(store, random.Random(seed))
            for asker in REALMS:
                check_reads(world, asker, checks)
                check_guessed_ids(world, asker, checks)
                check_guessed_positions(world, asker, checks)
                check_causes(world, asker, checks)
                check_events(world, asker, checks)
                check_returning(world, asker, checks)
                check_erasing(world, asker, checks)

    in_any_world()
    name = f"isolation, {backend}"
    record_property("gate", f"{name:<22} {checks.made.total():,} checks without a leak")
    assert checks.made.total() >= FEWEST_CHECKS, checks.made
    assert len(checks.made) >= 30
