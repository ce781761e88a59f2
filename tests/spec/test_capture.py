"""Capturing: what happened is written down once, in order, and found at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import DAY, current, head, kept, said, sound

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.ledger.workflow import erase
from helix.model.edge import CAUSED_BY, FOLLOWS
from helix.model.errors import BadInput, Conflict
from helix.model.memory import Memory
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.provenance import Origin
from helix.model.scope import EVERYONE, GLOBAL, Realm
from helix.testing.builders import AGENT, HERE, USER, open_memory
from helix.testing.clock import SeededChance, SettableClock

THERE = HERE.in_scope("project:there")


def links(memory: Helix, episode: Memory) -> set[tuple[str, str, str]]:
    """Return the edges at an episode as (from, relation, to)."""
    edges = memory.why(episode.id).edges
    return {(edge.from_id, edge.relation, edge.to_id) for edge in edges}


# Once.


def test_the_same_event_twice_is_written_once(memory: Helix) -> None:
    """The same event id with the same content joins what is there and writes nothing."""
    first = memory.capture("pytest failed", event_id="ev1", tool="pytest", exit_status=1)
    again = memory.capture("pytest failed", event_id="ev1", tool="pytest", exit_status=1)
    assert isinstance(first, Kept)
    assert again == Joined(first.memory, first.position)
    assert head(memory) == 1


@pytest.mark.parametrize(
    "attributes",
    [{"a": [1, 2]}, {"a": (1, 2)}, {"a": {"b": [None, True, 1.5]}}, {"é": "🦉"}, {"n": 2**63}],
    ids=str,
)
def test_the_same_attributes_are_the_same_event(
    memory: Helix, attributes: dict[str, object]
) -> None:
    """However attributes are written down, the same ones count as the same."""
    first = memory.capture("pytest failed", event_id="ev1", attributes=attributes)
    again = memory.capture("pytest failed", event_id="ev1", attributes=attributes)
    assert isinstance(first, Kept)
    assert isinstance(again, Joined)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_cannot_be_written_down_are_refused(memory: Helix, number: float) -> None:
    """What would not come back as it went in is not taken in."""
    with pytest.raises(BadInput) as refused:
        memory.capture("pytest failed", attributes={"a": [number]})
    assert refused.value.code == "unusable_attributes"


@pytest.mark.parametrize(
    "other",
    [
        {"content": "pytest passed"},
        {"tool": "tox"},
        {"exit_status": 2},
        {"session": "s1"},
        {"files": ["a.py"]},
        {"parent_event_id": "ev0"},
        {"importance_hint": 0.9},
        {"attributes": {"a": 1}},
        {"occurred_at": "2026-01-01"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_the_same_event_with_other_content_is_refused(
    memory: Helix, other: dict[str, object]
) -> None:
    """An event id names one event; another one under its name is refused, and nothing changes."""
    event = {"content": "pytest failed", "event_id": "ev1", "tool": "pytest", "exit_status": 1}
    memory.capture(**event)
    with pytest.raises(Conflict) as refused:
        memory.capture(**{**event, **other})
    assert refused.value.code == "event_id_reused"
    assert head(memory) == 1


@pytest.mark.parametrize("how", ["capture", "remember"])
def test_an_event_id_is_used_in_each_project_for_itself(seen_from: Opener, how: str) -> None:
    """Nobody is kept from an id, or told of it, because another project has used it."""
    here, there = seen_from(), seen_from(THERE)
    getattr(here, how)("the nightly build broke", event_id="nightly-77")
    first, told = (
        getattr(there, how)("the nightly build was fine", event_id="nightly-77") for _ in range(2)
    )
    assert isinstance(first, Kept)
    assert isinstance(told, Joined)
    assert current(there) == {"the nightly build was fine"}
    assert current(here) == {"the nightly build broke"}
    for memory, words in ((here, "the nightly build broke"), (there, told.memory.content)):
        found = memory.by_event("nightly-77")
        assert found is not None
        assert found.content == words
        assert [each.event_id for each in memory.history.log()] == ["nightly-77"]
    with pytest.raises(Conflict) as refused:
        getattr(there, how)("something else", event_id="nightly-77")
    assert refused.value.message == "the event id 'nightly-77' was used before, for something else"
    sound(here)


def test_what_is_said_everywhere_has_ids_of_its_own(seen_from: Opener) -> None:
    """A project's event is found first from within it, and the common one from elsewhere."""
    seen_from().remember("we use pytest here", event_id="k1")
    kept(seen_from().remember("we use pytest", everywhere=True, event_id="k1"))
    assert isinstance(seen_from().remember("we use pytest here", event_id="k1"), Joined)
    for realm, words in ((HERE, "we use pytest here"), (THERE, "we use pytest")):
        found = seen_from(realm).by_event("k1")
        assert found is not None
        assert found.content == words


