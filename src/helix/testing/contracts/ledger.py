"""What every `Ledger` promises."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from dataclasses import replace

import pytest

from helix.ledger.chaining import sealed
from helix.model.errors import Conflict
from helix.model.record import EMPTY_HEAD, Head, Payload, Record
from helix.model.scope import Realm
from helix.ports.ledger import Ledger
from helix.ports.store import Store
from helix.testing.clock import SOME_MOMENT

HERE = Realm("acme", "ann", "project:here")
THERE = Realm("acme", "ann", "project:there")
ELSEWHERE = Realm("other", "ann", "project:here")


def record_after(head: Head, event_id: str, realm: Realm = HERE, body: bytes = b"{}") -> Record:
    """Return a sealed record that continues a head."""
    return sealed(
        head,
        Record(
            realm=realm,
            kind="pinned",
            version=1,
            event_id=event_id,
            recorded_at=SOME_MOMENT,
            payload=Payload(b"0123456789abcdef", body),
        ),
    )


def written(ledger: Ledger, event_id: str, realm: Realm = HERE) -> Record:
    """Append a record with this event id and return it."""
    record = record_after(ledger.head(realm.tenant), event_id, realm)
    ledger.append(record)
    return record


class LedgerContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_an_unknown_tenant_has_an_empty_head(self, store: Store) -> None:
        """Where nothing was written, the head is the empty one."""
        with store.reading() as unit:
            assert unit.ledger.head("acme") == EMPTY_HEAD

    def test_every_ledger_shows_its_first_record(self, store: Store) -> None:
        """One record each, in whatever realm it stands."""
        with store.writing() as unit:
            assert list(unit.ledger.firsts()) == []
            first = written(unit.ledger, "one", THERE)
            written(unit.ledger, "two")
            other = written(unit.ledger, "one", ELSEWHERE)
            assert list(unit.ledger.firsts()) == [first, other]

    def test_positions_start_at_one_and_rise_by_one(self, store: Store) -> None:
        """Positions start at 1 and rise by one, and the head is the last record."""
        with store.writing() as unit:
            records = [written(unit.ledger, f"ev{n}") for n in range(3)]
            assert [record.position for record in records] == [1, 2, 3]
            last = records[-1]
            assert unit.ledger.head("acme") == Head(3, last.recorded_at, last.seal)

    def test_tenants_are_counted_apart(self, store: Store) -> None:
        """Every tenant has positions of its own."""
        with store.writing() as unit:
            written(unit.ledger, "ev1")
            written(unit.ledger, "ev2")
            assert written(unit.ledger, "ev1", ELSEWHERE).position == 1
            assert unit.ledger.head("acme").position == 2

    @pytest.mark.parametrize("position", [0, 1, 2, 4, 9])
    def test_a_record_must_continue_the_head(self, store: Store, position: int) -> None:
        """A record at any but the next position is refused, and nothing is written."""
        with store.writing() as unit:
            written(unit.ledger, "ev1")
            written(unit.ledger, "ev2")
        misplaced = replace(record_after(EMPTY_HEAD, "ev3"), position=position)
        with store.writing() as unit:
            head = unit.ledger.head("acme")
            with pytest.raises(Conflict):
                unit.ledger.append(misplaced)
            assert unit.ledger.head("acme") == head
            assert unit.ledger.find("acme", "ev3") is None

    def test_a_first_record_must_be_the_first(self, store: Store) -> None:
        """A tenant's first record cannot stand at position 2."""
        with store.writing() as unit, pytest.raises(Conflict):
            unit.ledger.append(replace(record_after(EMPTY_HEAD, "ev1"), position=2))

    def test_an_event_id_is_used_once(self, store: Store) -> None:
        """A second record with the same event id is refused, and nothing is written."""
        with store.writing() as unit:
            first = written(unit.ledger, "ev1")
            with pytest.raises(Conflict):
                written(unit.ledger, "ev1", THERE)
            assert unit.ledger.head("acme").position == 1
            assert unit.ledger.find("acme", "ev1") == first
            assert written(unit.ledger, "ev2").position == 2

    def test_a_record_is_given_back_as_written(self, store: Store) -> None:
        """By position, by event id and in a row, a record is equal to what was appended."""
        with store.writing() as unit:
            record = record_after(unit.ledger.head("acme"), "ev·é🦉", body=bytes(range(256)))
            unit.ledger.append(record)
        with store.reading() as unit:
            assert unit.ledger.at("acme", 1) == record
            assert unit.ledger.find("acme", "ev·é🦉") == record
            assert list(unit.ledger.read("acme")) == [record]

    def test_what_is_not_there_is_not_found(self, store: Store) -> None:
        """Another position, another event id and another tenant find nothing."""
        with store.writing() as unit:
            written(unit.ledger, "ev1")
            assert unit.ledger.at("acme", 0) is None
            assert unit.ledger.at("acme", 2) is None
            assert unit.ledger.at("other", 1) is None
            assert unit.ledger.find("acme", "ev") is None
            assert unit.ledger.find("other", "ev1") is None
            assert list(unit.ledger.read("other")) == []

    def test_reading_goes_on_after_a_position(self, store: Store) -> None:
        """Records are read in order, after a position, up to a limit."""
        with store.writing() as unit:
            for n in range(1, 8):
                written(unit.ledger, f"ev{n}", HERE if n % 2 else THERE)
            read = unit.ledger.read
            assert [each.position for each in read("acme")] == [1, 2, 3, 4, 5, 6, 7]
            assert [each.position for each in read("acme", 2, 3)] == [3, 4, 5]
            assert [each.position for each in read("acme", 6)] == [7]
            assert list(read("acme", 7)) == []

    def test_recent_takes_exactly_the_given_realms(self, store: Store) -> None:
        """Other scopes, owners and tenants are neither returned nor counted in the limit."""
        bob = Realm("acme", "bob", "project:here")
        with store.writing() as unit:
            for n in range(1, 4):
                for realm in (HERE, THERE, bob, ELSEWHERE):
                    written(unit.ledger, f"ev{n}-{realm.owner}-{realm.scope}", realm)
            found = unit.ledger.recent([HERE, bob], limit=5)
            assert [each.position for each in found] == [9, 7, 6, 4, 3]
            assert {each.realm for each in found} == {HERE, bob}
            assert list(unit.ledger.recent([])) == []
            assert list(unit.ledger.recent([Realm("nobody", "ann", "global")])) == []

    def test_recent_is_newest_first_between_two_positions(self, store: Store) -> None:
        """Only positions above `after` and below `before` count, newest first."""
        with store.writing() as unit:
            for n in range(1, 10):
                written(unit.ledger, f"ev{n}", HERE if n % 2 else THERE)
            found = unit.ledger.recent([HERE, THERE], before=8, after=2, limit=4)
            assert [each.position for each in found] == [7, 6, 5, 4]
            found = unit.ledger.recent([HERE], before=8, after=2)
            assert [each.position for each in found] == [7, 5, 3]

    def test_purges_are_found_among_everything_else(self, store: Store) -> None:
        """Those of one tenant, of whatever realm, in order, and nothing else."""
        with store.writing() as unit:
            for number, (kind, realm) in enumerate(
                [("pinned", HERE), ("purged", THERE), ("purged", ELSEWHERE), ("purged", HERE)]
            ):
                unsealed = record_after(unit.ledger.head(realm.tenant), f"e{number}", realm)
                unit.ledger.append(
                    sealed(unit.ledger.head(realm.tenant), replace(unsealed, kind=kind))
                )
            found = unit.ledger.purges(HERE.tenant)
            assert [(each.position, each.realm) for each in found] == [(2, THERE), (3, HERE)]
            assert unit.ledger.purges("nobody") == []

    def test_what_was_destroyed_since_a_position_is_noticed(self, store: Store) -> None:
        """By either kind of act, of whatever realm of one tenant, and only after the position."""
        with store.writing() as unit:
            since = unit.ledger.destroyed_since
            kinds = [("pinned", HERE), ("erased", THERE), ("pinned", HERE), ("purged", HERE)]
            for number, (kind, realm) in enumerate([*kinds, ("erased", ELSEWHERE)]):
                unsealed = record_after(unit.ledger.head(realm.tenant), f"e{number}", realm)
                unit.ledger.append(
                    sealed(unit.ledger.head(realm.tenant), replace(unsealed, kind=kind))
                )
            found = [since(HERE.tenant, position) for position in range(5)]
            assert found == [True, True, True, True, False]
            assert (since(ELSEWHERE.tenant, 0), since(ELSEWHERE.tenant, 1)) == (True, False)
            assert not since("nobody", 0)

    def test_the_oldest_of_a_realm_after_a_position(self, store: Store) -> None:
        """Exactly that realm counts; after its last record there is none."""
        with store.writing() as unit:
            for n in range(1, 7):
                written(unit.ledger, f"ev{n}", HERE if n % 3 == 0 else THERE)
            written(unit.ledger, "foreign", ELSEWHERE)
            oldest = unit.ledger.oldest
            found = [oldest(HERE), oldest(HERE, 3), oldest(THERE, 3)]
            assert [each and each.position for each in found] == [3, 6, 4]
            assert oldest(HERE, 6) is None
            assert oldest(Realm("nobody", "ann", "global")) is None

    def test_realms_are_those_with_records(self, store: Store) -> None:
        """Each once, sorted; other tenants' are their own."""
        bob = Realm("acme", "bob", "project:here")
        with store.writing() as unit:
            for n, realm in enumerate((THERE, bob, HERE, THERE, ELSEWHERE)):
                written(unit.ledger, f"ev{n}", realm)
            assert list(unit.ledger.realms("acme")) == [HERE, THERE, bob]
            assert list(unit.ledger.realms(ELSEWHERE.tenant)) == [ELSEWHERE]
            assert list(unit.ledger.realms("nobody")) == []

    def test_erasing_destroys_only_one_payload(self, store: Store) -> None:
        """The record and its seal stay; its payload and salt, and nothing else, are gone."""
        with store.writing() as unit:
            first, second = written(unit.ledger, "ev1"), written(unit.ledger, "ev2")
            foreign = written(unit.ledger, "ev1", ELSEWHERE)
            assert unit.ledger.erase("acme", 1)
        with store.reading() as unit:
            bare = replace(first, payload=None)
            assert unit.ledger.at("acme", 1) == bare
            assert unit.ledger.find("acme", "ev1") == bare
            assert list(unit.ledger.read("acme")) == [bare, second]
            assert unit.ledger.at("other", 1) == foreign

    def test_erasing_nothing_says_so(self, store: Store) -> None:
        """Erasing twice, beyond the end or for an unknown tenant returns False."""
        with store.writing() as unit:
            written(unit.ledger, "ev1")
            assert unit.ledger.erase("acme", 1)
            assert not unit.ledger.erase("acme", 1)
            assert not unit.ledger.erase("acme", 2)
            assert not unit.ledger.erase("other", 1)

    def test_an_erased_event_id_stays_used(self, store: Store) -> None:
        """What was erased cannot come in again under its event id."""
        with store.writing() as unit:
            written(unit.ledger, "ev1")
            unit.ledger.erase("acme", 1)
            with pytest.raises(Conflict):
                written(unit.ledger, "ev1")

    def test_tenants_are_those_with_records(self, store: Store) -> None:
        """Every tenant with a record is named, sorted; one that was only asked for is not."""
        with store.writing() as unit:
            assert list(unit.ledger.tenants()) == []
            written(unit.ledger, "ev1", Realm("zeta", "ann", "global"))
            written(unit.ledger, "ev1")
            unit.jobs.enqueue(Realm("only-jobs", "ann", "global"), "sleep", "", SOME_MOMENT)
            assert list(unit.ledger.tenants()) == ["acme", "zeta"]
