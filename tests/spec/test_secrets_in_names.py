"""Names are kept for ever, so they are refused if they hold a secret; imports are redacted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helix import Helix
from helix.app.context import source_of
from helix.capture.admission import admitted_id, admitted_name, gates
from helix.connect.importing.pieces import Happened, IsSo
from helix.connect.importing.workflow import take_in
from helix.model.errors import BadInput

TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"

GIVEN = {
    "session": lambda memory: memory.capture("x happened", session=f"s {TOKEN}"),
    "event id": lambda memory: memory.capture("x happened", event_id=TOKEN),
    "parent": lambda memory: memory.capture("x happened", parent_event_id=TOKEN),
    "event id of a statement": lambda memory: memory.remember("x is so", event_id=TOKEN),
    "session that begins": lambda memory: memory.session(TOKEN),
    "session of a note": lambda memory: memory.scratch.add("x is noted", session=TOKEN),
    "event id of a note": lambda memory: memory.scratch.add("x is noted", event_id=TOKEN),
    "agent": lambda _: source_of(TOKEN, "me"),
}


@pytest.mark.parametrize("give", GIVEN.values(), ids=GIVEN.keys())
def test_a_name_that_holds_a_secret_is_refused_and_not_repeated(memory, give):
    """Which name it is and what to do are said; the secret is not, and nothing is written."""
    before = memory.upkeep.status().head
    with pytest.raises(BadInput) as raised:
        give(memory)
    assert raised.value.code == "secret_in_name"
    assert "github-token" in raised.value.message
    assert TOKEN not in f"{raised.value} {raised.value.remedy}"
    assert memory.upkeep.status().head == before
    assert not memory.scratch.notes()


def test_a_relation_that_holds_a_secret_is_refused(memory):
    """In small letters it would pass for a word."""
    one, other = (memory.remember(f"{number} is so").memory.id for number in ("one", "two"))
    with pytest.raises(BadInput, match="a relation cannot be kept"):
        memory.relate(one, TOKEN, other)


def test_a_scope_that_holds_a_secret_is_not_opened(tmp_path):
    with pytest.raises(BadInput, match="the scope"):
        Helix.open(tmp_path / "memory.db", scope=f"project:{TOKEN}")


@pytest.mark.parametrize(
    "name",
    ["0f6a1c9e-5b1d-4c0f-9a34-3f1c2b7d8e90", "toolu_01A09q90qw90lq917835lq9", "git:" + "a1" * 20,
     "claude-code", "project:github.com/acme/token-service", ""],
)  # fmt: skip
def test_ordinary_names_pass(name):
    assert admitted_id(name, "a name") == name


def test_what_is_too_long_is_not_repeated_with_half_a_secret():
    with pytest.raises(BadInput) as raised:
        admitted_name(f"{TOKEN} {'x' * 600}", "a session")
    assert TOKEN[:10] not in raised.value.message


def test_an_import_takes_secrets_out_of_names(memory):
    """A file is called as it is called: what must not be kept is taken out, and nothing is lost."""
    pieces = [
        Happened("it was pushed", f"key {TOKEN}", f"{TOKEN}.md", session=TOKEN, files=(TOKEN,)),
        IsSo("pushes go to the mirror", "fact", f"{TOKEN}.md"),
    ]
    for kept, known in ((2, 0), (0, 2)):
        tally = take_in(memory, pieces, "md")
        assert (sum(tally.kept.values()), tally.known, tally.refused) == (kept, known, 0)
    with memory.context.store.reading() as unit:
        records = unit.ledger.read(memory.context.realm.tenant, 0, 100)
        assert TOKEN not in repr(records)
    assert "[redacted github-token" in repr(records)


def test_a_source_whose_path_holds_a_secret_can_be_trusted(memory):
    """Under the name that the import gave it, whichever way it is said."""
    path = f"/elsewhere/{TOKEN}/notes.md"
    quoting = memory.quoting("import:md", path, "import-md", path)
    quoting.remember("pushes go to the mirror")
    (waiting,) = memory.trusting.sources()
    assert TOKEN not in waiting.name
    assert waiting.waiting == 1
    assert memory.trusting.trust(path).memories == 1
    assert memory.trusting.trusts(path)
    assert TOKEN not in repr(memory.trusting.sources())


def test_reasons_are_marked_and_cleaned_as_content_is(memory):
    """The same secret bears the same tag in a reason, and people's data goes where it should."""
    own = gates(lambda _: "a1b2c3", people=True)
    opened = Helix(replace(memory.context, gates=own))
    kept = opened.remember("x is so").memory
    opened.forget(kept.id, f"jane.roe@kontor-nord.de said {TOKEN}")
    said = opened.history.log(1)[0].says
    assert "[redacted github-token a1b2c3]" in said
    assert "jane.roe" not in said