def test_an_erased_event_of_another_project_keeps_nobody_out(seen_from: Opener) -> None:
    """Each project takes in again what only another one erased, and not what it erased itself."""
    here, there = seen_from(), seen_from(THERE)
    for memory in (here, there):
        kept(memory.capture(f"the password of {memory.scope} is swordfish", event_id="ev1"))
    for memory in (there, here):
        found = memory.by_event("ev1")
        assert found is not None
        memory.erasing.memory(found.id)
        assert memory.by_event("ev1") is None
        words = f"the password of {memory.scope} is swordfish"
        assert isinstance(memory.capture(words, event_id="ev1"), Skipped)
        sound(memory)


@pytest.mark.parametrize("cause_first", [True, False], ids=["cause first", "effect first"])
def test_a_cause_is_looked_for_at_home_first(seen_from: Opener, *, cause_first: bool) -> None:
    """Where several realms use an id, an effect has the cause of its own realm, and one only."""
    everywhere = HERE.in_scope(GLOBAL)
    realms = (THERE, HERE, everywhere)

    def causes() -> dict[Realm, str]:
        return {
            each: kept(seen_from(each).capture(f"cause in {each.scope}", event_id="ev1")).id
            for each in realms
        }

    def effects() -> dict[Realm, Memory]:
        return {
            each: kept(seen_from(each).capture("the effect", parent_event_id="ev1"))
            for each in realms
        }

    if cause_first:
        caused, by = causes(), effects()
    else:
        by, caused = effects(), causes()
    for each in realms:
        assert links(seen_from(each), by[each]) == {(by[each].id, CAUSED_BY, caused[each])}
    sound(seen_from())


def test_a_statement_and_an_event_do_not_share_an_id(memory: Helix) -> None:
    """An event id used by a capture is taken for a statement too."""
    memory.capture("pytest failed", event_id="ev1")
    with pytest.raises(Conflict):
        memory.remember("pytest failed", event_id="ev1")


def test_a_statement_can_be_repeated_by_its_event_id(memory: Helix) -> None:
    """Remembering under the same event id is a no-op even after it was forgotten."""
    first = memory.remember("we use pytest", event_id="ev1")
    assert isinstance(first, Kept)
    memory.forget(first.memory.id)
    again = memory.remember("we use pytest", event_id="ev1")
    assert isinstance(again, Joined)
    assert again.memory.id == first.memory.id
    assert head(memory) == 2


@pytest.mark.parametrize("event_id", ["a\x1fb", "line\nbreak", "x" * 501, "\ud800"])
@pytest.mark.parametrize("how", ["capture", "remember"])
def test_unusable_event_ids_are_refused(memory: Helix, how: str, event_id: str) -> None:
    """An event id is short and printable: it stands in the seal of its record."""
    with pytest.raises(BadInput):
        getattr(memory, how)("something", event_id=event_id)
    assert head(memory) == 0


def test_an_erased_event_is_not_taken_in_again(
    memory: Helix, store: SqliteStore, clock: SettableClock
) -> None:
    """What was erased on request does not come back with the next import."""
    memory.capture("the password is swordfish", event_id="ev1")
    with store.writing() as unit:
        erase(unit.ledger, HERE, 1, source=USER, now=clock.now(), chance=SeededChance())
    assert isinstance(memory.capture("the password is swordfish", event_id="ev1"), Skipped)
    assert said(memory.recall("swordfish", view="history")) in (
        set(),
        {"the password is swordfish"},
    )
    assert head(memory) == 2


@pytest.mark.parametrize("content", ["", "   ", "\n\t", "\x00\x01"])
def test_nothing_is_not_an_episode(memory: Helix, content: str) -> None:
    """A text in which nothing is said is refused."""
    with pytest.raises(BadInput):
        memory.capture(content)
    assert head(memory) == 0


# At once.


def test_what_was_captured_is_found_at_once(memory: Helix) -> None:
    """The next question after a capture finds it by its words."""
    memory.capture("migrated the billing database to Postgres 16")
    assert said(memory.recall("which database does billing use?")) == {
        "migrated the billing database to Postgres 16"
    }


def test_another_process_finds_it_at_once(memory: Helix, store: SqliteStore) -> None:
    """Whoever opens the same file sees what was captured a moment ago."""
    memory.capture("the cache was flushed")
    with closing(SqliteStore(store.path)) as other:
        assert said(open_memory(other).recall("cache flushed")) == {"the cache was flushed"}


# In order.


