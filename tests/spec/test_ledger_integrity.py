"""The ledger knows when it was tampered with, and names the first record that does not hold.

Tampering is done behind Helix's back, in the file itself: its guards are dropped first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import apsw
import pytest
from tests.spec.intruding import Intruder
from tests.spec.reading import head, kept, sound

from helix.adapters.sqlite.store import SqliteStore
from helix.app.doctor import examine
from helix.app.facade import Helix
from helix.ledger.verifying import Broken, Sound
from helix.ledger.workflow import erase, verify
from helix.model.errors import Conflict, NotFound
from helix.model.scope import Realm
from helix.sleep.queue import Failed
from helix.testing.builders import HERE, USER, open_memory
from helix.testing.clock import SeededChance, SettableClock

RECORDS = 6
LOSE_PAYLOAD = "UPDATE ledger SET salt = NULL, body = NULL WHERE position = {position}"


@pytest.fixture
def memory(store: SqliteStore, clock: SettableClock) -> Helix:
    memory = open_memory(store, clock=clock)
    for number in range(RECORDS):
        memory.remember(f"fact number {number}")
    return memory


@pytest.fixture
def intruder(store: SqliteStore, memory: Helix) -> Iterator[Intruder]:
    with closing(apsw.Connection(str(store.path))) as connection:
        yield Intruder(connection)


def broken(memory: Helix) -> Broken:
    found = memory.upkeep.verify()
    assert isinstance(found, Broken)
    return found


def test_an_untouched_ledger_is_sound(memory: Helix, store: SqliteStore) -> None:
    """Every seal holds, and the head is given so that it can be noted."""
    found = memory.upkeep.verify()
    with store.reading() as unit:
        assert found == Sound(RECORDS, unit.ledger.head(HERE.tenant))


def test_an_empty_ledger_is_sound(store: SqliteStore) -> None:
    """Where nothing was written, nothing is wrong."""
    assert isinstance(open_memory(store, Realm("nobody", "me", "global")).upkeep.verify(), Sound)


@pytest.mark.parametrize("position", [1, 3, RECORDS])
def test_a_changed_payload_is_named(memory: Helix, intruder: Intruder, position: int) -> None:
    """One changed letter in a text is found, at its very record."""
    intruder.rewrites(position, "fact number", "fact nUmber")
    assert broken(memory) == Broken(position, "its payload was changed after it was sealed")


def test_a_changed_salt_is_named(memory: Helix, intruder: Intruder) -> None:
    """The salt belongs to the payload."""
    intruder.does("UPDATE ledger SET salt = zeroblob(16) WHERE position = 2")
    assert broken(memory).position == 2


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'captured'",
        "kind = 'erased'",
        "kind = 'unheard_of'",
        "version = 2",
        "event_id = 'another'",
        "recorded_at = recorded_at + 1",
        "recorded_at = recorded_at - 1000000000",
        "digest = zeroblob(32)",
    ],
)
@pytest.mark.parametrize("position", [1, 3, RECORDS])
def test_a_changed_header_is_named(
    memory: Helix, intruder: Intruder, position: int, change: str
) -> None:
    """Kind, version, event id, moment and digest are under the seal."""
    intruder.does(f"UPDATE ledger SET {change} WHERE position = {position}")
    assert broken(memory) == Broken(position, "its header was changed after it was sealed")


@pytest.mark.parametrize("column", ["owner", "scope"])
def test_a_record_cannot_be_moved_to_another_realm(
    memory: Helix, intruder: Intruder, column: str
) -> None:
    """Whose a record is and where it holds is under the seal as well."""
    intruder.does(f"UPDATE places SET {column} = {column} || 'x'")
    assert broken(memory).position == 1


@pytest.mark.parametrize("position", [1, 3])
def test_a_changed_seal_is_named(memory: Helix, intruder: Intruder, position: int) -> None:
    """A seal that does not fit its record is found there."""
    intruder.does(f"UPDATE ledger SET seal = zeroblob(32) WHERE position = {position}")
    assert broken(memory).position == position


def test_a_cut_chain_is_named(memory: Helix, intruder: Intruder) -> None:
    """A record that does not continue the one before it is found there."""
    intruder.does("UPDATE ledger SET previous = zeroblob(32) WHERE position = 4")
    assert broken(memory) == Broken(4, "it does not continue the record before it")


def test_a_moved_record_leaves_a_gap(memory: Helix, intruder: Intruder) -> None:
    """A record at another position is missed at its own."""
    intruder.does("UPDATE ledger SET position = 99 WHERE position = 4")
    assert broken(memory) == Broken(4, "position 4 is missing")


@pytest.mark.parametrize("position", [1, 3])
def test_a_missing_record_is_named(memory: Helix, intruder: Intruder, position: int) -> None:
    """A deleted record is missed where it stood."""
    intruder.does(f"DELETE FROM ledger WHERE position = {position}")
    assert broken(memory) == Broken(position, f"position {position} is missing")


@pytest.mark.parametrize("left", [RECORDS - 1, RECORDS - 3, 0])
def test_a_missing_tail_is_noticed(memory: Helix, intruder: Intruder, left: int) -> None:
    """If the end was cut off, the projection still knows how far the ledger reached."""
    intruder.cuts(left)
    found = broken(memory)
    assert found.position == left + 1
    assert str(RECORDS) in found.fault


def test_a_doctor_does_not_advise_to_hide_a_missing_tail(memory: Helix, intruder: Intruder) -> None:
    """Folding again would forget how far the ledger reached; a backup has what is missing."""
    intruder.cuts(RECORDS - 2)
    findings = {each.name: each for each in examine(memory.context)}
    assert findings["projection"].state == "fault"
    assert "2 records more than the ledger holds" in findings["projection"].says
    assert findings["projection"].remedy.startswith("restore the latest backup")


@pytest.mark.parametrize("left", [RECORDS - 1, RECORDS - 3, 0])
def test_nothing_is_written_onto_a_cut_ledger(memory: Helix, intruder: Intruder, left: int) -> None:
    """Writing on would hide the loss; it is refused with a remedy, and nothing is written."""
    intruder.cuts(left)
    for act in (memory.remember, memory.capture):
        with pytest.raises(Conflict) as refused:
            act("one more")
        assert refused.value.code == "ledger_cut_short"
    assert head(memory) == left


def test_swapped_records_are_named(memory: Helix, intruder: Intruder) -> None:
    """Two records that changed places are found at the first of them."""
    intruder.swaps("ledger", "position", 3, 5)
    assert broken(memory).position == 3


def test_swapped_payloads_are_named(memory: Helix, intruder: Intruder) -> None:
    """Two payloads that changed places are found at the first of them."""
    intruder.swaps_payloads(3, 5)
    assert broken(memory) == Broken(3, "its payload was changed after it was sealed")


def test_a_missing_payload_that_was_never_erased_is_named(
    memory: Helix, intruder: Intruder
) -> None:
    """A payload may only be gone if a later record says that it was erased."""
    intruder.does(LOSE_PAYLOAD.format(position=2))
    assert broken(memory) == Broken(2, "its payload is missing but was never erased")


def test_the_first_of_several_faults_is_named(memory: Helix, intruder: Intruder) -> None:
    """Whatever else is wrong further on, the first bad record is the one to look at."""
    intruder.does(LOSE_PAYLOAD.format(position=5))
    intruder.does("UPDATE ledger SET kind = 'pinned' WHERE position = 2")
    intruder.does("DELETE FROM ledger WHERE position = 4")
    assert broken(memory).position == 2


def test_another_tenant_is_not_blamed(
    memory: Helix, store: SqliteStore, intruder: Intruder
) -> None:
    """Each tenant's chain is its own."""
    other = open_memory(store, Realm("other", "me", "global"))
    other.remember("untouched")
    intruder.does("DELETE FROM ledger WHERE tenant = 1 AND position = 3")
    assert isinstance(other.upkeep.verify(), Sound)
    assert broken(memory).position == 3


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE tenants SET name = 'x'",
        "DELETE FROM tenants",
        "UPDATE tenants SET key = 9",
        "UPDATE tenants SET name = CAST(x'FF' AS TEXT)",
        "DELETE FROM places",
        "UPDATE places SET tenant = 9",
    ],
)
def test_a_ledger_that_lost_its_tenant_is_not_an_empty_one(
    memory: Helix, store: SqliteStore, intruder: Intruder, tampering: str
) -> None:
    """Under another name, or under none, it would look as if nothing had been written."""
    intruder.does(tampering)
    with closing(SqliteStore(store.path)) as again:
        assert broken(open_memory(again)).position == 1
        with again.reading() as unit:
            assert isinstance(verify(unit.ledger, HERE.tenant), Broken)


