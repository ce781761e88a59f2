"""Keeping faded memories' vectors coarsely, and embedding again what is needed again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from helix.app.context import Context
from helix.archive.workflow import Precision, Round, precision
from helix.model.memory import Status
from helix.ports.embedder import LETTERS_EMBEDDED, Embedder
from helix.ports.lives import START, Cursor
from helix.ports.store import Unit
from helix.rules.similarity import packed
from helix.rules.word_by_word import packed_words

Progress = Callable[[int], None]
Shares = tuple[tuple[int, int, int], ...]
"""(bits a dimension, vectors, bytes)."""


@dataclass(frozen=True, slots=True)
class Compressed:
    """What was done to the vectors of a realm, or would be; the shares before and after."""

    model: str
    looked_at: int
    coarser: int
    finer: int
    before: Shares
    after: Shares
    dry_run: bool


def compress(
    context: Context,
    embedder: Embedder,
    now: Callable[[Unit], datetime],
    *,
    dry_run: bool = False,
    progress: Progress = lambda _: None,
) -> Compressed:
    """Bring every vector of the realm to the precision its memory calls for.

    What is needed again is embedded again from its words; nothing else brings back what
    rounding took away.
    """
    before = _shares(context, embedder.name)
    looked_at = coarser = finer = 0
    for status in (Status.ACTIVE, Status.ARCHIVED):
        after: Cursor | None = START
        while after is not None:
            found = _look(context, embedder.name, status, now, after)
            if not dry_run:
                _carry_out(context, embedder, found)
            looked_at += found.looked_at
            coarser += len(found.coarser)
            finer += len(found.finer)
            progress(found.looked_at)
            after = found.after
    return Compressed(
        embedder.name, looked_at, coarser, finer, before, _shares(context, embedder.name), dry_run
    )


def _look(
    context: Context, model: str, status: Status, now: Callable[[Unit], datetime], after: Cursor
) -> Precision:
    with context.store.reading() as unit:
        about = Round(unit, context.realm, now(unit), context.policy)
        return precision(about, model, status, after)


def _carry_out(context: Context, embedder: Embedder, found: Precision) -> None:
    vectors = _embedded_again(context, embedder, found.finer)
    if found.coarser or vectors:
        with context.store.writing() as unit:
            unit.enrichment.coarsen(context.realm, embedder.name, found.coarser)
            unit.enrichment.refine(context.realm, embedder.name, vectors)


def _embedded_again(
    context: Context, embedder: Embedder, memory_ids: Sequence[str]
) -> dict[str, tuple[bytes, bytes]]:
    with context.store.reading() as unit:
        held = [unit.projection.memory(context.realm, each) for each in memory_ids]
    memories = [each for each in held if each is not None]
    if not memories:
        return {}
    found = embedder.embed_with_words([each.content[:LETTERS_EMBEDDED] for each in memories])
    return {
        each.id: (packed(made.vector), packed_words(made.words, made.rows))
        for each, made in zip(memories, found, strict=True)
    }


def _shares(context: Context, model: str) -> Shares:
    with context.store.reading() as unit:
        return tuple(unit.enrichment.precisions(context.realm, model))