def test_episodes_of_a_session_follow_each_other(memory: Helix) -> None:
    """Each episode of a session follows the one before it."""
    with memory.session("s1") as session:
        first, second, third = (
            kept(session.capture(text)) for text in ("first", "second", "third")
        )
    assert (second.id, FOLLOWS, first.id) in links(memory, second)
    assert (third.id, FOLLOWS, second.id) in links(memory, third)
    assert len(links(memory, second)) == 2


def test_sessions_do_not_mix(memory: Helix, seen_from: Opener) -> None:
    """Another session, the same session id in another project, and no session stay apart."""
    memory.capture("one", session="s1")
    for other in (
        kept(memory.capture("two", session="s2")),
        kept(memory.capture("three")),
    ):
        assert links(memory, other) == set()
    there = seen_from(THERE)
    assert links(there, kept(there.capture("four", session="s1"))) == set()


def test_a_session_is_counted_from_its_first_episode(memory: Helix, store: SqliteStore) -> None:
    """A session whose start was never recorded begins with its first episode."""
    first = kept(memory.capture("one", session="s1"))
    memory.capture("two", session="s1")
    with store.reading() as unit:
        session = unit.projection.session(HERE, "s1")
    assert session is not None
    assert (session.started_at, session.episodes) == (first.recorded_at, 2)
    assert session.ended_at is None


def test_a_session_that_ended_may_go_on(memory: Helix, store: SqliteStore) -> None:
    """Started again, an ended session is open again, and its episodes go on in order."""
    with memory.session("s1") as session:
        first = kept(session.capture("before"))
    with memory.session("s1") as session:
        second = kept(session.capture("after"))
        with store.reading() as unit:
            going_on = unit.projection.session(HERE, "s1")
    assert going_on is not None
    assert going_on.ended_at is None
    assert links(memory, second) == {(second.id, FOLLOWS, first.id)}


def test_an_effect_is_tied_to_its_cause(memory: Helix) -> None:
    """An episode that names a parent event is caused by it."""
    cause = kept(memory.capture("changed the config", event_id="ev1"))
    effect = kept(memory.capture("the server broke", parent_event_id="ev1"))
    assert links(memory, effect) == {(effect.id, CAUSED_BY, cause.id)}


def test_a_cause_may_arrive_after_its_effects(memory: Helix) -> None:
    """The tie is made when the cause comes in, for every effect that waited for it."""
    effects = [
        kept(memory.capture(f"broke {n}", parent_event_id="ev1", event_id=f"effect{n}"))
        for n in range(2)
    ]
    assert all(links(memory, effect) == set() for effect in effects)
    cause = kept(memory.capture("changed the config", event_id="ev1"))
    assert links(memory, cause) == {(effect.id, CAUSED_BY, cause.id) for effect in effects}
    sound(memory)


def test_an_event_is_not_its_own_cause(memory: Helix) -> None:
    """Naming itself as its parent ties an episode to nothing."""
    episode = kept(memory.capture("loop", event_id="ev1", parent_event_id="ev1"))
    assert links(memory, episode) == set()


@pytest.mark.parametrize("cause_first", [True, False])
@pytest.mark.parametrize(
    ("cause_in", "effect_in", "tied"),
    [
        (HERE, HERE, True),
        (HERE.in_scope(GLOBAL), HERE, True),
        (Realm(HERE.tenant, EVERYONE, HERE.scope), HERE, True),
        (HERE, THERE, False),
        (HERE, HERE.in_scope(GLOBAL), False),
        (HERE, Realm(HERE.tenant, "bob", HERE.scope), False),
        (HERE, Realm(HERE.tenant, EVERYONE, HERE.scope), False),
    ],
    ids=lambda value: "/".join((value.owner, value.scope)) if isinstance(value, Realm) else "",
)
def test_causes_never_reach_across_projects(
    seen_from: Opener,
    store: SqliteStore,
    *,
    cause_in: Realm,
    effect_in: Realm,
    tied: bool,
    cause_first: bool,
) -> None:
    """An effect is tied to a cause only if the cause can be seen from where the effect is."""
    captures: list[Callable[[], Memory]] = [
        lambda: kept(seen_from(cause_in).capture("the cause", event_id="ev1")),
        lambda: kept(seen_from(effect_in).capture("the effect", parent_event_id="ev1")),
    ]
    for capture in captures if cause_first else captures[::-1]:
        capture()
    (effect,) = (each for each in seen_from(effect_in).list() if each.content == "the effect")
    assert bool(links(seen_from(effect_in), effect)) is tied
    with store.reading() as unit:
        drawn = [line for line in unit.projection.contents(HERE.tenant) if CAUSED_BY in line]
    assert len(drawn) == tied, "it must not be drawn, not even out of sight"
    sound(seen_from())


