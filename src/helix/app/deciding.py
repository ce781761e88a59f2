"""Deciding on what is held: what people and agents say about a memory that is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from helix.app.bounds import Moment, moment_or_none
from helix.app.context import Context
from helix.app.recording import Written, check_not_entombed, record
from helix.app.whose import is_forgotten, is_pinned, users_decision
from helix.app.withholding import outcome_as_seen
from helix.capture import acting, judging
from helix.model.act import Act
from helix.model.edge import Edge
from helix.model.experience import Statement
from helix.model.memory import Memory
from helix.model.outcome import Kept
from helix.model.scope import Realm, narrower
from helix.ports.store import Unit
from helix.rules.naming import fingerprint
from helix.rules.validity import check_not_expired, nearest_moment, present_of


class Deciding:
    """Corrects, confirms, relates, pins, lets step back and brings back; see `Helix`."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def correct(
        self,
        memory_id: str,
        content: str,
        *,
        since: Moment | None,
        always: bool,
        valid_to: Moment | None,
        expires_at: Moment | None,
        importance_hint: float | None,
        attributes: Mapping[str, object] | None,
    ) -> Kept:
        """See `Helix.correct`."""
        context = self._context
        with context.store.writing() as unit:
            old, now = context.visible(unit, memory_id), context.now(unit)
            statement = Statement(
                content=content,
                source=context.source,
                type=old.type,
                importance_hint=importance_hint,
                valid_from=old.belief.valid_from if always else moment_or_none(since),
                valid_to=moment_or_none(valid_to),
                expires_at=moment_or_none(expires_at),
                attributes=attributes or {},
                waits_for=context.waits_for,
            )
            taken = partial(unit.projection.taken, context.realm.tenant)
            act = acting.corrected(old, statement, context.schema, taken, context.gates, now=now)
            users_pin = users_decision(unit, context, old, is_pinned)
            judging.check_correctable(old, context.source, users_pin=users_pin)
            check_not_entombed(unit, context.realm, context.source, act.by.content)
            by = act.by
            at = nearest_moment(now, by.valid_from, by.valid_to, by.expires_at)
            alike = unit.projection.alike(old.realm, fingerprint(by.type, by.content), at)
            if alike is not None:
                raise judging.already_held(old, alike)
            written = self._record(unit, act, old.realm)
            return Kept(written.memory, written.position)

    def confirm(self, memory_id: str) -> Kept:
        """See `Helix.confirm`."""
        return self._judge(
            memory_id, lambda _, memory: judging.confirmed(memory, self._context.source)
        )

    def forget(self, memory_id: str, reason: str) -> Kept:
        """See `Helix.forget`."""

        def judge(unit: Unit, memory: Memory) -> Act:
            users_pin = users_decision(unit, self._context, memory, is_pinned)
            return judging.forgotten(memory, self._context.source, reason, users_pin=users_pin)

        return self._judge(memory_id, judge)

    def restore(self, memory_id: str) -> Kept:
        """See `Helix.restore`."""

        def judge(unit: Unit, memory: Memory) -> Act:
            alike, now = None, self._context.now(unit)
            if memory.fingerprint:
                at = present_of(memory, now)
                alike = unit.projection.alike(memory.realm, memory.fingerprint, at)
            user_forgot = users_decision(unit, self._context, memory, is_forgotten)
            act = judging.restored(memory, self._context.source, alike, user_forgot=user_forgot)
            check_not_expired(memory, now)
            return act

        return self._judge(memory_id, judge)

    def pin(self, memory_id: str, *, pinned: bool) -> Kept:
        """See `Helix.pin`."""

        def judge(unit: Unit, memory: Memory) -> Act:
            users_pin = users_decision(unit, self._context, memory, is_pinned)
            return judging.pinned(memory, self._context.source, pin=pinned, users_pin=users_pin)

        return self._judge(memory_id, judge)

    def relate(self, from_id: str, relation: str, to_id: str, weight: float) -> Edge:
        """See `Helix.relate`."""
        context = self._context
        with context.store.writing() as unit:
            start = context.visible(unit, from_id)
            end = context.visible(unit, to_id)
            act = judging.related(start, relation, end, context.source, weight)
            standing = unit.projection.neighbours(context.realm, start.id, relations=[act.relation])
            for edge in standing:
                if (edge.from_id, edge.to_id) == (start.id, end.id):
                    return edge
            return self._record(unit, act, narrower(start.realm, end.realm)).edge

    def _judge(self, memory_id: str, judge: Callable[[Unit, Memory], Act]) -> Kept:
        with self._context.store.writing() as unit:
            memory = self._context.visible(unit, memory_id)
            written = self._record(unit, judge(unit, memory), memory.realm)
            return outcome_as_seen(self._context.source, Kept(written.memory, written.position))

    def _record(self, unit: Unit, act: Act, realm: Realm) -> Written:
        context = self._context
        context.nudge()
        return record(
            unit, act, realm, context.chance.event_id(),
            clock=context.clock, chance=context.chance,
        )  # fmt: skip
