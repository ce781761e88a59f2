"""From a ranked list to an answer: each thing said once, within its bounds, or an abstention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from helix.model.question import Question
from helix.model.recollection import (
    Abstained,
    LeftOut,
    Reason,
    Recollected,
    Recollection,
    Remembered,
)
from helix.recall.diversity import diversified, gist, likeness, without_duplicates
from helix.recall.fading import brief
from helix.recall.packing import packed
from helix.recall.signals import Candidate

Ranked = Sequence[tuple[float, Candidate]]
Faded = Callable[[Candidate], bool]


def answer(
    question: Question,
    scope: str,
    order: Ranked,
    *,
    confidence: float,
    abstains: bool,
    faded: Faded = lambda _: False,
    words: Sequence[str] = (),
) -> Recollection:
    """Return the best of a ranked list, or an abstention with the closest miss.

    What has `faded` is shown in brief, unless it is the best; `words` were asked for.
    """
    best = max(order[0][0], 1e-9)

    def said(entry: tuple[float, Candidate]) -> str:
        # Two sessions are two, though the same was said in both.
        return entry[1].memory.id if question.by_session else gist(entry[1].memory.content)

    chosen, twins = without_duplicates(order, said, question.limit)
    candidates = [each for _, each in chosen]
    pointed = {each.memory.id for each in candidates if each.archived}
    remembered = [
        Remembered(
            each.memory,
            max(score, 0.0) / best,
            each.matched,
            {name: round(value, 4) for name, value in each.contributions.items()},
            brief(each.memory.content, words) if (place and faded(each)) or each.archived else "",
        )
        for place, (score, each) in enumerate(chosen)
    ]
    if abstains or len(pointed) == len(chosen):
        reason = "nothing here speaks of it closely enough"
        if pointed:
            reason = "nothing current speaks of it closely enough, but the archive may"
        current = [each for each in remembered if each.memory.id not in pointed]
        archived = tuple(each for each in remembered if each.memory.id in pointed)
        return Abstained(
            question, scope, reason, confidence, current[0] if current else None, archived=archived
        )
    left_out = [
        LeftOut(each.memory, Reason.DUPLICATE, twin.memory.id) for (_, each), (_, twin) in twins
    ]
    if question.budget is not None:
        remembered, beyond = _within(remembered, candidates, question.budget)
        left_out += beyond
    return Recollected(
        question,
        scope,
        tuple(each for each in remembered if each.memory.id not in pointed),
        confidence,
        tuple(left_out),
        tuple(
            sorted(
                (each for each in remembered if each.memory.id in pointed),
                key=lambda each: -each.fit,
            )
        ),
    )


def _within(
    remembered: Sequence[Remembered], candidates: Sequence[Candidate], budget: int
) -> tuple[list[Remembered], list[LeftOut]]:
    """Return what fits a budget of tokens; where room is scarce, what adds most goes first."""
    gists = [gist(each.memory.content) for each in candidates]

    def alike(one: int, other: int) -> float:
        ours, theirs = candidates[one].vector, candidates[other].vector
        if ours is not None and theirs is not None:
            return float(ours @ theirs)
        return likeness(gists[one], gists[other])

    order = diversified([each.fit for each in remembered], alike)
    kept, beyond = packed([remembered[at].text for at in order], budget)
    fitting = [
        replace(remembered[order[each.at]], shortened=each.text)
        if each.shortened
        else remembered[order[each.at]]
        for each in kept
    ]
    return fitting, [LeftOut(remembered[order[at]].memory, Reason.BUDGET) for at in beyond]