def test_a_ledger_under_another_name_is_found_beside_a_new_one(
    memory: Helix, store: SqliteStore, intruder: Intruder
) -> None:
    """Writing on begins a ledger anew; the old one is still missed."""
    intruder.does("UPDATE tenants SET name = 'x'")
    with closing(SqliteStore(store.path)) as again:
        renewed = open_memory(again)
        renewed.remember("a new beginning")
        assert broken(renewed) == Broken(1, "a ledger of this tenant stands under another name")


# Erasing is not tampering.


def erased(memory: Helix, position: int) -> None:
    context = memory.context
    with context.store.writing() as unit:
        erase(
            unit.ledger, context.realm, position,
            source=USER, now=context.clock.now(), chance=SeededChance(),
        )  # fmt: skip


@pytest.mark.parametrize("position", [1, 4, RECORDS])
def test_erasing_keeps_the_chain(memory: Helix, position: int) -> None:
    """A payload that was erased on record leaves every seal valid."""
    erased(memory, position)
    found = memory.upkeep.verify()
    assert isinstance(found, Sound)
    assert found.records == RECORDS + 1


def test_an_erased_text_is_gone(memory: Helix, store: SqliteStore, intruder: Intruder) -> None:
    """No payload holds it any more; the log says that it was erased."""
    erased(memory, 3)
    with store.reading() as unit:
        record = unit.ledger.at(HERE.tenant, 3)
        bodies = [each.payload.body for each in unit.ledger.read(HERE.tenant) if each.payload]
    assert record is not None
    assert record.payload is None
    assert not any(b"fact number 2" in body for body in bodies)
    entry = next(each for each in memory.history.log() if each.position == 3)
    assert entry.says == "(erased)"


