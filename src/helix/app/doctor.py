"""Looking a memory over: the file, the record, the models, the clock, the scope."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import chain
from urllib.parse import urlsplit

from helix.app.context import Context
from helix.app.embedder_settings import SERVED
from helix.app.models import changed, way_to
from helix.app.servers import EMBEDDER, ONLINE, Server
from helix.app.switching import standing
from helix.app.upkeep import Upkeep
from helix.app.wiring import reached
from helix.ledger.verifying import Sound
from helix.model.errors import HelixError
from helix.model.memory import Status
from helix.model.moment import text_of
from helix.model.scope import GLOBAL
from helix.ports.enrichment import WORDS_ONLY
from helix.ports.health import Finding
from helix.ports.reranker import RerankerUnavailable
from helix.rules.addresses import is_loopback
from helix.rules.counting import how_many

CLOCK_SLACK = timedelta(minutes=5)


def examine(context: Context, progress: Callable[[int], None] = lambda _: None) -> list[Finding]:
    """Return every finding, the file's first."""
    looks: list[tuple[str, Callable[[], Iterable[Finding]]]] = [
        ("ledger", lambda: [_ledger(context, progress)]),
        ("projection", lambda: [_projection(context)]),
        ("retention", lambda: [_retention(context)]),
        ("review", lambda: [_review(context)]),
        ("embedder", lambda: [_embedder(context)]),
        ("switch", lambda: _switch(context)),
        ("reranker", lambda: _reranker(context)),
        ("language model", lambda: _language_models(context)),
        ("clock", lambda: [_clock(context)]),
        ("scope", lambda: [_scope(context)]),
    ]
    return [
        *context.store.examine(),
        *chain.from_iterable(_found(name, look) for name, look in looks),
        Finding("python", "ok", f"Python {platform.python_version()} on {platform.system()}"),
    ]


