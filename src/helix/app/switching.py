"""Which embedder answers in this store, and changing it while questions are answered."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from helix.app.context import Context
from helix.ports.embedder import Embedder, EmbedderUnavailable
from helix.ports.enrichment import WORDS_ONLY

LOOKS_PER_SECOND = 5
"""How often somebody who watches another worker's switch looks how far it is."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The model that serves and, during a switch, the one that is coming and how far it is."""

    serving: str
    coming: str
    memories: int = 0
    waiting_for_coming: int = 0

    @property
    def come_so_far(self) -> int:
        """How many memories the coming model knows already."""
        return self.memories - self.waiting_for_coming


def standing(context: Context) -> Standing:
    """Return which models serve this store, and how far each has come."""
    with context.store.reading() as unit:
        serving, coming = unit.serving.current(), unit.serving.coming()
        if not coming:
            return Standing(serving, coming)
        # Under no name at all everything waits. Counting reads the whole table, so it is
        # done only while somebody wants to know how far a switch has come.
        total, waiting = (unit.enrichment.lag(model).memories for model in ("", coming))
        return Standing(serving, coming, total, waiting)


def begin(context: Context, embedder: Embedder | None) -> None:
    """Owe the switch to an embedder, or with None to words alone.

    The embedder is tried first: a switch to one that cannot embed would never end.
    """
    from helix.enrichment.workflow import name_of, owe_switch  # noqa: PLC0415 - numpy

    if embedder is not None:
        embedder.embed(["Can you read this?"])
    with context.store.writing() as unit:
        owe_switch(unit, context.realm, name_of(embedder), context.clock)


def carry_on(
    context: Context,
    progress: Callable[[int], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Bring the switch that is owed to its end; True if it is, False if it was stopped.

    If another process is at it, wait and watch; if that one dies, go on in its place.
    """
    from helix.enrichment.workflow import clear_away, switch  # noqa: PLC0415 - numpy

    known = standing(context)
    told = known.come_so_far

    def told_more(number: int) -> None:
        nonlocal told
        told += number
        progress(number)

    while not stop():
        if switch(
            context.store, context.named_embedder, context.clock, worker_name(),
            stop=stop, progress=told_more,
        ):  # fmt: skip
            clear_away(context.store, stop)
            return True
        now = standing(context)
        if now.coming and now.coming != WORDS_ONLY:
            _check_usable(context, now.coming)
        told_more(max(0, now.come_so_far - told))
        time.sleep(1 / LOOKS_PER_SECOND)
    return False


def worker_name() -> str:
    """Return the name under which this process leases work."""
    return f"process {os.getpid()}"


def _check_usable(context: Context, model: str) -> None:
    if context.named_embedder(model) is None:
        raise EmbedderUnavailable(
            f"{model} cannot be used here",
            code="model_not_installed",
            remedy="`helix models list` shows what can; the old model goes on serving",
        )
