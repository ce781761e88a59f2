"""The ledger forgets by age only if told to, only what has stepped back, and never unexported."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.concluding import concluded
from tests.spec.conftest import Opener
from tests.spec.reading import DAY, current, head, kept, said, sound, status_of

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.app import retaining
from helix.app.doctor import examine
from helix.ledger.verifying import Sound
from helix.model.changes import ChangeSet, PutEdge, PutMemory
from helix.model.edge import Edge
from helix.model.errors import BadInput, Conflict
from helix.model.memory import Memory, Status
from helix.model.outcome import Skipped
from helix.model.provenance import Origin, Provenance, Source
from helix.model.question import View
from helix.ports.projection import Stamp
from helix.rules.concluded import EXTRACTOR
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock

AGENT = Source("claude", Origin.AGENT_INGESTED)
SLEEPER = Source("helix", Origin.AGENT_INGESTED, extractor=f"{EXTRACTOR}:summaries")
YEAR = 365 * DAY


def old_and_archived(memory: Helix, *words: str) -> list[Memory]:
    """Capture some episodes and send them to the archive."""
    held = [kept(memory.capture(each)) for each in words]
    for each in held:
        memory.life.demote(each.id)
    return held


def bytes_of(folder: Path) -> bytes:
    files = (each for each in sorted(folder.rglob("*")) if each.is_file())
    return b"\n".join(each.read_bytes() for each in files if each.suffix != ".jsonl")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "old.jsonl"


def test_it_is_off_unless_somebody_says_how_long(memory: Helix, file: Path) -> None:
    """Without a number nothing is looked for, written or purged, and `doctor` says so."""
    with pytest.raises(BadInput) as refused:
        memory.retaining.purge(file)
    assert refused.value.code == "retention_off"
    assert not file.exists()
    assert any("keeps everything" in each.says for each in examine(memory.context))


def test_only_what_is_old_and_has_stepped_back_goes(
    memory: Helix, clock: SettableClock, file: Path
) -> None:
    """What answers, is pinned or was said to be so stays, however old; so does what is young."""
    gone = old_and_archived(memory, "the cache was cleared on Monday", "the runner was slow")
    active = kept(memory.capture("an episode that still answers"))
    pinned = old_and_archived(memory, "an archived episode that is pinned")[0]
    memory.pin(pinned.id)
    belief = kept(memory.remember("we deploy to Hetzner"))
    memory.forget(belief.id)
    clock.move(YEAR)
    young = old_and_archived(memory, "archived, and young")[0]
    due = memory.retaining.look(300)
    assert due.memory_ids == {each.id for each in gone}
    assert {why.name: many for why, many in due.stays.items()} == {"HELD": 1, "PINNED": 1}
    done = memory.retaining.purge(file, 300)
    assert done is not None
    assert (done.memories, done.records) == (2, 4)  # each with the act that archived it
    for each in (active, pinned, belief, young):
        assert memory.why(each.id).memory.id == each.id
    assert "the runner was slow" not in said(memory.recall("slow runner", view=View.DEEP))
    sound(memory)


def test_a_record_of_exactly_that_age_stays(
    memory: Helix, clock: SettableClock, file: Path
) -> None:
    """Older is older: one microsecond decides."""
    episode = old_and_archived(memory, "the cache was cleared")[0]
    clock.moment = episode.recorded_at + 30 * DAY
    assert memory.retaining.look(30).positions == ()
    clock.move(timedelta(microseconds=1))
    assert memory.retaining.look(30).positions == (1,)
    clock.move(timedelta(microseconds=1))
    assert memory.retaining.look(30).positions == (1, 2)
    assert memory.retaining.purge(file, 30) is not None


def test_the_chain_verifies_and_tells_of_it(
    memory: Helix, clock: SettableClock, file: Path
) -> None:
    """Every seal holds; `verify`, `doctor` and the log say how many are gone, and where to."""
    old_and_archived(memory, "the cache was cleared", "the runner was slow")
    memory.remember("we deploy to Hetzner")
    clock.move(YEAR)
    signed = memory.attesting.head() if memory.context.home.exists() else None
    done = memory.retaining.purge(file, 30)
    assert done is not None
    found = memory.upkeep.verify()
    assert isinstance(found, Sound)
    assert found.purged == 4
    assert memory.upkeep.rebuild(check_only=True).differences == ()
    newest = memory.history.log(limit=1)[0]
    assert newest.kind == "purged"
    assert newest.says == f"4 old records were purged; export {done.sha256[:12]} holds them"
    ledger = next(each for each in examine(memory.context) if each.name == "ledger")
    assert "4 were purged by age" in ledger.says
    assert signed is None
    sound(memory)


def test_no_byte_of_it_stays_in_the_store(
    memory: Helix, clock: SettableClock, file: Path, tmp_path: Path
) -> None:
    """The file shrinks, and what was purged is in the export alone."""
    old_and_archived(memory, *(f"the zebra crossing number {n} was painted" for n in range(50)))
    clock.move(YEAR)
    done = memory.retaining.purge(file, 30)
    assert done is not None
    assert b"zebra" not in bytes_of(tmp_path)
    assert file.read_bytes().count(b"zebra crossing") == 50
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_a_held_belief_rests_on_stays(memory: Helix, clock: SettableClock, file: Path) -> None:
    """Whoever asks why it is held is shown the episode, however old; once it is gone, it may go."""
    episode = kept(memory.capture("the deploy to Hetzner took five minutes"))
    fact = memory.life.promote(episode.id, "deploys to Hetzner take five minutes").memory
    memory.life.demote(episode.id)
    clock.move(YEAR)
    due = memory.retaining.look(30)
    assert due.positions == ()
    assert {why.name for why in due.stays} == {"A_GROUND"}
    assert memory.retaining.purge(file, 30) is None
    assert not file.exists()
    memory.forget(fact.id)
    assert episode.id in memory.retaining.look(30).memory_ids


def test_the_grounds_of_all_that_is_held_stay_however_much_it_is(
    memory: Helix, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Conclusions all stand at position 0: going through them by position ends after a page."""
    monkeypatch.setattr("helix.app.going_through.PAGE", 2)
    for number in range(5):
        episode = kept(memory.capture(f"the deploy to region {number} took five minutes"))
        fact = f"deploys to region {number} take five minutes"
        concluded(memory, fact, ground=episode.position)
        memory.life.demote(episode.id)
    clock.move(YEAR)
    due = memory.retaining.look(30)
    assert due.positions == ()
    assert {why.name: number for why, number in due.stays.items()} == {"A_GROUND": 5}


