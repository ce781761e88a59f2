"""Answering a question: what was captured a moment ago is embedded, then memory is asked."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from helix.app.context import Context
from helix.app.elsewhere import answer_here
from helix.app.uncollected import uncollected
from helix.app.withholding import unseen_by
from helix.model.errors import StoreUnavailable
from helix.model.question import Question
from helix.model.recollection import Recollection
from helix.ports.embedder import Embedder, EmbedderUnreachable
from helix.ports.store import Unit
from helix.recall.scoring import Tuning
from helix.recall.workflow import recall

FRESH = 16
"""Memories that a recall embeds itself before it answers, if no more than these wait."""


def answered(
    context: Context, asked: Question, tuning: Tuning | None
) -> tuple[Recollection, datetime]:
    """Return what memory answers, and the moment for which it does."""
    context.nudge()
    by_words = tuning is not None and "meaning" in tuning.switched_off
    embedder = None if by_words else context.embedder()
    asks = embedder.for_a_question() if embedder is not None else None
    if embedder is not None and asks is not None and not context.store.read_only:
        _freshen(context, embedder, asks, asked)
    with uncollected(), context.store.reading() as unit:
        now = context.now(unit)
        answer = recall(
            unit, context.realm, asked, now,
            embedder=_still_serving(context, unit, asks), reranker=context.reranker,
            policy=context.policy, tuning=tuning or Tuning(context.policy.ranker),
            unseen=unseen_by(context.source),
        )  # fmt: skip
        answer = answer_here(unit, context.realm, answer)
        if context.figures is not None:
            context.figures.asked(unit, context, answer, now)
    return answer, now


def _freshen(context: Context, embedder: Embedder, asks: Embedder, asked: Question) -> None:
    # What was captured a moment ago is found by meaning as well, within bounds. Loaded here:
    # without an embedder nobody should wait for numpy.
    from helix.enrichment.workflow import enrich  # noqa: PLC0415

    # A question never waits for a writer: it is answered without this while the store is
    # busy, and also while the disk is full, and while a server cannot be reached. That is found
    # out with the question itself, for which nobody waits long; what is fresh may take longer.
    with suppress(StoreUnavailable, EmbedderUnreachable):
        if not asks.at_hand:
            if not _waits(context, embedder):
                return
            asks.embed([asked.text])
        enrich(context.store, embedder, if_at_most=FRESH, wait=False)


def _waits(context: Context, embedder: Embedder) -> bool:
    """Return whether anything waits, and not too much of it."""
    with context.store.reading() as unit:
        return 0 < len(unit.enrichment.waiting(embedder.name, FRESH + 1)) <= FRESH


def _still_serving(context: Context, unit: Unit, embedder: Embedder | None) -> Embedder | None:
    # Another process may have switched since; the view tells whose vectors it holds.
    if embedder is None or unit.serving.current() in ("", embedder.name):
        return embedder
    other = context.named_embedder(unit.serving.current())
    return other.for_a_question() if other is not None else None
