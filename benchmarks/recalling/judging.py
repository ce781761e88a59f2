"""From answers to figures: one row per question, then means over rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.recalling import metrics
from benchmarks.recalling.values import Answer, Asked

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """What one question came to. `sessions` is empty where notes belong to no session."""

    category: str
    figures: Figures
    sessions: Figures
    corrected: Figures


def row(
    question: Asked,
    answer: Answer,
    session_of: Mapping[str, str],
    sessions: Sequence[str] | None = None,
) -> Row:
    """Return the figures of one answer.

    Where a set has sessions, any@5 and all@5 are those by session, as the sets' authors
    report them. Sessions stand where their best note does, unless they were ranked.
    """
    notes = tuple(each for each in answer.ranked if each not in question.without)
    sessions = metrics.by_session(notes, session_of) if sessions is None else sessions
    if question.unit == "session":
        figures = ranking(sessions, question.gold)
        return Row(question.category, figures, figures, {})
    figures = ranking(notes, question.gold) | _holding(question, answer, notes)
    by_session = _by_session(sessions, question.gold, session_of)
    corrected: Figures = {}
    if question.corrected:
        corrected = ranking(notes, question.corrected)
        corrected |= _by_session(sessions, question.corrected, session_of)
    return Row(question.category, figures | by_session, by_session, corrected)


def ranking(ranked: Sequence[str], gold: Collection[str]) -> Figures:
    """Return every figure that needs no more than a ranked list."""
    return {
        "recall@5": metrics.recall_at(ranked, gold, 5),
        "recall@10": metrics.recall_at(ranked, gold, 10),
        "recall@20": metrics.recall_at(ranked, gold, 20),
        "mrr": metrics.reciprocal_rank(ranked, gold),
        "any@5": metrics.hit_at(ranked, gold, 5),
        "all@5": metrics.all_at(ranked, gold, 5),
        "ndcg@10": metrics.ndcg_at(ranked, gold, 10),
        "hit@1": metrics.hit_at(ranked, gold, 1),
        "hit@10": metrics.hit_at(ranked, gold, 10),
    }


def means(rows: Iterable[Figures]) -> Figures:
    """Return the mean of each figure over the rows that have it."""
    gathered: dict[str, list[float]] = {}
    for figures in rows:
        for name, value in figures.items():
            gathered.setdefault(name, []).append(value)
    return {name: round(sum(values) / len(values), 4) for name, values in gathered.items()}


def by_category(rows: Sequence[Row]) -> dict[str, Figures]:
    """Return the means of each category, with how many questions it has."""
    grouped: dict[str, list[Figures]] = {}
    for each in rows:
        grouped.setdefault(each.category, []).append(each.figures)
    return {name: {"n": len(group)} | means(group) for name, group in sorted(grouped.items())}


def _by_session(
    sessions: Sequence[str], gold: Collection[str], session_of: Mapping[str, str]
) -> Figures:
    wanted = {session_of[each] for each in gold if session_of.get(each)}
    if not wanted:
        return {}
    return {
        "any@5": metrics.hit_at(sessions, wanted, 5),
        "all@5": metrics.all_at(sessions, wanted, 5),
    }


def _holding(question: Asked, answer: Answer, notes: Sequence[str]) -> Figures:
    if not question.stale:
        return {}
    if question.as_of is not None:
        return {"as_of@1": metrics.hit_at(notes, question.gold, 1)}
    if question.view == "history":
        shown = [each for each in notes if each in question.stale]
        flags = {"flagged": float(set(shown) <= answer.flagged)} if shown else {}
        return {"above": metrics.above(notes, question.gold, question.stale)} | flags
    return {
        "current@1": metrics.hit_at(notes, question.gold, 1),
        "stale@5": metrics.stale_at(notes, question.stale, answer.flagged, 5),
        "above": metrics.above(notes, question.gold, question.stale),
    }
