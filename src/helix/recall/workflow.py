"""Answering a question: the only module here that touches a port."""

from __future__ import annotations

from datetime import datetime

from helix.model.question import Question
from helix.model.recollection import Abstained, Recollected, Recollection, Remembered
from helix.model.scope import Realm
from helix.ports.projection import Projection
from helix.recall.planning import asked_words, planned, standpoint


def recall(projection: Projection, asker: Realm, question: Question, now: datetime) -> Recollection:
    """Return what memory holds for a question, best first, or why it does not know.

    `now` must not lie before the newest record, or what was just corrected would still
    seem to hold.
    """
    question = planned(question)
    words = asked_words(question)
    if not words:
        return Abstained(question, asker.scope, "the question has no words to look for")
    hits = projection.by_words(
        asker, words, standpoint(question, now), types=question.types, limit=question.limit
    )
    if not hits:
        return Abstained(question, asker.scope, "nothing here speaks of it")
    best = max(hits[0].score, 1e-9)
    found = tuple(Remembered(hit.memory, hit.score / best, hit.matched) for hit in hits)
    return Recollected(question, asker.scope, found)