def test_a_summary_stands_for_what_goes(
    memory: Helix, store: SqliteStore, clock: SettableClock, file: Path
) -> None:
    """It is made before its members leave, and is the last to tell of them."""
    episodes = old_and_archived(memory, "the cache was cleared", "the cache was cleared again")
    like = kept(memory.remember("something to copy the form of"))
    witnesses = tuple(Provenance(SLEEPER, each.position) for each in episodes)
    summary = replace(
        like, id="mem_summary_cache", content="In May the cache was cleared twice",
        belief=replace(like.belief, provenance=witnesses), fingerprint="f" * 32,
    )  # fmt: skip
    edges = [
        Edge(f"e{n}", summary.id, each.id, "summarises", HERE, witnesses[0], like.recorded_at)
        for n, each in enumerate(episodes)
    ]
    changes = (PutMemory(summary), *(PutEdge(each) for each in edges))
    with store.writing() as unit:
        after = unit.projection.checkpoint(HERE.tenant)
        now = clock.move(DAY)
        unit.projection.apply(HERE.tenant, changes, Stamp(now, None))
        entry = ChangeSet(HERE, "summaries", "sleep", after, changes)
        unit.journal.record(HERE.tenant, entry, now, after)
    clock.move(YEAR)
    done = memory.retaining.purge(file, 30)
    assert done is not None
    assert done.memories == 2
    assert "In May the cache was cleared twice" in current(memory)
    said_of_it = f"(purged by age; export {done.sha256[:12]} holds it)"
    assert [each.says for each in memory.why(summary.id).witnesses] == [said_of_it] * 2
    memory.sleeping.sleep()
    assert "In May the cache was cleared twice" in current(memory)
    sound(memory)
    with pytest.raises(Conflict) as refused:
        memory.sleeping.rederive()
    assert refused.value.code == "ground_purged"
    # A subject that only the summary names any more is found and erased all the same.
    assert [each.id for each in memory.erasing.subject("cache").memories] == [summary.id]
    assert memory.erasing.about("cache").residue == ()
    assert "In May the cache was cleared twice" not in current(memory)
    assert b"cleared twice" not in bytes_of(file.parent)
    sound(memory)


