"""What every `Scratchpad` promises."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from helix.model.note import Note
from helix.model.provenance import Origin, Source
from helix.model.scope import GLOBAL, Realm
from helix.ports.store import Store
from helix.testing.builders import AGENT, HERE
from helix.testing.clock import SOME_MOMENT

LATER = SOME_MOMENT + timedelta(minutes=10)
ELSEWHERE = Realm("other-tenant", HERE.owner, HERE.scope)


def a_note(
    note_id: str = "note_some",
    *,
    realm: Realm = HERE,
    at: datetime = SOME_MOMENT,
    content: str = "the port is 5433 today",
    source: Source = AGENT,
) -> Note:
    """Return a note with everything unimportant filled in."""
    return Note(realm, note_id, f"event of {note_id}", content, source, at)


class ScratchpadContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_a_note_comes_back_as_it_was_put(self, store: Store) -> None:
        """Every field of it, in a later transaction."""
        source = Source("agent \N{SNOWMAN}", Origin.AGENT_INGESTED, "a ref", "an extractor")
        whole = replace(
            a_note(content="two\nlines", source=source),
            session="s1", importance_hint=0.25, reads=1, dropped_at=LATER,
        )  # fmt: skip
        with store.writing() as unit:
            unit.scratchpad.put(whole)
            unit.scratchpad.put(a_note("note_plain"))
        with store.reading() as unit:
            assert unit.scratchpad.note(HERE, whole.id) == whole
            assert unit.scratchpad.note(HERE, "note_plain") == a_note("note_plain")
            assert unit.scratchpad.note(HERE, "note_unknown") is None

    def test_putting_again_replaces(self, store: Store) -> None:
        """There is one note of an id."""
        with store.writing() as unit:
            unit.scratchpad.put(a_note())
            unit.scratchpad.put(replace(a_note(), reads=1))
            assert [each.reads for each in unit.scratchpad.notes(HERE)] == [1]

    def test_notes_belong_to_exactly_one_realm(self, store: Store) -> None:
        """Not to another scope, not to `global`, not to another owner, not to another tenant."""
        others = [
            HERE.in_scope("project:there"),
            HERE.in_scope(GLOBAL),
            Realm(HERE.tenant, "somebody", HERE.scope),
            ELSEWHERE,
        ]
        with store.writing() as unit:
            unit.scratchpad.put(a_note())
            for realm in others:
                assert unit.scratchpad.note(realm, "note_some") is None
                assert unit.scratchpad.notes(realm) == []
                assert not unit.scratchpad.remove(a_note(realm=realm))
            assert unit.scratchpad.settling(ELSEWHERE.tenant, LATER) == []
            assert unit.scratchpad.every(ELSEWHERE.tenant) == []
            unit.scratchpad.put(a_note(realm=ELSEWHERE, content="theirs"))
            assert [each.content for each in unit.scratchpad.notes(HERE)] == [a_note().content]

    def test_notes_are_listed_oldest_first(self, store: Store) -> None:
        """In whatever order they were put, up to a limit."""
        with store.writing() as unit:
            unit.scratchpad.put(a_note("note_b", at=LATER))
            unit.scratchpad.put(a_note("note_a"))
            assert [each.id for each in unit.scratchpad.notes(HERE)] == ["note_a", "note_b"]
            assert [each.id for each in unit.scratchpad.notes(HERE, 1)] == ["note_a"]

    def test_settling_goes_by_when_a_note_was_written_or_dropped(self, store: Store) -> None:
        """A moment itself counts; every realm of the tenant does."""
        dropped = replace(a_note("note_dropped"), dropped_at=LATER)
        there = a_note("note_there", realm=HERE.in_scope("project:there"))
        with store.writing() as unit:
            for each in (dropped, there, a_note("note_later", at=LATER), a_note("note_now")):
                unit.scratchpad.put(each)
            just = SOME_MOMENT - timedelta(microseconds=1)
            assert unit.scratchpad.settling(HERE.tenant, just) == []
            by_now = unit.scratchpad.settling(HERE.tenant, SOME_MOMENT)
            assert [each.id for each in by_now] == ["note_now", "note_there"]
            by_then = [each.id for each in unit.scratchpad.settling(HERE.tenant, LATER)]
            assert by_then == ["note_now", "note_there", "note_dropped", "note_later"]
            first = unit.scratchpad.settling(HERE.tenant, LATER, 1)
            assert [each.id for each in first] == ["note_now"]

    def test_every_note_of_a_tenant_can_be_looked_through(self, store: Store) -> None:
        """Erasing must not miss one because it lies in another project."""
        with store.writing() as unit:
            unit.scratchpad.put(a_note("note_a"))
            unit.scratchpad.put(a_note("note_b", realm=HERE.in_scope("project:there")))
            unit.scratchpad.put(a_note("note_c", realm=ELSEWHERE))
            assert [each.id for each in unit.scratchpad.every(HERE.tenant)] == ["note_a", "note_b"]

    def test_a_removed_note_is_gone(self, store: Store) -> None:
        """Removing it twice is harmless, and says so."""
        with store.writing() as unit:
            unit.scratchpad.put(a_note())
            assert unit.scratchpad.remove(a_note())
            assert not unit.scratchpad.remove(a_note())
            assert unit.scratchpad.notes(HERE) == []

    def test_a_transaction_that_fails_leaves_the_scratchpad_alone(self, store: Store) -> None:
        """What was taken off comes back, what was put is gone."""
        with store.writing() as unit:
            unit.scratchpad.put(a_note())
        with pytest.raises(RuntimeError), store.writing() as unit:  # noqa: PT012 - all of it
            unit.scratchpad.remove(a_note())
            unit.scratchpad.put(a_note("note_other"))
            raise RuntimeError
        with store.reading() as unit:
            assert [each.id for each in unit.scratchpad.notes(HERE)] == ["note_some"]
