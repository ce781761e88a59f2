"""What holds at every moment, by name. Each raises `AssertionError` where it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from helix.ledger.verifying import Sound
from helix.ledger.workflow import verify
from helix.model.memory import Memory, Status
from helix.model.moment import FIRST_MOMENT
from helix.model.question import Standpoint, View
from helix.model.record import Record
from helix.model.scope import Realm, may_read
from helix.ports.store import Store, Unit
from helix.projection.workflow import compared, first_unlike
from helix.rules.validity import answers

ALL = 1_000_000


def all_hold(store: Store) -> None:
    """Check every invariant of every tenant of a store."""
    with store.reading() as unit:
        tenants = list(unit.ledger.tenants())
    for tenant in tenants:
        chain_verifies(store, tenant)
        memories_say_what_was_recorded(store, tenant)
        moments_rise(store, tenant)
        projection_equals_rebuild(store, tenant)
        nothing_is_held_twice(store, tenant)
        beliefs_follow_each_other(store, tenant)
        every_memory_reaches_a_record(store, tenant)
        every_edge_joins_two_memories(store, tenant)


def chain_verifies(store: Store, tenant: str) -> None:
    """Every record and every conclusion matches its seal and continues the one before it."""
    with store.reading() as unit:
        found = verify(unit.ledger, tenant)
        assert unit.journal.first_broken(tenant) is None
    assert isinstance(found, Sound), found


def memories_say_what_was_recorded(store: Store, tenant: str) -> None:
    """Every memory has the words of the record or the conclusion that brought it about."""
    with store.reading() as unit:
        assert first_unlike(unit, tenant) is None


def moments_rise(store: Store, tenant: str) -> None:
    """Positions rise by one and moments rise strictly, whatever the clock did."""
    with store.reading() as unit:
        records = _records(unit, tenant)
    latest = FIRST_MOMENT
    for position, record in enumerate(records, 1):
        assert record.position == position
        assert record.recorded_at > latest
        latest = record.recorded_at


def records_follow_conclusions(store: Store, tenant: str) -> None:
    """What is said or decided after a conclusion is dated later than it."""
    with store.reading() as unit:
        records = _records(unit, tenant)
        entries = unit.journal.entries(tenant, 0, ALL)
    for entry in entries:
        assert all(entry.recorded_at < each.recorded_at for each in records[entry.after :])


def projection_equals_rebuild(store: Store, tenant: str) -> None:
    """Folding ledger and journal again gives the same projection."""
    assert tuple(compared(store, tenant)) == ()


def nothing_is_held_twice(store: Store, tenant: str) -> None:
    """Of two active memories of a realm in the same words, only one holds at present.

    One that was dated ahead may begin where another still holds; nobody said them at once.
    """
    with store.reading() as unit:
        now = unit.ledger.head(tenant).recorded_at
        held = Counter(
            (memory.realm, memory.fingerprint)
            for memory in everything(unit, tenant)
            if memory.fingerprint
            and memory.status is Status.ACTIVE
            and memory.belief.valid_from <= memory.recorded_at
            and answers(memory, Standpoint(View.CURRENT, now))
        )
    assert [each for each, count in held.items() if count > 1] == []


def beliefs_follow_each_other(store: Store, tenant: str) -> None:
    """What was believed about a memory forms one line: each belief later than the one before."""
    with store.reading() as unit:
        for memory in everything(unit, tenant):
            beliefs = unit.projection.beliefs(memory.realm, memory.id)
            assert beliefs[-1] == memory.belief
            moments = [belief.believed_from for belief in beliefs]
            assert moments == sorted(moments), memory.id


def every_memory_reaches_a_record(store: Store, tenant: str) -> None:
    """Everything believed names its witnesses, and those that stand in the ledger are there."""
    with store.reading() as unit:
        head = unit.ledger.head(tenant).position
        for memory in everything(unit, tenant):
            assert memory.belief.provenance, memory.id
            assert all(0 <= each.position <= head for each in memory.belief.provenance)


def every_edge_joins_two_memories(store: Store, tenant: str) -> None:
    """Both ends of a standing edge are there, and whoever sees the edge sees both."""
    with store.reading() as unit:
        for memory in everything(unit, tenant):
            for edge in unit.projection.neighbours(memory.realm, memory.id):
                assert memory.id in (edge.from_id, edge.to_id)
                for end in (edge.from_id, edge.to_id):
                    assert unit.projection.memory(memory.realm, end) is not None


def every_record_keeps_to_its_realm(store: Store, tenant: str) -> None:
    """A record written through the facade touches memories of its own realm only."""
    with store.reading() as unit:
        for record in _records(unit, tenant):
            for memory_id in unit.projection.touched_by(tenant, record.position).memories:
                memory = unit.projection.held(tenant, memory_id)
                assert memory is not None
                assert memory.realm == record.realm, (record.position, memory_id)


def every_answer_in_scope(asker: Realm, memories: Iterable[Memory]) -> None:
    """Whatever was returned is visible to the asker."""
    for memory in memories:
        assert may_read(asker, memory.realm), memory.id


def everything(unit: Unit, tenant: str) -> Iterator[Memory]:
    """Yield every memory that is not purged, of every realm that ever wrote."""
    whole = Standpoint(View.HISTORY, FIRST_MOMENT)
    for realm in dict.fromkeys(record.realm for record in _records(unit, tenant)):
        listed = unit.projection.listing(realm, whole, limit=ALL, statuses=list(Status))
        yield from (memory for memory in listed if memory.realm == realm)


def _records(unit: Unit, tenant: str) -> list[Record]:
    return list(unit.ledger.read(tenant, 0, ALL))