def test_an_erasure_excuses_only_its_own_record(memory: Helix, intruder: Intruder) -> None:
    """Another payload that is missing is still found."""
    erased(memory, 4)
    intruder.does(LOSE_PAYLOAD.format(position=2))
    assert broken(memory).position == 2


def test_an_erasure_cannot_be_forged_by_changing_another(memory: Helix, intruder: Intruder) -> None:
    """An erasure record that was changed to name another position excuses nothing."""
    erased(memory, 4)
    intruder.does(LOSE_PAYLOAD.format(position=2))
    intruder.rewrites(RECORDS + 1, '"position":4', '"position":2')
    assert broken(memory).position == 2


@pytest.mark.parametrize("body", ["x''", "'not json'", "'{}'", "'[]'"])
def test_a_garbled_erasure_is_named(memory: Helix, intruder: Intruder, body: str) -> None:
    """Verifying copes with whatever stands in the payload of an erasure."""
    erased(memory, 4)
    intruder.does(f"UPDATE ledger SET body = CAST({body} AS BLOB) WHERE position = {RECORDS + 1}")
    assert broken(memory).position in (4, RECORDS + 1)


def test_an_erasure_that_lost_its_payload_is_named(memory: Helix, intruder: Intruder) -> None:
    """An erasure is a record like any other: its own payload must be there."""
    erased(memory, RECORDS)
    intruder.does(LOSE_PAYLOAD.format(position=RECORDS + 1))
    assert isinstance(memory.upkeep.verify(), Broken)


def test_only_what_is_of_this_realm_can_be_erased(memory: Helix, store: SqliteStore) -> None:
    """A record of another project reads as if it did not exist."""
    there = open_memory(store, HERE.in_scope("project:there"), clock=SettableClock())
    for position in (1, 99):
        with pytest.raises(NotFound):
            erased(there, position)
    assert head(memory) == RECORDS


def test_erasing_an_assertion_takes_its_memory_out(memory: Helix) -> None:
    """Once folded, nothing of what only the erased record supported is left."""
    held = kept(memory.remember("the password is swordfish"))
    erased(memory, held.position)
    memory.remember("something else")  # folds what was not folded yet
    with pytest.raises(NotFound):
        memory.why(held.id)
    assert "swordfish" not in "".join(lines(memory))
    sound(memory)


def test_erasing_a_correction_reopens_what_it_closed(memory: Helix) -> None:
    """What an erased act did is undone, so that rebuilding gives the same."""
    old = kept(memory.remember("we use npm"))
    new = memory.correct(old.id, "we use pnpm")
    erased(memory, new.position)
    memory.remember("something else")
    sound(memory)


def test_erasing_an_episode_takes_it_out_of_its_session(memory: Helix) -> None:
    """Its session, its budget and the episodes around it forget it too."""
    with memory.session("s1") as session:
        for text in ("before", "the secret", "after"):
            session.capture(text)
    erased(memory, head(memory) - 2)
    memory.remember("something else")
    sound(memory)


@pytest.mark.parametrize("act", ["confirm", "pin", "forget"])
def test_erasing_a_judgement_takes_it_back(memory: Helix, act: str) -> None:
    """A judgement whose record was erased no longer counts."""
    held = kept(memory.remember("we use npm"))
    erased(memory, getattr(memory, act)(held.id).position)
    memory.remember("something else")
    sound(memory)


def lines(memory: Helix) -> list[str]:
    with memory.context.store.reading() as unit:
        return list(unit.projection.contents(HERE.tenant))


