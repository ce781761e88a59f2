"""Looking after a store: what it holds, whether it is sound, and folding it anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from time import monotonic, sleep

from helix.app.context import Context
from helix.app.switching import Standing, standing
from helix.ledger.verifying import Broken, Sound
from helix.ledger.workflow import verify
from helix.model.errors import StoreUnavailable
from helix.model.record import Head
from helix.model.scope import PROJECT_PREFIX
from helix.ports.enrichment import WORDS_ONLY, Lag
from helix.projection.workflow import compared, first_unlike, rebuild
from helix.rules.importance import SLEEP_AT

UNNAMED = "?"
"""Stands for the id of a memory of which not even that can be read."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is visible from here: counts by scope, type and status, and the sleep budget."""

    scope: str
    scope_reason: str
    records: int
    head: Head
    counts: tuple[tuple[str, str, str, int], ...]
    budget: float
    budget_due: float
    lag: Lag
    models: Standing


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What folding everything again showed; `differences` is empty when it was equal."""

    records: int
    differences: tuple[str, ...]
    repaired: bool


class Upkeep:
    """Verifying, rebuilding, counting."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def status(self) -> Holdings:
        """Return what is visible from here."""
        realm = self._context.realm
        lag, models = self.lag(), standing(self._context)
        with self._context.store.reading() as unit:
            head = unit.ledger.head(realm.tenant)
            return Holdings(
                scope=realm.scope,
                scope_reason=self._context.scope_reason,
                records=head.position,
                head=head,
                counts=tuple(unit.projection.counts(realm)),
                budget=unit.projection.importance_budget(realm) / 1000,
                budget_due=SLEEP_AT / 1000,
                lag=lag,
                models=models,
            )

    def projects(self) -> Sequence[str]:
        """Return the scope of every project of the owner that was ever written to, sorted."""
        realm = self._context.realm
        with self._context.store.reading() as unit:
            held = [each for each in unit.ledger.realms(realm.tenant) if each.owner == realm.owner]
        return [each.scope for each in held if each.scope.startswith(PROJECT_PREFIX)]

    def verify(self, progress: Progress = lambda _: None) -> Sound | Broken:
        """Check every seal of the tenant's ledger and journal, and what memories say against it.

        A ledger or a journal that was cut short is broken. What is believed about memories is
        not compared here but by `rebuild`, which folds everything again.
        """
        tenant = self._context.realm.tenant
        with self._context.store.reading() as unit:
            found = verify(unit.ledger, tenant, progress)
            if isinstance(found, Broken):
                return found
            folded = unit.projection.checkpoint(tenant)
            if folded > found.records:
                missing = f"it is missing: the projection had read to position {folded}"
                return Broken(found.records + 1, missing)
            broken = unit.journal.first_broken(tenant)
            if broken is not None:
                return Broken(*broken, conclusion=True)
            try:
                unlike = first_unlike(unit, tenant)
            except StoreUnavailable as error:
                return Broken(0, error.message, memory=UNNAMED)
            if unlike is not None:
                return Broken(unlike.position, unlike.fault, memory=unlike.memory)
            return replace(found, conclusions=unit.journal.last(tenant))

    def length(self) -> int:
        """Return how many records there are to verify; 0 where even that cannot be read."""
        with suppress(StoreUnavailable), self._context.store.reading() as unit:
            return unit.ledger.head(self._context.realm.tenant).position
        return 0

    def lag(self) -> Lag:
        """Return how much waits to be enriched."""
        embedder = self._context.embedder()
        with self._context.store.reading() as unit:
            return unit.enrichment.lag(embedder.name if embedder else WORDS_ONLY)

    def enrich(self, progress: Progress = lambda _: None) -> int:
        """Embed and read for entities whatever waits; return how many memories were.

        What was embedded before words had vectors is given these.
        """
        from helix.enrichment.words import give_words  # noqa: PLC0415 - numpy, only when needed
        from helix.enrichment.workflow import enrich, mend  # noqa: PLC0415 - as above

        store, embedder = self._context.store, self._context.embedder()
        mend(store)
        done = enrich(store, embedder, progress=progress)
        return done + give_words(store, embedder, progress=progress)

    def tend(self, seconds: float | None = None) -> None:
        """Enrich what waits and carry a switch of models on, unless another process does.

        At most half of the time, and for about so many seconds if any are given.
        """
        from helix.app.tending import rounds  # noqa: PLC0415 - numpy, only when needed

        until = inf if seconds is None else monotonic() + seconds

        def rested(took: float) -> bool:
            sleep(max(0.0, min(took, until - monotonic())))
            return monotonic() < until

        rounds(self._context, rested)

    def rebuild(self, *, check_only: bool = False, progress: Progress = lambda _: None) -> Rebuilt:
        """Fold ledger and journal again and compare; where they differ, put the new one in place.

        Comparing happens on a private copy, so writers are not held up. Only a repair
        holds them up, for as long as the folding takes.
        """
        tenant = self._context.realm.tenant
        store = self._context.store
        differences = tuple(compared(store, tenant, progress))
        repair = bool(differences) and not check_only
        if repair:
            rebuild(store, tenant, progress)
        with store.reading() as unit:
            records = unit.ledger.head(tenant).position
        return Rebuilt(records, differences, repair)