# In time.


def test_a_clock_that_jumps_back_keeps_the_order(memory: Helix, clock: SettableClock) -> None:
    """Moments rise strictly with positions, whatever the machine's clock says."""
    moments = []
    for by in (DAY, -30 * DAY, timedelta(), timedelta(microseconds=-1), 2 * DAY):
        clock.move(by)
        moments.append(kept(memory.capture(f"at {clock.now()}")).recorded_at)
    assert moments == sorted(set(moments))
    sound(memory)


def test_what_is_recorded_holds_even_if_the_clock_is_behind(
    memory: Helix, clock: SettableClock
) -> None:
    """After a jump back, what was just remembered or corrected is current."""
    old = kept(memory.remember("we use npm"))
    clock.move(-30 * DAY)
    new = memory.correct(old.id, "we use pnpm").memory
    memory.capture("installed pnpm")
    assert current(memory) == {"we use pnpm", "installed pnpm"}
    assert said(memory.recall("what do we use?")) == {"we use pnpm"}
    assert new.recorded_at > old.recorded_at


def test_event_time_is_kept_apart(memory: Helix, clock: SettableClock) -> None:
    """When it happened does not change when it was recorded."""
    happened = datetime(2024, 2, 29, 12, tzinfo=UTC)
    episode = kept(memory.capture("the disk failed", occurred_at=happened))
    assert episode.event_time is not None
    assert episode.event_time.start == happened
    assert episode.recorded_at == clock.now()
    assert said(memory.recall("disk", true_on=happened)) == {"the disk failed"}
    assert said(memory.recall("disk", believed_on=happened)) == set()


def test_what_is_said_to_happen_later_is_known_now(memory: Helix, clock: SettableClock) -> None:
    """An event in the future is an episode that is known from the moment it is recorded."""
    memory.capture("the certificate runs out", occurred_at=clock.now() + 30 * DAY)
    assert current(memory) == {"the certificate runs out"}


@pytest.mark.parametrize(
    ("occurred_at", "meant"),
    [
        ("2026-05-14", datetime(2026, 5, 14, tzinfo=UTC)),
        ("2026-05-14T10:32:00Z", datetime(2026, 5, 14, 10, 32, tzinfo=UTC)),
        ("2026-05-14T12:32:00+02:00", datetime(2026, 5, 14, 10, 32, tzinfo=UTC)),
        (datetime(2026, 5, 14, 10, 32), datetime(2026, 5, 14, 10, 32, tzinfo=UTC)),  # noqa: DTZ001
    ],
    ids=str,
)
def test_moments_are_understood(
    memory: Helix, occurred_at: str | datetime, meant: datetime
) -> None:
    """A date is its first instant, and what has no zone is meant in UTC."""
    episode = kept(memory.capture("it happened", occurred_at=occurred_at))
    assert episode.event_time is not None
    assert episode.event_time.start == meant


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "", "0001-01-01T00:00+23:00"])
def test_what_is_no_moment_is_refused(memory: Helix, text: str) -> None:
    """The remedy shows how to write one."""
    with pytest.raises(BadInput) as refused:
        memory.capture("it happened", occurred_at=text)
    assert "2026-05-14" in refused.value.remedy


# And counted.


def test_importance_adds_up_in_the_budget(memory: Helix, seen_from: Opener) -> None:
    """Each episode counts ten times its importance, in its own realm; the hint goes first."""
    memory.capture("ls")
    memory.capture("decided on Postgres", importance_hint=0.9)
    memory.remember("statements do not count", importance_hint=1.0)
    seen_from(THERE).capture("elsewhere", importance_hint=1.0)
    assert memory.upkeep.status().budget == pytest.approx(2.0 + 9.0)


def test_the_budget_survives_a_restart(tmp_path: Path) -> None:
    """What was gathered before a restart still counts after it."""
    path = tmp_path / "memory.db"
    for turn in range(1, 4):
        with closing(SqliteStore(path)) as store:
            memory = open_memory(store)
            memory.capture(f"turn {turn}", importance_hint=0.5)
            assert memory.upkeep.status().budget == pytest.approx(5.0 * turn)


def test_the_speaker_is_kept(seen_from: Opener) -> None:
    """Who said it, user or agent, is decided by how the memory was opened."""
    by_agent = kept(seen_from(HERE, AGENT).capture("the user said: I am the user"))
    by_user = kept(seen_from(HERE, USER).capture("done"))
    assert by_agent.belief.provenance[0].source.origin is Origin.AGENT_INGESTED
    assert by_user.belief.provenance[0].source.origin is Origin.USER_ASSERTED
    assert by_agent.belief.confidence < by_user.belief.confidence
