"""Asking is always safe: any text, any view, within the limit and the scope."""

from __future__ import annotations

from datetime import datetime

from hypothesis import example, given
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.app.facade import Helix
from helix.model.errors import BadInput
from helix.model.memory import Memory
from helix.model.outcome import Joined, Kept
from helix.model.question import View
from helix.model.recollection import Abstained, Recollected
from helix.model.scope import Realm, visible_from
from helix.recall.packing import ELLIPSIS, cost
from helix.recall.planning import LEAST_BUDGET
from helix.testing import invariants
from helix.testing.builders import open_memory
from helix.testing.strategies import free_text, moments, realms

ONE_TENANT = realms(("acme",))


@given(
    texts=st.lists(st.tuples(ONE_TENANT, free_text()), max_size=8),
    question=free_text(),
    asker=ONE_TENANT,
    view=st.sampled_from([View.CURRENT, View.DEEP, View.HISTORY]),
    limit=st.integers(1, 5),
)
@example([], "", Realm("acme", "ann", "global"), View.CURRENT, 1)
@example(
    [(Realm("acme", "ann", "global"), "\ud800x")],
    "\ud800",
    Realm("acme", "ann", "global"),
    View.CURRENT,
    1,
)
def test_recall_answers_any_text(
    texts: list[tuple[Realm, str]], question: str, asker: Realm, view: View, limit: int
) -> None:
    """Recall never raises, never exceeds its limit and never leaves what is visible."""
    with sqlite_store() as store:
        for realm, text in texts:
            kept_or_refused(open_memory(store, realm), text)
        answer = open_memory(store, asker).recall(question, view=view, limit=limit)
        found = memories_of(answer)
        assert len(found) <= limit
        invariants.every_answer_in_scope(asker, found)
        assert all(memory.realm in visible_from(asker) for memory in found)


@given(
    texts=st.lists(
        st.tuples(ONE_TENANT, st.one_of(free_text(), st.text("deploy ", max_size=3_000))),
        max_size=12,
    ),
    asker=ONE_TENANT,
    limit=st.integers(1, 12),
    budget=st.integers(LEAST_BUDGET, 600),
)
def test_no_answer_exceeds_its_budget_or_its_scope(
    texts: list[tuple[Realm, str]], asker: Realm, limit: int, budget: int
) -> None:
    """Whatever a store holds, an answer costs at most its budget; what is cut says so."""
    with sqlite_store() as store:
        for realm, text in texts:
            kept_or_refused(open_memory(store, realm), f"deploy {text}")
        answer = open_memory(store, asker).recall("deploy", limit=limit, budget=budget)
        if isinstance(answer, Abstained):
            return
        invariants.every_answer_in_scope(asker, memories_of(answer))
        assert sum(cost(each.text) for each in answer.remembered) <= budget
        assert answer.remembered, "the least budget holds one memory, cut if need be"
        for each in answer.remembered:
            cut = each.text != each.memory.content
            assert cut == bool(each.shortened) == each.text.endswith(ELLIPSIS) or not cut
            assert each.memory.content.startswith(each.text.removesuffix(ELLIPSIS))
        named = {each.memory.id for each in answer.left_out}
        assert named.isdisjoint(each.memory.id for each in answer.remembered)


@given(text=free_text())
def test_whatever_is_kept_is_found_by_its_own_text(text: str) -> None:
    """A text with a word in it is found at once by asking for the text itself."""
    with sqlite_store() as store:
        memory = open_memory(store)
        kept = kept_or_refused(memory, text)
        answer = memory.recall(text)
        if kept is None or (isinstance(answer, Abstained) and "no words" in answer.reason):
            return
        assert [found.id for found in memories_of(answer)] == [kept.id]


@given(text=free_text(), moment=moments(), then=moments())
def test_asking_about_any_moment_is_safe(text: str, moment: datetime, then: datetime) -> None:
    """Any moment on either axis, or on both, is answered."""
    with sqlite_store() as store:
        memory = open_memory(store)
        memory.remember("the deploy queue lives in Frankfurt")
        for true_on, believed_on in ((moment, None), (None, then), (moment, then)):
            answer = memory.recall(f"deploy queue {text}", true_on=true_on, believed_on=believed_on)
            assert isinstance(answer, Recollected | Abstained)


def kept_or_refused(memory: Helix, text: str) -> Memory | None:
    """Remember a text; one in which nothing is said is refused, and nothing else is."""
    try:
        outcome = memory.remember(text)
    except BadInput as refusal:
        if refusal.code == "empty_content":
            return None
        raise
    assert isinstance(outcome, Kept | Joined)
    return outcome.memory


def memories_of(answer: Recollected | Abstained) -> list[Memory]:
    if isinstance(answer, Abstained):
        return []
    return [each.memory for each in answer.remembered]
