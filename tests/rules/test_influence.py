"""Who counts as a voice of their own: laws of corroboration."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from helix.model.provenance import Origin, Source
from helix.rules.influence import independent
from helix.rules.trust import corroborated

USER = Source("me", Origin.USER_ASSERTED)


def agent(name: str, ref: str = "") -> Source:
    return Source(name, Origin.AGENT_INGESTED, ref)


def test_two_places_of_one_document_are_one_voice() -> None:
    lines = [agent("import:notes", "notes.md#4"), agent("import:notes", "notes.md#9")]
    assert independent(lines) == 1
    assert independent([*lines, agent("import:notes", "other.md#1")]) == 2
    assert independent([agent("import:git", "shop@1a2b"), agent("import:git", "shop@3c4d")]) == 1


def test_two_agents_that_read_one_document_are_one_voice() -> None:
    read = [agent("claude", "https://x.example/page"), agent("codex", "https://x.example/page#2")]
    assert independent(read) == 1
    assert not corroborated(read)
    assert corroborated([agent("claude"), agent("codex")])


def test_one_agent_with_two_documents_is_one_voice() -> None:
    assert independent([agent("claude", "a.md"), agent("claude", "b.md"), agent("claude")]) == 1


def test_a_source_that_ties_two_others_makes_them_one() -> None:
    tied = [agent("claude", "a.md"), agent("codex", "b.md"), agent("codex", "a.md")]
    assert {independent(order) for order in permutations(tied)} == {1}


SOURCES = st.lists(
    st.one_of(
        st.just(USER),
        st.builds(
            agent,
            st.sampled_from(["claude", "codex", "import:notes"]),
            st.sampled_from(["", "a.md", "a.md#2", "b.md@1", "b.md@2"]),
        ),
    ),
    max_size=6,
)


@given(SOURCES, SOURCES)
def test_more_sources_never_make_more_voices_than_they_are(
    some: list[Source], others: list[Source]
) -> None:
    """Nobody gains by saying it again, and the order in which they spoke does not matter."""
    assert independent(some + some) == independent(some)
    assert independent(some + others) == independent(others + some)
    assert independent(some + others) <= independent(some) + independent(others)