def test_nothing_is_purged_where_the_export_cannot_be_written(
    memory: Helix, clock: SettableClock, tmp_path: Path, file: Path
) -> None:
    """No folder, or a file of that name already: the ledger stays as it is."""
    old_and_archived(memory, "the cache was cleared")
    clock.move(YEAR)
    file.write_text("an earlier export")
    before = head(memory)
    for path in (tmp_path / "nowhere" / "old.jsonl", file):
        with pytest.raises(BadInput) as refused:
            memory.retaining.purge(path, 30)
        assert refused.value.code == "export_failed"
    assert file.read_text() == "an earlier export"
    assert head(memory) == before
    assert sorted(each.name for each in tmp_path.glob(".*.part")) == []
    assert memory.retaining.look(30).positions == (1, 2)


@pytest.mark.parametrize("damage", ["lost line", "other word", "cut short", "nothing"])
def test_nothing_is_purged_where_the_export_does_not_read_back(
    memory: Helix,
    clock: SettableClock,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: str,
) -> None:
    """A disk that does not give back what was written is noticed before anything is destroyed."""
    old_and_archived(memory, "the cache was cleared", "the runner was slow")
    clock.move(YEAR)
    before, real = head(memory), retaining._synced

    def damaged(folder: Path) -> None:
        lines = file.read_bytes().splitlines(keepends=True)
        match damage:
            case "lost line":
                lines.pop(1)
            case "other word":
                lines[1] = lines[1].replace(b"cleared", b"emptied")
            case "cut short":
                lines.pop()
            case _:
                lines = []
        file.write_bytes(b"".join(lines))
        real(folder)

    monkeypatch.setattr(retaining, "_synced", damaged)
    with pytest.raises(BadInput):
        memory.retaining.purge(file, 30)
    assert head(memory) == before
    assert len(memory.retaining.look(30).positions) == 4
    sound(memory)


