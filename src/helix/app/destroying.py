"""Carrying an erasure out, in one transaction: what goes, goes; what stays is as it was.

Everything is folded again afterwards, so whatever an erased act had done is undone. What the
user had decided about memories that stay is looked at before and after, and put right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from helix.app.concluding_again import conclude_again
from helix.app.context import Context
from helix.app.erasure_plan import ALL, Plan, contents, follow
from helix.ledger import workflow as ledger
from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import DropMemory
from helix.model.memory import Memory, Status
from helix.model.record import Head
from helix.model.scope import Realm
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.projection.erasing import unborn
from helix.projection.workflow import catch_up, fold_again
from helix.rules.moving import renumbered, step_to
from helix.rules.tombs import tomb
from helix.rules.written import ids_in


@dataclass(frozen=True, slots=True)
class Destroyed:
    """What one transaction did, and where the ledger ends after it.

    Of the memories that an erased act had closed, `reopened` stand again, and `kept_closed`
    were let step back.
    """

    conclusions: int
    head: Head
    reopened: tuple[Memory, ...] = ()
    kept_closed: tuple[Memory, ...] = ()


def destroy(unit: Unit, context: Context, plan: Plan, *, keep_closed: bool) -> Destroyed:
    """Destroy what a plan names and all that goes along; say anew what must stay.

    Where a correction goes, what it closed stands again, or with `keep_closed` steps back.
    """
    tenant = context.realm.tenant
    follow(unit, tenant, plan)
    before = _concerned(unit, tenant, plan, plan.positions)
    anew = {each.id for each in _concerned(unit, tenant, plan, plan.anew)}
    present = context.now(unit)
    said_by_others = {each.id: _alike(unit, each, present) for each in before}
    _scrub_journal(unit, tenant, plan)
    scrub_runs(unit, tenant)
    _erase(unit, context, plan)
    _say_anew(unit, context, plan)
    # Dropped by name first: statistics outlive a folding, and they are kept by id.
    held = [unit.projection.held(tenant, each) for each in sorted(plan.memory_ids)]
    drops = [DropMemory(each.realm, each.id) for each in held if each is not None]
    unit.projection.apply(tenant, drops, Stamp(unit.ledger.head(tenant).recorded_at, None))
    fold_again(unit, tenant)
    conclude_again(unit, tenant, plan, [each for each in before if each.id in anew])
    # Counted under ids, which hold words, and left alone by folding.
    unit.lives.forget_surfaced(tenant, sorted(plan.memory_ids))
    reopened: list[Memory] = []
    closed: list[Memory] = []
    for memory in before:
        now = unit.projection.held(tenant, memory.id)
        if now is None or now.status is memory.status:
            continue
        act = step_to(now, memory.status, context.source) if memory.id in anew else None
        if act is None and now.status is Status.ACTIVE:
            # What had closed it is gone. Of two in the same words, one is enough.
            if keep_closed or said_by_others[memory.id] or _says_the_same(now, reopened):
                act = acts.Forgotten(memory.id, context.source)
            (reopened if act is None else closed).append(now)
        if act is not None:
            append(unit, context, act, now.realm)
    catch_up(unit, tenant)
    head = unit.ledger.head(tenant)
    return Destroyed(len(plan.journal), head, tuple(reopened), tuple(closed))


def _concerned(unit: Unit, tenant: str, plan: Plan, positions: Iterable[int]) -> list[Memory]:
    """Return the memories that stay and are concerned by the acts at these positions."""
    ids: set[str] = set()
    for position in positions:
        act = plan.positions[position].act
        ids |= set(unit.projection.touched_by(tenant, position).memories)
        ids |= set() if act is None else set(ids_in(act))
    held = (unit.projection.held(tenant, each) for each in sorted(ids - plan.memory_ids))
    return [each for each in held if each is not None]


def _alike(unit: Unit, memory: Memory, at: datetime) -> bool:
    if not memory.fingerprint:
        return False
    found = unit.projection.alike(memory.realm, memory.fingerprint, at, apart_from=memory.id)
    return found is not None


def _says_the_same(memory: Memory, others: Iterable[Memory]) -> bool:
    return any(
        memory.fingerprint and (memory.realm, memory.fingerprint) == (each.realm, each.fingerprint)
        for each in others
    )


def _scrub_journal(unit: Unit, tenant: str, plan: Plan) -> None:
    """Take out of the journal what was concluded from what goes."""
    reborn = plan.reborn
    for entry in unit.journal.entries(tenant, 0, limit=ALL) if reborn else ():
        kept = plan.journal.get(entry.number, entry.change_set)
        changed = unborn(kept, reborn)
        if changed != kept:
            plan.journal[entry.number] = changed
    unit.journal.rewrite(tenant, plan.journal)


def _erase(unit: Unit, context: Context, plan: Plan) -> None:
    first = unit.ledger.at(context.realm.tenant, 1)
    for position, told in sorted(plan.positions.items()):
        # What is said anew was not erased: its words may come again.
        texts = contents(told) if position not in plan.anew else []
        grave = tomb(first.seal, texts[0]) if first and texts else ""
        ledger.erase(
            unit.ledger, told.record.realm, position, source=context.source,
            now=context.clock.now(), chance=context.chance, tomb=grave,
        )  # fmt: skip
    for memory in plan.unrecorded:
        # What it was concluded from may stay, and would bring it back word for word.
        ledger.note_erased(
            unit.ledger, memory.realm, source=context.source, now=context.clock.now(),
            chance=context.chance, tomb=tomb(first.seal, memory.content) if first else "",
        )  # fmt: skip


def _say_anew(unit: Unit, context: Context, plan: Plan) -> None:
    where: dict[int, int] = {}
    for position, act in plan.anew.items():
        realm = plan.positions[position].record.realm
        again = renumbered(act, lambda each: where.get(each, each))
        where[position] = append(unit, context, again, realm)


def append(unit: Unit, context: Context, act: Act, realm: Realm) -> int:
    """Write an act at the end of the ledger and return its position."""
    event_id = act.circumstances.event_id if isinstance(act, acts.Captured) else ""
    told = ledger.append(
        unit.ledger, act, realm, event_id=event_id or context.chance.event_id(),
        now=context.clock.now(), chance=context.chance,
    )  # fmt: skip
    return told.record.position


def scrub_runs(unit: Unit, tenant: str) -> None:
    """Take out of reports of sleep, work that failed and a model's replies the words they hold."""
    unit.replies.clear(tenant)
    unit.jobs.forget_errors(tenant)
    number = 1
    while run := unit.runs.run(tenant, number):
        passes = tuple(replace(each, passed=(), failed="") for each in run.passes)
        begun = None if run.begun is None else replace(run.begun, passed=(), failed="")
        unit.runs.save(replace(run, passes=passes, begun=begun))
        number += 1