def _found(name: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what a look found; where it met damage, that, and the next look is taken."""
    try:
        return list(look())
    except HelixError as error:
        return [Finding(name, "fault", error.message, error.remedy)]


def _ledger(context: Context, progress: Callable[[int], None]) -> Finding:
    found = Upkeep(context).verify(progress)
    if isinstance(found, Sound):
        also = f" and {found.conclusions:,} conclusions" if found.conclusions else ""
        gone = f"; {found.purged:,} were purged by age" if found.purged else ""
        return Finding(
            "ledger", "ok", f"{how_many(found.records, 'record')}{also}, every seal holds{gone}"
        )
    if found.memory:
        says = f"every seal holds, but memory {found.memory}: {found.fault}"
        return Finding("ledger", "fault", says, "run `helix rebuild`: it folds the memories again")
    what = "conclusion" if found.conclusion else "record"
    return Finding(
        "ledger",
        "fault",
        f"{what} {found.position}: {found.fault}",
        "do not write any more; restore the latest backup and compare",
    )


def _projection(context: Context) -> Finding:
    tenant = context.realm.tenant
    with context.store.reading() as unit:
        behind = unit.ledger.head(tenant).position - unit.projection.checkpoint(tenant)
    if behind == 0:
        return Finding("projection", "ok", "it has read the whole ledger")
    if behind < 0:
        return Finding(
            "projection",
            "fault",
            f"it has read {how_many(-behind, 'record')} more than the ledger holds",
            "restore the latest backup; `helix rebuild` would go on without them",
        )
    return Finding(
        "projection", "fault", f"it is {behind} records away from the ledger", "run `helix rebuild`"
    )


def _retention(context: Context) -> Finding:
    if context.keep_days is None:
        return Finding("retention", "ok", "off: the ledger keeps everything")
    from helix.app.retaining import Retaining  # noqa: PLC0415 - only where it is set

    due = Retaining(context).look()
    says = f"the ledger keeps what happened for {context.keep_days:g} days"
    if not due.positions:
        return Finding("retention", "ok", f"{says}; nothing older has stepped back")
    says += f"; {len(due.positions):,} older records have stepped back"
    return Finding("retention", "ok", says, "`helix retain --export FILE` writes and purges them")


def _review(context: Context) -> Finding:
    with context.store.reading() as unit:
        counts = unit.projection.counts(context.realm)
    held = sum(number for _, _, status, number in counts if status == Status.QUARANTINED)
    if not held:
        return Finding("review", "ok", "nothing is held back")
    says = f"{held:,} {'memory is' if held == 1 else 'memories are'} held back"
    return Finding("review", "warning", says, "`helix review` shows them, and why")


def _embedder(context: Context) -> Finding:
    embedder, found = context.embedder(), standing(context)
    if embedder is None and found.serving not in ("", WORDS_ONLY):
        return Finding(
            "embedder",
            "warning",
            f"words only: {found.serving} serves this store and cannot be used here",
            way_to(found.serving),
        )
    if embedder is None:
        says = "words only" + ("" if not found.serving else ", as chosen")
        return Finding("embedder", "ok", says, "`helix models list` shows what there is")
    if changed(embedder.name, context.home):
        says = f"{embedder.name}: its files are damaged, or of another version of Helix"
        name = embedder.name.partition("/")[0]
        return Finding(
            "embedder", "warning", says, f"`helix models install {name}` builds them anew"
        )
    says = f"{embedder.name}: {embedder.cost}"
    if server := _server_of(embedder.name, context):
        there = reached(server)
        says += f"; {there.says}"
        if not there.ready:
            remedy = there.remedy or _remedy(
                server, 'with `model = "none"` there, words alone answer'
            )
            return Finding("embedder", "warning", says, remedy)
    waiting = Upkeep(context).lag().memories
    says += f"; {waiting:,} memories wait to be embedded"
    return Finding("embedder", "ok", says, "`helix enrich`" if waiting else "")


def _server_of(embedder: str, context: Context) -> Server | None:
    """Return the server behind an embedder; one that runs in this process has none."""
    if not embedder.startswith(SERVED):
        return None
    return next((each for each in context.servers() if each.table == EMBEDDER), None)


def _switch(context: Context) -> list[Finding]:
    found = standing(context)
    if not found.coming:
        return []
    says = (
        f"to {found.coming}: {found.come_so_far:,} of {found.memories:,} memories;"
        f" until then {found.serving} answers"
    )
    return [Finding("switch", "ok", says, "`helix enrich` carries it on, as does any open Helix")]


def _reranker(context: Context) -> list[Finding]:
    if context.reranker is None:
        return []
    try:
        context.reranker.scores("Can you read this?", ["Yes."])
    except RerankerUnavailable as error:
        return [Finding("reranker", "warning", error.message, error.remedy)]
    says = f"{context.reranker.name} reads the best candidates again"
    return [Finding("reranker", "ok", says)]


def _language_models(context: Context) -> list[Finding]:
    return [_language_model(each) for each in context.servers() if each.table != EMBEDDER]


def _language_model(server: Server) -> Finding:
    name = "language model (online)" if server.table == ONLINE else "language model"
    found = reached(server)
    place = urlsplit(server.url)  # without a password: the settings refuse one
    whose = "on this machine" if is_loopback(place.hostname) else "to which texts are sent"
    says = f"{server.provider}: {server.model} at {place.netloc}, {whose}"
    if found.ready:
        return Finding(name, "ok", f"{says}; {found.says}")
    remedy = found.remedy or _remedy(server, "until then sleep concludes without it")
    return Finding(name, "warning", f"{says}; {found.says}", remedy)


def _remedy(server: Server, meanwhile: str) -> str:
    return f"start the server, or correct `url` below [{server.table}] in the settings; {meanwhile}"


def _clock(context: Context) -> Finding:
    with context.store.reading() as unit:
        newest = unit.ledger.head(context.realm.tenant).recorded_at
    ahead = newest - context.clock.now()
    if ahead > CLOCK_SLACK:
        return Finding(
            "clock",
            "warning",
            f"the newest record is dated {text_of(newest)}, later than this machine's clock",
            "set the clock; until then new records are dated just after the newest one",
        )
    return Finding("clock", "ok", "this machine's clock agrees with the record")


def _scope(context: Context) -> Finding:
    says = f"{context.realm.scope} ({context.scope_reason})"
    if context.realm.scope == GLOBAL:
        return Finding(
            "scope", "ok", says, "inside a git repository, memories belong to that project"
        )
    return Finding("scope", "ok", says)
