"""Enriching what waits, and switching models: the only module here that touches a port.

enrich: read what waits → embed, read for names → compare with what is held → keep, batch by batch
switch: the same for the model that is coming, under a lease → it takes over when it has
        caught up → what the old one kept is cleared away
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

from helix.enrichment.comparing import Near, compared
from helix.model.memory import Memory
from helix.model.scope import GLOBAL, Realm
from helix.ports.clock import Clock
from helix.ports.embedder import LETTERS_EMBEDDED, Embedder, EmbedderUnavailable
from helix.ports.enrichment import WORDS_ONLY, Enriched
from helix.ports.jobs import UNTOLD, Job
from helix.ports.store import Store, Unit
from helix.rules import references
from helix.rules.entities import entities, key
from helix.rules.secrets.redacting import redacted
from helix.rules.similarity import as_kept, packed, stacked
from helix.rules.surprise import NEIGHBOURS
from helix.rules.word_by_word import packed_words

if TYPE_CHECKING:
    from helix.ports.embedder import Vectors

BATCH = 64
"""Memories embedded together; the transaction that keeps them is short."""

SWITCH = "switch-embedder"
"""The kind of job under which one process at a time carries a switch on."""

ENRICH = "enrich"
"""The kind of job under which one process at a time enriches in the background."""

LEASE = timedelta(seconds=15)
"""A lease is renewed with every batch; a worker that died is waited for no longer than this."""

RETRY_AFTER = timedelta(seconds=30)
NEVER_DEAD = 1_000_000
"""A switch is given up by its owner alone, however often a process died over it."""

CLEARED_AT_ONCE = 1_000
"""Vectors of a former model that are dropped in one transaction."""

Named = Callable[[str], Embedder | None]
"""Finds an embedder by its name, if it can be used here."""


def enrich(
    store: Store,
    embedder: Embedder | None,
    *,
    if_at_most: int | None = None,
    seconds: float | None = None,
    wait: bool = True,
    at_once: int = BATCH,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Enrich what waits, and return how many memories were.

    With `if_at_most`, only if no more than so many wait: a question should not have to
    wait for an import to be embedded. With `seconds`, stop after about so long. Without
    `wait`, a store that is being written raises `StoreUnavailable` at once. `at_once` is
    how many are embedded together.
    """
    if if_at_most is not None and len(_waiting(store, embedder, if_at_most + 1)) > if_at_most:
        return 0
    started = monotonic()
    done = 0
    while not stop() and (batch := _waiting(store, embedder, at_once)):
        enriched = _enriched(store, batch, embedder)
        with store.writing(wait=wait) as unit:
            if not _serves(unit, embedder):
                break
            _keep(unit, embedder, enriched)
        done += len(batch)
        progress(len(batch))
        if seconds is not None and monotonic() - started >= seconds:
            break
    return done


def enrich_in_turn(
    store: Store,
    realm: Realm,
    embedder: Embedder | None,
    clock: Clock,
    worker: str,
    *,
    at_once: int,
    pause: Callable[[float], bool],
) -> int:
    """Enrich what waits unless another worker is at it; return how many memories were.

    `pause` is told after each batch how many seconds it took, and says whether to go on.
    """
    if not _waiting(store, embedder, 1):
        return 0
    with store.writing() as unit:
        _owe(unit, realm, ENRICH, "memories wait", clock)
        job = unit.jobs.lease(worker, clock.now(), LEASE, [ENRICH])
    done, go_on = 0, True
    while job is not None and go_on:
        started = monotonic()
        now_done = enrich(store, embedder, seconds=0, at_once=at_once)
        done += now_done
        with store.writing() as unit:
            if now_done < at_once:
                unit.jobs.finish(job, clock.now())
                break
            job = unit.jobs.renew(job, clock.now(), LEASE)
        go_on = pause(monotonic() - started)
    if not go_on:
        _give_back(store, job, clock, "stopped", timedelta(0))
    return done


def mend(store: Store) -> int:
    """Set right vectors that cannot be read, where any came to be; return how many."""
    with store.reading() as unit:
        owed = unit.enrichment.unmended()
    if not owed or store.read_only:
        return 0
    with store.writing() as unit:
        return unit.enrichment.mend()


def name_of(embedder: Embedder | None) -> str:
    """Return the name under which an embedder's work is kept."""
    return embedder.name if embedder else WORDS_ONLY


def owe_switch(unit: Unit, realm: Realm, model: str, clock: Clock) -> None:
    """Let a model take over once it has caught up; whoever is idle carries it on."""
    unit.serving.prepare(model)
    if unit.serving.coming():
        _owe(unit, realm, SWITCH, f"to {model}", clock)


def switch(
    store: Store,
    named: Named,
    clock: Clock,
    worker: str,
    *,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda _: None,
) -> bool:
    """Carry a switch on from where it stands; True once no model is coming any more.

    False if it was stopped, if another worker has it, or if the model cannot be used here.
    The old model serves until the new one has come as far; then it takes over in one
    transaction. Dying at any moment costs at most one batch of work.
    """
    with store.reading() as unit:
        coming = unit.serving.coming()
    if coming and (coming == WORDS_ONLY or named(coming) is not None):
        with store.writing() as unit:
            job = unit.jobs.lease(worker, clock.now(), LEASE, [SWITCH])
        if job is not None:
            _carry_on(store, job, named, clock, stop, progress)
        with store.reading() as unit:
            coming = unit.serving.coming()
    return not coming


