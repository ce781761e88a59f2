"""Erased means gone: from answers, tables, indexes, logs and raw bytes; and it stays gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import current, head, kept, said, sound, status_of

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.ledger.verifying import Sound
from helix.model.changes import ChangeSet, PutEdge, PutMemory
from helix.model.edge import Edge
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Status
from helix.model.outcome import Skipped
from helix.model.provenance import Origin, Provenance, Source
from helix.ports.projection import Stamp
from helix.rules.similarity import packed
from helix.testing.builders import HERE
from helix.testing.embedders import TellingWordBags

AGENT = Source("claude", Origin.AGENT_INGESTED)
SECRET = "the swordfish protocol opens the northern vault"


def bytes_of(folder: Path) -> bytes:
    return b"\n".join(each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file())


def test_an_erased_memory_is_in_no_file(memory: Helix, tmp_path: Path) -> None:
    """Neither its text nor its id, which is made of its words, is left in any byte."""
    with memory.session("s1") as session:
        for number in range(40):
            session.capture(f"note {number} about harmless things")
        held = session.capture(SECRET).memory
        session.capture("and one after it")
    memory.confirm(held.id)
    memory.relate(held.id, "depends_on", kept(memory.remember("something else entirely")).id)
    receipt = memory.erasing.memory(held.id)
    assert receipt.residue == ()
    raw = bytes_of(tmp_path)
    assert b"swordfish" not in raw
    assert b"harmless things" in raw
    with pytest.raises(NotFound):
        memory.why(held.id)
    sound(memory)


def test_the_vectors_of_an_erased_memory_are_in_no_file(memory: Helix, tmp_path: Path) -> None:
    """Words can be guessed from them; those of its neighbours stay."""
    embedder = TellingWordBags()
    memory = Helix(replace(memory.context, embedder=lambda: embedder))
    held, other = kept(memory.remember(SECRET)), kept(memory.remember("a lantern in the harbour"))
    memory.upkeep.enrich()
    with memory.context.store.reading() as unit:
        found = unit.enrichment.words_of(HERE, embedder.name, [held.id, other.id])
        vector = packed(unit.enrichment.vectors_of(HERE, embedder.name, [held.id])[held.id])
    words, left = found[held.id], found[other.id]
    assert memory.erasing.memory(held.id).residue == ()
    raw = bytes_of(tmp_path)
    assert vector not in raw
    width = embedder.dimension // 8
    pieces = {words[at : at + width] for at in range(0, len(words), width)}
    assert not [piece for piece in pieces if piece in raw]
    assert left in raw
    sound(memory)


def test_having_been_shown_and_used_leaves_no_trace(memory: Helix, tmp_path: Path) -> None:
    """Statistics are kept by id, and an id is made of words."""
    held = kept(memory.capture(SECRET))
    memory.recall("which protocol opens the northern vault?")
    with memory.context.store.writing() as unit:
        unit.lives.note_surfaced(HERE, [held.id], memory.context.clock.now())
    memory.life.used(held.id)
    assert memory.erasing.memory(held.id).residue == ()
    assert b"swordfish" not in bytes_of(tmp_path)
    sound(memory)


def test_the_chain_still_verifies(memory: Helix) -> None:
    """Every seal holds, and the log says that something was erased."""
    held = kept(memory.remember(SECRET))
    memory.remember("another thing")
    receipt = memory.erasing.memory(held.id)
    assert isinstance(memory.upkeep.verify(), Sound)
    assert [each.position for each in receipt.records] == [1]
    assert receipt.head.position == head(memory)


def test_what_replaced_an_erased_memory_survives_without_its_name(
    memory: Helix, tmp_path: Path
) -> None:
    """The correction is said anew; the id of what it corrected is gone with it."""
    old = kept(memory.remember(SECRET, attributes={"code": "swordfish"}))
    new = memory.correct(old.id, "the vault was closed").memory
    memory.pin(new.id)
    receipt = memory.erasing.memory(old.id)
    assert receipt.carried_over == 1
    assert current(memory) == {"the vault was closed"}
    assert memory.why(new.id).memory.belief.pinned
    assert b"swordfish" not in bytes_of(tmp_path)
    sound(memory)


def test_erasing_the_correction_reopens_what_it_closed(memory: Helix) -> None:
    """What an erased act did is undone."""
    old = kept(memory.remember("we use npm"))
    new = memory.correct(old.id, SECRET).memory
    memory.erasing.memory(new.id)
    assert status_of(memory, old.id) is Status.ACTIVE
    sound(memory)


def test_what_helix_concluded_from_it_goes_with_it(
    memory: Helix, store: SqliteStore, tmp_path: Path
) -> None:
    """A summary may hold the words of what it summarises, in the journal too."""
    episode = kept(memory.capture(SECRET))
    other = kept(memory.remember("an unrelated fact that stays"))
    source = Source("helix", Origin.AGENT_INGESTED, extractor="sleep")
    with store.writing() as unit:
        belief = replace(other.belief, provenance=(Provenance(source, episode.position),))
        summary = replace(
            other, id="mem_summary_swordfish", content=f"Summary: {SECRET}", belief=belief,
            fingerprint="f" * 32,
        )  # fmt: skip
        edge = Edge(
            "e_derived", summary.id, episode.id, "derived_from", HERE,
            Provenance(source, episode.position), other.recorded_at,
        )  # fmt: skip
        changes = (PutMemory(summary), PutEdge(edge))
        unit.journal.record(
            HERE.tenant, ChangeSet(HERE, f"about {SECRET}", "sleep", 2, changes),
            other.recorded_at, after=2,
        )  # fmt: skip
        unit.projection.apply(HERE.tenant, changes, Stamp(other.recorded_at, None))
    assert any("Summary" in each for each in current(memory))
    receipt = memory.erasing.memory(episode.id)
    assert receipt.journal_entries == 1
    assert current(memory) == {"an unrelated fact that stays"}
    assert b"swordfish" not in bytes_of(tmp_path)
    sound(memory)


def test_erased_words_do_not_come_back_through_an_agent(memory: Helix, seen_from: Opener) -> None:
    """Neither as the same event nor as a new one."""
    agent = seen_from(HERE, AGENT)
    held = kept(agent.capture(SECRET, event_id="e1"))
    memory.erasing.memory(held.id)
    assert isinstance(agent.capture(SECRET, event_id="e1"), Skipped)
    assert isinstance(agent.capture(SECRET, event_id="e2"), Skipped)
    assert isinstance(agent.remember(SECRET.upper()), Skipped)
    memory.upkeep.rebuild()
    assert isinstance(agent.capture(SECRET), Skipped)
    assert said(memory.recall("swordfish protocol")) == set()


def test_a_subject_is_listed_and_erased_whole(memory: Helix, tmp_path: Path) -> None:
    """Everything that names it goes; what only sounds like it stays."""
    memory.capture("Alice Example asked for the export")
    memory.remember("Deploys are approved by alice example")
    memory.remember("Malice Examples are in the docs")
    about = memory.erasing.subject("Alice Example")
    assert len(about.records) == 2
    assert {each.content for each in about.memories} == {
        "Alice Example asked for the export",
        "Deploys are approved by alice example",
    }
    receipt = memory.erasing.about("Alice Example")
    assert len(receipt.records) == 2
    assert receipt.residue == ()
    assert memory.erasing.subject("Alice Example").records == ()
    assert current(memory) == {"Malice Examples are in the docs"}
    assert b"lice example asked" not in bytes_of(tmp_path).lower()
    sound(memory)


def test_a_subject_in_another_project_is_left_alone_unless_asked(
    memory: Helix, seen_from: Opener
) -> None:
    """Scopes hold for erasing too; --all-scopes is the owner's right."""
    there = seen_from(HERE.in_scope("project:there"))
    there.remember("Alice Example owns the other project")
    memory.remember("Alice Example owns this project")
    memory.erasing.about("Alice Example")
    assert current(there) == {"Alice Example owns the other project"}
    memory.erasing.about("Alice Example", all_scopes=True)
    assert current(there) == set()