def test_what_is_used_meanwhile_stays(
    memory: Helix, clock: SettableClock, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the export and the purge somebody brings an episode back: it is not destroyed."""
    first, second = old_and_archived(memory, "the cache was cleared", "the runner was slow")
    clock.move(YEAR)
    real = retaining.Retaining._read_back

    def somebody_uses_it(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        memory.life.used(first.id, 5)

    monkeypatch.setattr(retaining.Retaining, "_read_back", somebody_uses_it)
    done = memory.retaining.purge(file, 30)
    assert done is not None
    assert done.memories == 1
    assert status_of(memory, first.id) is Status.ACTIVE
    assert memory.retaining.check(file).present == 2
    assert second.content not in bytes_of(file.parent).decode(errors="replace")
    sound(memory)


def test_an_export_brings_everything_back(memory: Helix, clock: SettableClock, file: Path) -> None:
    """To the archive or among the forgotten, as having happened then; twice adds nothing."""
    (first,) = old_and_archived(memory, "the cache was cleared")
    second = kept(memory.capture("the runner was slow"))
    memory.forget(second.id)
    clock.move(YEAR)
    memory.retaining.purge(file, 30)
    assert memory.retaining.check(file).purged == 4
    done = memory.retaining.restore(file)
    assert (done.restored, done.there_already, done.left_out) == (2, 0, 2)
    again = memory.retaining.restore(file)
    assert (again.restored, again.there_already) == (0, 2)
    assert said(memory.recall("when was the cache cleared?", view=View.DEEP)) == {first.content}
    (back,) = memory.list(statuses=["archived"])
    assert back.event_time is not None
    assert back.event_time.start == first.recorded_at
    assert back.belief.provenance[0].source == first.belief.provenance[0].source
    assert [each.content for each in memory.list(statuses=["forgotten"])] == [second.content]
    sound(memory)


def test_what_was_restored_and_purged_again_is_restored_again(
    memory: Helix, clock: SettableClock, tmp_path: Path
) -> None:
    """From the first export as well as from the second; while it is there, from neither."""
    (first,) = old_and_archived(memory, "the cache was cleared")
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for purged_to, back_from in zip(files, (files[0], files[0], files[2]), strict=True):
        clock.move(YEAR)
        memory.retaining.purge(purged_to, 30)
        assert memory.list(statuses=["archived"]) == []
        for again in (1, 0):
            assert memory.retaining.restore(back_from).restored == again
        assert memory.retaining.restore(files[0]).restored == 0
        assert [each.content for each in memory.list(statuses=["archived"])] == [first.content]
    sound(memory)


def test_an_export_brings_each_projects_event_back_where_ids_are_alike(
    seen_from: Opener, clock: SettableClock, file: Path
) -> None:
    """Each to where it was, and once."""
    realms = (HERE, HERE.in_scope("project:there"))
    for realm in realms:
        memory = seen_from(realm)
        memory.life.demote(kept(memory.capture(f"built {realm.scope}", event_id="ev1")).id)
    clock.move(YEAR)
    seen_from().retaining.purge(file, 30)
    for realm in realms:
        again = seen_from(realm).capture(f"built {realm.scope}", event_id="ev1")
        assert isinstance(again, Skipped)
    for restored in (2, 0):
        assert seen_from().retaining.restore(file).restored == restored
    for realm in realms:
        held = seen_from(realm).list(statuses=["archived"])
        assert [each.content for each in held] == [f"built {realm.scope}"]
    sound(seen_from())


def test_erased_words_do_not_come_back_from_an_export(
    memory: Helix, seen_from: Opener, clock: SettableClock, file: Path
) -> None:
    """What an agent said and its owner erased since is left out."""
    agent = seen_from(HERE, AGENT)
    old = kept(agent.capture("the swordfish protocol opens the vault"))
    memory.life.demote(old.id)
    clock.move(YEAR)
    memory.retaining.purge(file, 30)
    memory.erasing.memory(kept(agent.capture("the swordfish protocol opens the vault")).id)
    assert memory.retaining.restore(file).restored == 0
    sound(memory)


def test_a_changed_export_is_refused(memory: Helix, clock: SettableClock, file: Path) -> None:
    """Nothing of it comes in, wherever it was changed."""
    old_and_archived(memory, "the cache was cleared", "the runner was slow")
    clock.move(YEAR)
    memory.retaining.purge(file, 30)
    whole, before = file.read_bytes(), head(memory)
    lines = whole.splitlines(keepends=True)
    for bad in (
        whole.replace(b"cleared", b"emptied"),
        b"".join(lines[:-1]),
        b"".join([lines[0], *lines[2:]]),
        whole + b"{}\n",
        b"[]\n",
        b"",
        b"\xff\xfe",
        whole.replace(b'"version": 1', b'"version": 2', 1),
    ):
        file.write_bytes(bad)
        for attempt in (memory.retaining.check, memory.retaining.restore):
            with pytest.raises(BadInput):
                attempt(file)
    assert head(memory) == before


def test_an_export_of_another_store_is_refused(
    memory: Helix, clock: SettableClock, file: Path, tmp_path: Path
) -> None:
    """Its records never stood here, however well they are sealed."""
    memory.capture("something else")
    other_store = SqliteStore(tmp_path / "other.db")
    try:
        other = open_memory(other_store, clock=clock)
        old_and_archived(other, "the cache was cleared")
        clock.move(YEAR)
        assert other.retaining.purge(file, 30) is not None
    finally:
        other_store.close()
    with pytest.raises(BadInput) as refused:
        memory.retaining.restore(file)
    assert refused.value.code == "not_from_here"


def test_an_agent_cannot_purge(
    memory: Helix, seen_from: Opener, clock: SettableClock, file: Path
) -> None:
    """It is the user's ledger."""
    old_and_archived(memory, "the cache was cleared")
    clock.move(YEAR)
    agent = seen_from(HERE, AGENT)
    with pytest.raises(Conflict):
        agent.retaining.purge(file, 30)
    assert not file.exists()


def test_every_project_of_the_owner_is_covered(
    memory: Helix, seen_from: Opener, clock: SettableClock, file: Path
) -> None:
    """The ledger is one; another owner's records in it are left alone."""
    there = seen_from(HERE.in_scope("project:there"))
    others = seen_from(replace(HERE, owner="somebody"))
    old_and_archived(memory, "the cache was cleared")
    old_and_archived(there, "the runner was slow")
    old_and_archived(others, "somebody's own business")
    clock.move(YEAR)
    done = memory.retaining.purge(file, 30)
    assert done is not None
    assert done.memories == 2
    assert len(others.list(statuses=["archived"])) == 1
    assert there.list(statuses=["archived"]) == []
    memory.retaining.restore(file)
    assert [each.content for each in there.list(statuses=["archived"])] == ["the runner was slow"]
    sound(memory)
