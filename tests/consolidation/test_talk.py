"""What is read out of talk, what is left alone, and how short answers become whole."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.consolidation.nights import night_of

from helix.consolidation.commits import stated
from helix.consolidation.extraction import extract
from helix.consolidation.talk import said
from helix.model.edge import EXTENDS, SUPERSEDES
from helix.rules.turns import prose
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock
from helix.testing.reference_store import ReferenceStore


@pytest.mark.parametrize(
    ("sentence", "kind", "content"),
    [
        ("From now on, run ruff first", "convention", "Run ruff first."),
        ("Always write tests in Go", "convention", "Always write tests in Go."),
        ("We use pnpm, not npm", "convention", "We use pnpm, not npm."),
        ("I prefer small commits", "preference", "User prefers small commits."),
        ("We decided to keep Postgres 15", "decision", "We decided to keep Postgres 15."),
        ("We moved from AWS to Hetzner", "decision", "We moved from AWS to Hetzner."),
        ("Actually, the API listens on port 8081", "fact", "The API listens on port 8081."),
        ("The staging database is on port 5433", "fact", "The staging database is on port 5433."),
        ("My name is Priya", "identity", "User's name is Priya."),
        ("We no longer support Python 3.8", "fact", "We no longer support Python 3.8."),
    ],
)  # fmt: skip
def test_what_is_meant_to_last_is_read(sentence, kind, content):
    """Decisions, conventions, preferences, corrections and facts, as whole sentences."""
    found = said(sentence)
    assert found is not None
    assert (found.kind, found.content) == (kind, content)


@pytest.mark.parametrize(
    "sentence",
    [
        "Don't do it like that",
        "Let's try 4 and 1 first",
        "Should we always use tabs?",
        "We don't have this yet",
        "Maybe we use Redis for the queue",
        "Fix the failing test",
        "I think we moved it to Hetzner",
        "The build is broken",
        "ok, thanks",
        "We use it everywhere",
    ],
)
def test_what_belongs_to_the_moment_is_left_alone(sentence):
    """Tasks, questions, guesses and what points outside itself stay episodes."""
    assert said(sentence) is None


@pytest.mark.parametrize(
    ("subject", "content"),
    [
        ("Bump httpx from 0.24.1 to 0.27.0 (#123)", "httpx is at version 0.27.0."),
        ("Drop support for Python 3.7", "Support for Python 3.7 was dropped."),
        ("feat(cli)!: rename `run` to `serve`", "`run` is now called `serve`."),
        ("Replace black with ruff", "ruff replaces black."),
        ('Revert "Use orjson by default"', 'The change "Use orjson by default" was reverted.'),
        ("fix typo", None),
        ("Merge branch 'stable'", None),
        ("Replace old code with better code", None),
    ],
)
def test_history_states_what_it_moved_to(subject, content):
    """A commit states what was bumped, dropped, renamed, replaced; a fix states nothing."""
    found = stated(subject)
    assert (found and found.content) == content


def test_nothing_that_helix_injected_is_read_again():
    """Fenced memories, code, diffs and markup are not a person's words."""
    text = (
        "<helix-memory>\nWe use npm, not pnpm\n</helix-memory>\n"
        "```\nAlways panic\n```\n+ We use yarn\n> We use bun\n"
        "<system-reminder>We use npm</system-reminder>\nWe use pnpm"
    )
    assert prose(text).split() == ["We", "use", "pnpm"]


def talked(*turns: tuple[str, str], held: str = ""):
    """Return the conclusions from a conversation about something that is held."""
    clock = SettableClock()
    memory = open_memory(ReferenceStore(), HERE, clock=clock)
    if held:
        memory.remember(held)
    for role, text in turns:
        clock.move(timedelta(seconds=30))
        memory.capture(text, session="s1", attributes={"role": role})
    return extract(night_of(memory)).conclusions


def test_short_answers_about_the_trip_become_whole():
    """The Japan-Maya dialogue gives exactly the three documented results."""
    april, focus, may = talked(
        ("assistant", "When are you going?"),
        ("user", "next April"),
        ("assistant", "What do you want to do there?"),
        ("user", "mostly food, temples, and trains"),
        ("user", "actually we're going in May instead"),
        held="User is planning a trip to Japan with Maya.",
    )
    trip = "mem_user_planning_trip_japan_maya"

    first, *edges = (getattr(each, "memory", None) or each.edge for each in april.changes)
    assert first.content == "User is planning a trip to Japan with Maya next April."
    assert [(each.relation, each.to_id) for each in edges if each.relation == EXTENDS] == [
        (EXTENDS, trip)
    ]
    assert first.attributes["entities"] == ["Japan", "Maya"]

    second = focus.changes[0].memory
    assert second.content == (
        "User wants their Japan trip with Maya to focus on food, temples, and trains."
    )
    assert second.attributes["category"] == "travel/preferences"
    assert [each.edge.to_id for each in focus.changes[1:] if each.edge.relation == EXTENDS] == [
        trip
    ]

    third, closed = (each.memory for each in may.changes if hasattr(each, "memory"))
    assert third.content == "User is planning a trip to Japan with Maya in May."
    assert (closed.id, closed.status, closed.belief.superseded_by) == (
        first.id,
        "superseded",
        third.id,
    )
    assert [
        e.edge.to_id for e in may.changes if hasattr(e, "edge") and e.edge.relation == SUPERSEDES
    ] == [first.id]


def test_a_choice_is_kept_with_what_was_asked():
    """An answer to "which" or "this or that" says what it was chosen for."""
    contents = [
        each.changes[0].memory.content
        for each in talked(
            ("assistant", "Which database should we use for billing?"),
            ("user", "postgres 15"),
            ("assistant", "Do you prefer tabs or spaces?"),
            ("user", "spaces"),
        )
    ]
    assert contents == [
        "The database for billing is postgres 15.",
        "User prefers spaces over tabs.",
    ]


def test_an_answer_nobody_can_place_is_not_kept():
    """Without a matter it could concern, a short answer stays an episode."""
    assert talked(("assistant", "When?"), ("user", "next April")) == ()
    assert talked(("assistant", "Shall I go on?"), ("user", "yes")) == ()


def test_what_the_assistant_says_is_not_the_users_word():
    """An assistant's own claims and echoes are never extracted."""
    assert talked(("assistant", "We use npm. Always run it twice. I prefer tabs.")) == ()