def test_nothing_is_erased_where_nothing_is_named(memory: Helix) -> None:
    """A subject nobody named is an honest no."""
    memory.remember("something")
    with pytest.raises(Conflict) as refused:
        memory.erasing.about("Nobody Here")
    assert refused.value.code == "nothing_to_erase"


def test_an_agent_cannot_erase(seen_from: Opener) -> None:
    """Hard deletion is the user's word alone."""
    agent = seen_from(HERE, AGENT)
    held = kept(agent.remember("mine"))
    with pytest.raises(Conflict) as refused:
        agent.erasing.memory(held.id)
    assert refused.value.code == "needs_the_user"


def test_another_projects_memory_cannot_be_erased_by_its_id(
    memory: Helix, seen_from: Opener
) -> None:
    """It reads as if it did not exist."""
    there = seen_from(HERE.in_scope("project:there"))
    held = kept(there.remember(SECRET))
    with pytest.raises(NotFound):
        memory.erasing.memory(held.id)
    assert current(there) == {SECRET}


def test_copies_made_by_helix_go_too(memory: Helix, tmp_path: Path) -> None:
    """A copy from before a migration holds what the store held then."""
    held = kept(memory.remember(SECRET))
    copy = tmp_path / "memory.db.v1-20260101T000000-abcd.backup"
    memory.context.store.copy_to(copy)
    receipt = memory.erasing.memory(held.id)
    assert receipt.copies_removed == (copy.name,)
    assert not copy.exists()
    assert b"swordfish" not in bytes_of(tmp_path)