def clear_away(store: Store, stop: Callable[[], bool] = lambda: False) -> None:
    """Drop what models kept that serve no more, a little at a time."""
    with store.reading() as unit:
        former = unit.serving.left_over()
    while former and not stop():
        with store.writing() as unit:
            # Looked up again: one of them may have been asked for meanwhile.
            former = unit.serving.left_over()
            if former:
                unit.enrichment.drop(former[0], CLEARED_AT_ONCE)
                former = unit.serving.left_over()


def _owe(unit: Unit, realm: Realm, kind: str, reason: str, clock: Clock) -> None:
    """Owe a piece of work for the whole store, once: not again while somebody is at it."""
    if all(job.kind != kind for job in unit.jobs.waiting(realm.tenant)):
        unit.jobs.enqueue(realm.in_scope(GLOBAL), kind, reason, clock.now())


def _carry_on(  # noqa: PLR0917 - one private step of `switch`
    store: Store, job: Job, named: Named, clock: Clock, stop: Callable[[], bool],
    progress: Callable[[int], None],
) -> None:  # fmt: skip
    held: Job | None = job
    head = 0
    try:
        while held is not None and not stop():
            with store.reading() as unit:
                head = unit.ledger.head(job.realm.tenant).position
            held, done = _one_batch(store, held, named, clock)
            progress(done)
    except EmbedderUnavailable as error:
        _give_back(store, held, clock, redacted(error.message), RETRY_AFTER, head)
        raise
    if held is not None:
        _give_back(store, held, clock, "stopped", timedelta(0))


def _one_batch(store: Store, job: Job, named: Named, clock: Clock) -> tuple[Job | None, int]:
    """Embed and keep one batch; return the lease if it is still held and there is more."""
    with store.reading() as unit:
        coming = unit.serving.coming()
    embedder = named(coming) if coming not in ("", WORDS_ONLY) else None
    batch = _waiting(store, embedder, BATCH) if coming else []
    enriched = _enriched(store, batch, embedder)
    with store.writing() as unit:
        held = unit.jobs.renew(job, clock.now(), LEASE)
        if held is None:
            return None, 0
        if coming != unit.serving.coming():
            return held, 0
        if coming:
            _keep(unit, embedder, enriched)
        if not coming or (len(batch) < BATCH and unit.serving.take_over(coming)):
            unit.jobs.finish(held, clock.now())
            return None, len(batch)
    return held, len(batch)


def _give_back(  # noqa: PLR0917 - the job, and what becomes of it
    store: Store, job: Job | None, clock: Clock, reason: str, retry_after: timedelta,
    head: int | None = None,
) -> None:  # fmt: skip
    """Owe a job again. `head` is where the ledger ended before it failed, where it did."""
    if job is None:
        return
    with store.writing() as unit:
        if head is not None and unit.ledger.destroyed_since(job.realm.tenant, head):
            reason = UNTOLD
        unit.jobs.fail(job, reason, clock.now(), retry_after=retry_after, max_attempts=NEVER_DEAD)


def _waiting(store: Store, embedder: Embedder | None, limit: int) -> Sequence[tuple[int, Memory]]:
    with store.reading() as unit:
        return unit.enrichment.waiting(name_of(embedder), limit)


def _serves(unit: Unit, embedder: Embedder | None) -> bool:
    """Tell whether what this embedder makes is wanted; the first one ever used is adopted."""
    return embedder is None or unit.serving.adopt(embedder.name) == embedder.name


def _keep(unit: Unit, embedder: Embedder | None, enriched: Sequence[Enriched]) -> None:
    unit.enrichment.keep(name_of(embedder), embedder.dimension if embedder else 0, enriched)


def _enriched(
    store: Store, batch: Sequence[tuple[int, Memory]], embedder: Embedder | None
) -> Sequence[Enriched]:
    read = [_read(number, memory.content) for number, memory in batch]
    if embedder is None or not batch:
        return read
    texts = [memory.content[:LETTERS_EMBEDDED] for _, memory in batch]
    made = embedder.embed_with_words(texts)
    vectors = as_kept(stacked([each.vector for each in made]))
    found = compared(batch, vectors, _held(store, batch, embedder.name, vectors))
    return [
        replace(
            each, vector=packed(vector), words=packed_words(whole.words, whole.rows),
            novelty=beside.novelty, similar=beside.similar,
        )
        for each, vector, whole, beside in zip(read, vectors, made, found, strict=True)
    ]  # fmt: skip


def _read(number: int, content: str) -> Enriched:
    """Return what can be found out about a memory without a model."""
    held = entities(content)
    return Enriched(
        number, b"", tuple(map(key, held)),
        named=references.named(content, held), about=references.about(content, held),
    )  # fmt: skip


def _held(
    store: Store, batch: Sequence[tuple[int, Memory]], model: str, vectors: Vectors
) -> Sequence[Sequence[Near]]:
    """Return, for each memory of a batch, the nearest in its own realm."""
    by_realm: dict[Realm, list[int]] = {}
    for place, (_, memory) in enumerate(batch):
        by_realm.setdefault(memory.realm, []).append(place)
    held: dict[int, Sequence[Near]] = {}
    with store.reading() as unit:
        for realm, places in by_realm.items():
            nearest = unit.enrichment.nearest(realm, model, vectors[places], NEIGHBOURS)
            held.update(zip(places, nearest, strict=True))
    return [held[place] for place in range(len(batch))]
