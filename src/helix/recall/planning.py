"""From a question to what is looked for: a standpoint in time, and words."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from helix.model.errors import BadInput
from helix.model.question import AsOf, Question, Standpoint, View
from helix.recall.packing import CITATION, FEWEST
from helix.rules.words import query_words, quoted_phrases

MOST_ANSWERS = 1_000
LEAST_BUDGET = FEWEST + CITATION


def planned(question: Question) -> Question:
    """Return the question with its view settled, or raise `BadInput`."""
    if not 1 <= question.limit <= MOST_ANSWERS:
        raise BadInput(
            f"{question.limit} answers cannot be given",
            code="out_of_range",
            remedy=f"ask for 1 to {MOST_ANSWERS}",
        )
    if question.budget is not None and question.budget < LEAST_BUDGET:
        raise BadInput(
            f"an answer does not fit into {question.budget} tokens",
            code="budget_too_small",
            remedy=f"allow {LEAST_BUDGET} or more",
        )
    if question.as_of is not None:
        return replace(question, view=View.AS_OF)
    if question.view is View.AS_OF:
        raise BadInput(
            "the view as_of needs a moment",
            code="moment_missing",
            remedy="say what was true on a day, or what was believed on a day, or both",
        )
    return question


def standpoint(question: Question, now: datetime) -> Standpoint:
    """Return where on both time axes a question stands."""
    as_of = question.as_of or AsOf()
    return Standpoint(
        view=question.view,
        true_on=as_of.true_on or as_of.believed_on or now,
        believed_on=as_of.believed_on,
    )


def asked_words(question: Question) -> tuple[str, ...]:
    """Return the phrases and words to look for, phrases first."""
    return tuple(dict.fromkeys((*quoted_phrases(question.text), *query_words(question.text))))
