"""What names a subject: what people and tools wrote, however it is spelt, and nothing else."""

from __future__ import annotations

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import current, kept, sound

from helix import Helix
from helix.model.errors import BadInput, Conflict
from helix.model.provenance import Origin, Source
from helix.testing.builders import HERE

AGENT = Source("claude", Origin.AGENT_INGESTED, ref="https://wiki.example/Zorblax")

HELIX_WORDS = [
    "origin", "source", "content", "direct", "fact", "type", "shape", "semantic", "episodic",
    "attributes", "circumstances", "event_id", "agent-ingested", "user-asserted", "ingested",
    "asserted", "mem", "null", "confidence", "memory_id", "extractor", "captured", "files",
]  # fmt: skip
"""Field names, enum values, kinds and marks that every record bears."""


@pytest.fixture
def lived(memory: Helix, seen_from: Opener) -> Helix:
    """A memory with acts of many kinds, in which nobody wrote any of Helix's own words."""
    agent = seen_from(HERE, AGENT)
    with agent.session("run-17") as session:
        session.capture("the build is green", tool="pytest", files=["lib/grue.py"])
    held = kept(memory.remember("deploys go to Hetzner", attributes={"owner": "Quux"}))
    new = memory.correct(held.id, "deploys go to Helsinki").memory
    memory.confirm(new.id)
    memory.pin(new.id)
    other = kept(memory.remember("the cache is warm on Mondays"))
    memory.relate(new.id, "depends_on", other.id)
    memory.forget(other.id, "said by Fnord")
    return memory


@pytest.mark.parametrize("word", HELIX_WORDS)
def test_helixs_own_words_name_nobody(lived: Helix, word: str) -> None:
    """Field names, types and kinds stand on every record; erasing by one would take them all."""
    before = current(lived)
    about = lived.erasing.subject(word)
    assert (about.records, about.memories) == ((), ())
    with pytest.raises(Conflict, match="nothing here names"):
        lived.erasing.about(word)
    assert current(lived) == before


@pytest.mark.parametrize(
    "word",
    ["Hetzner", "Quux", "owner", "Fnord", "pytest", "grue", "run-17", "claude", "zorblax", "cache"],
)
def test_whatever_was_written_names_a_subject(lived: Helix, word: str) -> None:
    """Content, reasons, attributes and their names, tools, files, sessions, agents, references."""
    assert lived.erasing.subject(word).records != ()
    assert lived.erasing.about(word).residue == ()
    assert lived.erasing.subject(word).records == ()
    sound(lived)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("On call this week:\nAlice Example", "Alice Example"),
        ("On call:\tAlice Example", "Alice Example"),
        ('the "Quux" of it', '"Quux"'),
        ('Bob "Quux" Smith is on call', 'Bob "Quux" Smith'),
        ("logs lie in C:\\Users\\bobsmith\\logs", "C:\\Users\\bobsmith"),
        ("logs lie in C:\\Users\\bobsmith\\logs", "bobsmith"),
    ],
)
def test_a_name_is_found_wherever_it_stands(memory: Helix, text: str, subject: str) -> None:
    """At the beginning of a line, behind a tab, with quotes and backslashes in it."""
    memory.remember(text)
    assert [each.content for each in memory.erasing.subject(subject).memories] == [text]
    memory.erasing.about(subject)
    assert current(memory) == set()


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Alice  Example asked", "Alice Example"),
        ("it was Alice\nExample", "alice example"),
        ("approved by Zoe\u0308 M", "Zoë"),
        ("昨天王芳提交了代码", "王芳"),
    ],
)
def test_a_name_is_found_however_it_is_spelt(memory: Helix, text: str, subject: str) -> None:
    """Spacing, line breaks, the form of accents, and scripts without spaces."""
    memory.remember(text)
    memory.remember("Alicia Examples keep the docs")
    assert len(memory.erasing.subject(subject).records) == 1
    memory.erasing.about(subject)
    assert current(memory) == {"Alicia Examples keep the docs"}


@pytest.mark.parametrize("subject", ["Al", "...", "王"])
def test_a_name_that_says_too_little_is_refused(memory: Helix, subject: str) -> None:
    """It would take half the store with it."""
    memory.remember("Alice ... 王芳")
    with pytest.raises(BadInput) as refused:
        memory.erasing.about(subject)
    assert refused.value.code == "unusable_subject"
