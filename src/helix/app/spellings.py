"""Under which spellings an erased subject is searched for in raw bytes.

Words are kept in more places than records: errors, reports, replies. Whatever may have been
overlooked there would hold the name. But bytes cannot tell whose they are, so the name is only
searched for where nothing that stays holds its letters, and where nobody else has a ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from helix.app.context import Context
from helix.app.erasure_plan import ALL
from helix.ledger.workflow import tell
from helix.model.changes import PutMemory
from helix.ports.store import Unit
from helix.rules.subjects import Subject
from helix.rules.written import written_in, written_of


def spellings(context: Context, subject: Subject, texts: Collection[str]) -> frozenset[str]:
    """Return the spellings of a subject, in erased texts and otherwise, that no byte may hold."""
    tenant = context.realm.tenant
    with context.store.reading() as unit:
        alone = list(unit.ledger.tenants()) == [tenant]
        if not alone or subject.might_be_in(_living(unit, tenant)):
            return frozenset()
    return subject.spellings(texts)


def _living(unit: Unit, tenant: str) -> Iterator[str]:
    """Yield every text that stays, and from which all others are made."""
    for told in tell(unit.ledger, tenant):
        record = told.record
        # Headers are sealed, and stay when a payload goes.
        yield from (record.event_id, record.realm.owner, record.realm.scope, tenant)
        if told.act is not None and record.payload is not None:
            yield record.payload.body.decode(errors="replace")
            yield from written_in(told.act)  # without the escapes of the payload
    for note in unit.scratchpad.every(tenant):
        yield from (str(note), note.content)
    for entry in unit.journal.entries(tenant, 0, limit=ALL):
        yield str(entry.change_set)
        for change in (*entry.change_set.changes, *entry.change_set.undo):
            if isinstance(change, PutMemory):
                yield from written_of(change.memory)
    yield from _names(unit, tenant)


def _names(unit: Unit, tenant: str) -> Iterator[str]:
    """Yield how models and machines are called that worked on the store, and why they did."""
    yield from (name for name, _ in unit.enrichment.models())
    for job in (*unit.jobs.waiting(tenant), *unit.jobs.dead(tenant)):
        yield from (job.reason, job.leased_by)
    number = 1
    while run := unit.runs.run(tenant, number):
        yield from (run.reason, run.concluded_by)
        number += 1
