"""Taking in what happened and what is held to be so: each once, and nothing that was erased."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from helix.app.context import Context
from helix.app.events import event_in
from helix.app.recording import ENTOMBED, entombed, record, reused
from helix.capture import acting
from helix.ledger.workflow import told
from helix.model.act import Asserted, Captured
from helix.model.experience import Experience, Statement
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.record import Record
from helix.model.scope import Realm
from helix.ports.store import Unit
from helix.rules.event_ids import as_given
from helix.rules.naming import fingerprint
from helix.rules.validity import nearest_moment


def capture(
    context: Context, experience: Experience, *, named: bool, cites: Sequence[str]
) -> Kept | Joined | Skipped:
    """Write down something that happened; `named` says that the caller gave the event its id."""
    act = acting.captured(experience, context.gates)
    with context.store.writing() as unit:
        if entombed(unit, context.realm, context.source, act.content):
            return Skipped(ENTOMBED)
        event_id = experience.event_id
        if named:
            earlier, event_id = event_in(unit.ledger, context.realm, event_id)
            if earlier is not None:
                return _again(unit, earlier, act)
        return _kept(context, unit, act, context.realm, event_id, cites)


def remember(
    context: Context,
    statement: Statement,
    realm: Realm,
    *,
    event_id: str | None,
    cites: Sequence[str],
) -> Kept | Joined | Skipped:
    """Hold something to be so in a realm, unless it is held there in the same words."""
    with context.store.writing() as unit:
        taken = partial(unit.projection.taken, context.realm.tenant)
        act = acting.asserted(statement, context.schema, taken, context.gates)
        if event_id:
            earlier, event_id = event_in(unit.ledger, realm, event_id)
            if earlier is not None:
                return _again(unit, earlier, act)
        now = context.now(unit)
        acting.check_has_time(act, now)
        # What has ended, expired or not begun would not answer: then it is said anew.
        at = nearest_moment(now, act.valid_from, act.valid_to, act.expires_at)
        alike = unit.projection.alike(realm, fingerprint(act.type, act.content), at)
        if alike is not None:
            # Before tombs are asked: the user may have said it again, or undone a rejection.
            return Joined(alike, alike.position)
        if entombed(unit, context.realm, context.source, act.content):
            return Skipped(ENTOMBED)
        return _kept(context, unit, act, realm, event_id or context.chance.event_id(), cites)


def _kept(  # noqa: PLR0917 - one private step of both
    context: Context, unit: Unit, act: Captured | Asserted, realm: Realm, event_id: str,
    cites: Sequence[str],
) -> Kept:  # fmt: skip
    context.nudge()
    written = record(unit, act, realm, event_id, clock=context.clock, chance=context.chance)
    memory = written.memory
    if cites:
        # Loaded here: few writes cite, and a hook should not wait for it.
        from helix.app.lifecycle import Lifecycle  # noqa: PLC0415

        Lifecycle(context).cited(unit, cites, memory)
    return Kept(memory, written.position)


def _again(unit: Unit, earlier: Record, act: Captured | Asserted) -> Joined | Skipped:
    if earlier.payload is None:
        return Skipped("this event was erased and is not taken in again")
    if acting.repeats(act, told(earlier).act):
        memory = unit.projection.born_at(earlier.realm.tenant, earlier.position)
        if memory is not None:
            return Joined(memory, earlier.position)
    raise reused(as_given(earlier.event_id))