def test_verifying_reads_only_the_ledger(memory: Helix, store: SqliteStore) -> None:
    """The chain can be checked without any projection."""
    with store.writing() as unit:
        unit.projection.clear(HERE.tenant)
        assert isinstance(verify(unit.ledger, HERE.tenant), Sound)


@pytest.fixture
def concluded(memory: Helix) -> int:
    """Let sleep conclude something, twice, and return how many entries the journal has."""
    for number in (14, 15, 16):
        memory.remember(f"we use postgres {number}")
        memory.sleeping.sleep()
    found = memory.upkeep.verify()
    assert isinstance(found, Sound)
    assert found.conclusions >= 2
    return found.conclusions


@pytest.mark.parametrize(
    ("tampering", "fault"),
    [
        ("body = CAST(replace(body, 'a', 'b') AS BLOB)", "changed"),
        ("recorded_at = recorded_at + 1", "changed"),
        ("after = after + 1", "changed"),
        ("reverts = 1", "changed"),
        ("place = 99", "cannot be read"),
        ("body = 'text'", "cannot be read"),
        ("seal = zeroblob(32)", "changed"),
    ],
)
def test_a_conclusion_that_was_changed_is_named(
    memory: Helix, concluded: int, intruder: Intruder, tampering: str, fault: str
) -> None:
    """What sleep concluded is sealed like what was said."""
    intruder.does(f"UPDATE journal SET {tampering} WHERE number = 2")
    found = broken(memory)
    assert (found.position, found.conclusion) == (2, True)
    assert fault in found.fault


def test_a_conclusion_that_was_taken_out_is_missed(
    memory: Helix, concluded: int, intruder: Intruder
) -> None:
    """The first that is missing is named, and the rest does not close up."""
    intruder.does("DELETE FROM journal WHERE number = 1")
    assert broken(memory) == Broken(1, "it is missing", conclusion=True)


@pytest.mark.parametrize("left", [0, 1, -1])
def test_a_missing_tail_of_the_journal_is_noticed(
    memory: Helix, concluded: int, intruder: Intruder, left: int
) -> None:
    """Whether all conclusions are gone or only the last: it was noted how many there are."""
    left %= concluded
    intruder.does("DELETE FROM journal WHERE number > ?", left)
    found = broken(memory)
    assert (found.position, found.conclusion) == (left + 1, True)
    assert str(concluded) in found.fault


def test_nothing_is_concluded_onto_a_cut_journal(
    memory: Helix, concluded: int, intruder: Intruder
) -> None:
    """The next conclusion would take the place of the one that is missing, and hide it."""
    intruder.does("DELETE FROM journal WHERE number = ?", concluded)
    memory.remember("we use postgres 17")
    slept = memory.sleeping.sleep()
    assert isinstance(slept, Failed)
    assert "the journal was cut short" in slept.error
    assert broken(memory).position == concluded


def test_concluding_anew_is_a_way_out(memory: Helix, concluded: int, intruder: Intruder) -> None:
    """What is left is dropped and drawn again from the ledger, and noted as it is then."""
    intruder.does("DELETE FROM journal WHERE number = ?", concluded)
    memory.sleeping.rederive()
    assert isinstance(memory.upkeep.verify(), Sound)
    sound(memory)


def test_a_journal_from_before_is_noted_when_it_goes_on(
    memory: Helix, concluded: int, intruder: Intruder
) -> None:
    """Stores of an earlier version noted nothing; that is no damage."""
    intruder.does("DELETE FROM counters WHERE name = 'journal'")
    assert isinstance(memory.upkeep.verify(), Sound)
    memory.remember("we use postgres 17")
    memory.sleeping.sleep()
    with memory.context.store.reading() as unit:
        last = unit.journal.last(HERE.tenant)
    intruder.does("DELETE FROM journal WHERE number = ?", last)
    assert broken(memory).position == last


@pytest.mark.parametrize("value", ["'many'", "x'00'", "1.5"])
def test_a_note_that_cannot_be_read_is_named(
    memory: Helix, concluded: int, intruder: Intruder, value: str
) -> None:
    """How many conclusions there are is only ever a number."""
    intruder.does(f"UPDATE counters SET value = {value} WHERE name = 'journal'")
    assert broken(memory).conclusion


def test_erasing_leaves_the_conclusions_sealed(memory: Helix, concluded: int) -> None:
    """Their words go, they are sealed again, and nothing looks like damage."""
    held = kept(memory.remember("we use postgres 17"))
    memory.sleeping.sleep()
    memory.erasing.memory(held.id)
    assert isinstance(memory.upkeep.verify(), Sound)
    sound(memory)
