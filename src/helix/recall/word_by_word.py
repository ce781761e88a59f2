"""Comparing a question with the candidates word by word (`rules.word_by_word`, docs/adr/0049)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from helix.model.memory import Memory
from helix.ports.projection import Beside
from helix.recall.asking import Asking, session_of
from helix.recall.meanwhile import Meanwhile
from helix.recall.signals import SHORT, Candidate

if TYPE_CHECKING:
    from helix.ports.embedder import Embedded

Around = Mapping[str, Sequence[Beside]]
Sessions = Mapping[str, Mapping[str, Beside]]


def compared(
    asking: Asking,
    candidates: list[Candidate],
    around: Around,
    sessions: Sessions,
    said: Embedded,
) -> Meanwhile[Mapping[str, float]] | None:
    """Begin to compare word by word, beside what else is filled in; None if there are no words."""
    from helix.rules.word_by_word import (  # noqa: PLC0415 - numpy
        agreement,
        closest,
        in_company,
        telling,
    )

    chosen = telling(said.words)
    if said.rows is None or not chosen:
        return None
    if asking.question.by_session:
        talks = [sorted(session.values(), key=_position) for session in sessions.values()]
    else:
        talks = [_between(each.memory, around) for each in candidates]
    pairs = dict.fromkeys(pair for talk in talks for pair in _in_turn(talk))
    ids = dict.fromkeys(each.memory.id for each in candidates)
    if asking.question.by_session:
        ids |= dict.fromkeys(each.id for talk in talks for each in talk)
    held = asking.unit.enrichment.words_of(asking.asker, asking.model, list(ids))
    row = {memory_id: place for place, memory_id in enumerate(held)}
    beside = [(row[one], row[other]) for one, other in pairs if one in row and other in row]
    asked, weights = said.rows[chosen], _rarities(asking, [said.words[each] for each in chosen])

    def compare() -> Mapping[str, float]:
        close = in_company(closest(asked, list(held.values())), beside)
        return dict(zip(row, agreement(close, weights), strict=True))

    return Meanwhile(compare)


def fill_word_by_word(
    asking: Asking, candidates: list[Candidate], sessions: Sessions, found: Mapping[str, float]
) -> None:
    """Note on each candidate how close it is, or its session where sessions are asked for."""
    best: dict[str, float | None] = {}
    if asking.question.by_session:
        # Of a session everything counts that was said in it; it is as close as the closest of it.
        best = {
            session: max((found[each] for each in held if each in found), default=None)
            for session, held in sessions.items()
        }
    for each in candidates:
        each.word_by_word = best.get(session_of(each), found.get(each.memory.id))


def _between(memory: Memory, around: Around) -> list[Beside]:
    """Return a memory between the episodes right before and after it."""
    talk = [Beside(memory.id, memory.content, memory.position)]
    for near in around.get(memory.id, ()):  # in their order
        if near.position > memory.position:
            return [*talk, near]
        talk = [near, talk[-1]]
    return talk


def _in_turn(talk: Sequence[Beside]) -> Iterator[tuple[str, str]]:
    """Yield each short text of a talk with those right beside it; a long one speaks for itself."""
    for one, other in pairwise(talk):
        if len(one.content) <= SHORT:
            yield one.id, other.id
        if len(other.content) <= SHORT:
            yield other.id, one.id


def _position(episode: Beside) -> int:
    return episode.position


def _rarities(asking: Asking, words: Sequence[str]) -> Sequence[float]:
    """Return what each word weighs: what a text would that held it alone."""
    once = list(dict.fromkeys(words))
    (weights,) = asking.unit.projection.word_scores(asking.asker, once, [[[word] for word in once]])
    weight_of = dict(zip(once, weights, strict=True))
    return [weight_of[word] for word in words]
