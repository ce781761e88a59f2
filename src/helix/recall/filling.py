"""What speaks for each candidate: its own words and meaning, and those around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix.ports.projection import Beside
from helix.recall.asking import Asking, session_of
from helix.recall.naming import asked_names, asked_role, named
from helix.recall.sharpening import sharpened
from helix.recall.signals import Candidate, context_share, share_asked
from helix.recall.word_by_word import compared, fill_word_by_word
from helix.rules.entities import entities
from helix.rules.influence import influence
from helix.rules.turns import noted_role

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors

REACH = 3
"""Episodes before and after that count as an episode's context."""

WHOLE_SESSION = 60
"""The same, where the session is asked for."""

AROUND_SHARE = 0.6
"""How much a neighbour's vector adds to an episode's own, halved with each step away."""


def fill(asking: Asking, candidates: list[Candidate], *, look_twice: bool = False) -> None:
    """Note on each candidate what speaks for it; nothing is weighed yet.

    With `look_twice`, those whose vectors are too coarse to tell their place are embedded again.
    """
    unit, asker, off = asking.unit, asking.asker, asking.tuning.switched_off
    if not candidates:
        return
    names = asked_names(entities(asking.question.text))
    text, role = asking.question.text.casefold(), asked_role(asking.question.text)
    for each in candidates:
        each.named = named(each.memory, names, text, role)
        each.influence = influence(each.memory)
    around: Mapping[str, Sequence[Beside]] = {}
    if "around" not in off:
        around = unit.projection.around(asker, [each.memory for each in candidates], REACH)
        for each in candidates:
            each.in_context = bool(session_of(each)) or each.memory.id in around
            # Between people: a question to an assistant tells what somebody wants, and outside
            # of talk a question mark may be code.
            if each.in_context and not noted_role(each.memory):
                each.asks = share_asked(each.memory.content)
    sessions = _sessions(asking, candidates, around)
    begun = None
    if asking.said is not None and "word by word" not in off:
        begun = compared(asking, candidates, around, sessions, asking.said)
    if "words" not in off and asking.words:
        _fill_words(asking, candidates, around, sessions)
    if asking.asked is not None:
        _fill_meaning(asking, candidates, around, asking.asked, look_twice=look_twice)
    if begun is not None:
        fill_word_by_word(asking, candidates, sessions, begun.result())


def _fill_words(
    asking: Asking,
    candidates: list[Candidate],
    around: Mapping[str, Sequence[Beside]],
    sessions: Mapping[str, Mapping[str, Beside]],
) -> None:
    contexts = [
        [each.memory.content, *(near.content for near in around.get(each.memory.id, ()))]
        for each in candidates
    ]
    shares = [context_share(each.memory.content) for each in candidates]
    own, beside, whole = asking.unit.projection.word_scores(
        asking.asker, asking.words,
        [
            [context[:1] for context in contexts],
            contexts,
            [[each.content for each in held.values()] for held in sessions.values()],
        ],
    )  # fmt: skip
    for each, share, alone, together in zip(candidates, shares, own, beside, strict=True):
        each.words, each.words_around = alone, share * together + (1 - share) * alone
    by_session = dict(zip(sessions, whole, strict=True))
    for each, share in zip(candidates, shares, strict=True):
        # What belongs to no session stands for itself, and must not lose by it.
        session = by_session.get(session_of(each), each.words_around)
        if asking.question.by_session:
            each.words_in_session = session
        else:
            each.words_in_session = share * session + (1 - share) * each.words_around


def _sessions(
    asking: Asking, candidates: list[Candidate], around: Mapping[str, Sequence[Beside]]
) -> dict[str, dict[str, Beside]]:
    """Return what is known of the candidates' sessions: all of it where sessions are asked for."""
    sessions: dict[str, dict[str, Beside]] = {}
    for each in candidates:
        memory, known = each.memory, sessions.setdefault(session_of(each), {})
        known[memory.id] = Beside(memory.id, memory.content, memory.position)
        for near in around.get(memory.id, ()):
            known[near.id] = near
    sessions.pop("", None)
    if asking.question.by_session:
        one = {session_of(each): each.memory for each in candidates}
        one.pop("", None)
        around = asking.unit.projection.around(asking.asker, list(one.values()), WHOLE_SESSION)
        for session, memory in one.items():
            sessions[session] |= {near.id: near for near in around.get(memory.id, ())}
    return sessions


def _fill_meaning(
    asking: Asking,
    candidates: list[Candidate],
    around: Mapping[str, Sequence[Beside]],
    asked: Vectors,
    *,
    look_twice: bool,
) -> None:
    # Without numpy for whoever asks by words alone.
    from helix.rules.similarity import closeness  # noqa: PLC0415

    ids = {each.memory.id for each in candidates}
    ids |= {near.id for nears in around.values() for near in nears}
    held = asking.unit.enrichment.held_of(asking.asker, asking.model, sorted(ids))
    vectors = {memory_id: each.vector for memory_id, each in held.items()}
    if look_twice and asking.embed is not None:
        texts = {each.memory.id: each.memory.content for each in candidates}
        vectors |= sharpened(
            texts, held, asked, asking.embed,
            places=asking.question.limit * asking.deeper, at_most=asking.policy.embedded_again,
        )  # fmt: skip
    row = {memory_id: place for place, memory_id in enumerate(vectors)}
    measured = [each for each in candidates if each.memory.id in row]
    groups = [
        [row[each.memory.id]]
        + [row[near.id] for near in around.get(each.memory.id, ()) if near.id in row]
        for each in measured
    ]
    shares = [AROUND_SHARE * context_share(each.memory.content) for each in measured]
    found = closeness(asked, list(vectors.values()), groups, shares)
    for each, (own, together) in zip(measured, found, strict=True):
        each.vector = vectors[each.memory.id]
        each.meaning, each.meaning_around = own, together
