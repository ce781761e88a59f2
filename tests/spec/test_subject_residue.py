"""After a subject is erased its own name is searched for, wherever somebody may have left it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.concluding import concluded
from tests.spec.conftest import Opener
from tests.spec.reading import kept

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.model.scope import Realm
from helix.testing.builders import HERE

NAME = "Alice Example"
THERE = HERE.in_scope("project:there")


def leave(store: SqliteStore, text: str) -> None:
    """Leave a text in a row that erasing does not know of."""
    with store.writing() as unit:
        unit.connection.execute("INSERT INTO counters VALUES (?, 0, 1)", (text,))


@pytest.mark.parametrize(
    ("subject", "said", "left"),
    [
        (NAME, "Alice Example asked for it", "400: Alice Example"),
        (NAME, "ALICE EXAMPLE asked for it", "400: ALICE EXAMPLE"),
        (NAME, "Alice Example asked for it", "person:alice example"),
        ("alice@example.org", "write to alice@example.org", "to <alice@example.org>"),
        ("王芳", "昨天王芳提交了代码", "来自王芳"),
    ],
)
def test_a_name_that_is_left_somewhere_is_told(
    memory: Helix, store: SqliteStore, subject: str, said: str, left: str
) -> None:
    """As it was written, as it was asked for, and in small letters, as indexes keep it."""
    memory.remember(said)
    leave(store, left)
    assert memory.erasing.about(subject).residue == ("memory.db",)


def by_another_project(opened: Opener) -> None:
    opened(THERE).remember("alice  example owns the other project")


def by_a_line_break(opened: Opener) -> None:
    opened(THERE).remember("it was Alice\nExample")


def by_a_note_elsewhere(opened: Opener) -> None:
    opened(THERE).scratch.add("ask Alice Example")


def by_a_conclusion_elsewhere(opened: Opener) -> None:
    there = opened(THERE)
    ground = kept(there.remember("the same person asked again"))
    concluded(there, "Alice Example asks often", ground=ground.position)


def by_an_event_id(opened: Opener) -> None:
    opened().capture("it rained", event_id="mail from Alice Example")


def by_the_name_of_a_project(opened: Opener) -> None:
    opened(HERE.in_scope("project:alice-example")).remember("it rained")


def by_an_identifier(opened: Opener) -> None:
    opened().remember("class AliceExample is tested by @alice.example")


def by_other_words(opened: Opener) -> None:
    opened().remember("Malice Examples are in the docs")


def by_another_tenant(opened: Opener) -> None:
    opened(Realm("other", "ann", "global")).remember("Alice Example is ours")


@pytest.mark.parametrize(
    "held",
    [
        by_another_project, by_a_line_break, by_a_note_elsewhere, by_a_conclusion_elsewhere,
        by_an_event_id, by_the_name_of_a_project, by_an_identifier, by_other_words,
        by_another_tenant,
    ],
)  # fmt: skip
def test_what_is_held_by_right_is_no_residue(
    memory: Helix, seen_from: Opener, held: Callable[[Opener], None]
) -> None:
    """Where the letters of the name stand in something living, bytes tell nothing."""
    memory.remember("Alice Example asked for it")
    held(seen_from)
    memory.upkeep.enrich()
    assert memory.erasing.about(NAME).residue == ()


@pytest.mark.parametrize("subject", ["language model", "SQLite", "quarantined", "SQLite format 3"])
def test_words_of_the_file_itself_are_no_residue(memory: Helix, subject: str) -> None:
    """The layout of a store holds prose of its own, and its rows words of Helix's."""
    memory.remember(f"{subject}: slow today")
    memory.remember("it rained")
    assert memory.erasing.about(subject).residue == ()
