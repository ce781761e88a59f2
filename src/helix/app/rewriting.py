"""Saying records anew: what held a secret goes, and what it told is told again without it.

A record cannot be changed in its place. So it is destroyed and said again at the ledger's end,
and with it, in their order, all later records that name a memory which it brought about: only
so is a correction still a correction, and what was forgotten still forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from helix.app.context import Context
from helix.app.erasure_plan import Plan, born
from helix.app.recording import record
from helix.ledger import workflow as ledger
from helix.ledger.encoding import VERSION, decode, encode, kind_of
from helix.ledger.workflow import Told, tell
from helix.model import act as acts
from helix.model.act import Act
from helix.model.memory import Memory, Status
from helix.model.scope import Realm, visible_from
from helix.ports.store import Unit
from helix.rules.naming import episode_id, fingerprint, memory_id
from helix.rules.tombs import tomb

A = TypeVar("A", bound=Act)
Said = TypeVar("Said", acts.Captured, acts.Asserted)

AS_BEFORE = "as it stood before its secret was taken out"


def named_by(going: Iterable[int], gone: Iterable[str], tellings: Iterable[Told]) -> Plan:
    """Return these records, and all that name what they brought about or what is gone."""
    plan = Plan(memory_ids=set(gone))
    wanted = set(going)
    for told in tellings:
        if told.act is None or isinstance(told.act, acts.Erased | acts.Purged):
            continue
        if told.record.position in wanted or _names(told.act, plan.memory_ids):
            plan.positions[told.record.position] = told
            plan.memory_ids |= born(told)
    return plan


def undone(tellings: Iterable[Told]) -> frozenset[int]:
    """Return the positions that a rollback took back, unless it was itself taken back."""
    rollbacks = [
        (told.record.position, told.act.positions)
        for told in tellings
        if isinstance(told.act, acts.RolledBack)
    ]
    found: set[int] = set()
    for position, positions in reversed(rollbacks):
        if position not in found:
            found.update(positions)
    return frozenset(found)


@dataclass
class Retelling:
    """Says the records of a plan again, one after the other, under the names they have now."""

    unit: Unit
    context: Context
    plan: Plan
    better: Mapping[int, Act]
    before: Mapping[str, Memory]
    """The memories that go, as they stood."""
    undone: frozenset[int]
    names: dict[str, str] = field(default_factory=dict)
    events: dict[tuple[Realm, str], str] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)

    def tell(self) -> int:
        """Append what is said anew; return how many records."""
        count = 0
        for position, told in sorted(self.plan.positions.items()):
            assert told.act is not None  # the plan holds whole records only
            act = self._again(told, self.better.get(position, told.act))
            if act is not None:
                self._append(told, act)
                count += 1
        return count

    def put_back(self) -> None:
        """Bring each memory to where it stood, once everything is folded again."""
        tenant = self.context.realm.tenant
        for old_id, new_id in self.names.items():
            old, new = self.before.get(old_id), self.unit.projection.held(tenant, new_id)
            if old is None or new is None or old.status is new.status:
                continue
            act = back_to(old.status, new_id, self.context)
            if act is not None:
                event_id = self.context.chance.event_id()
                clock, chance = self.context.clock, self.context.chance
                record(self.unit, act, new.realm, event_id, clock=clock, chance=chance)

    def _again(self, told: Told, act: Act) -> Act | None:
        match act:
            case acts.Captured():
                return self._captured(told, act)
            case acts.Asserted():
                return self._asserted(told, act)
            case acts.Corrected(corrects=ground, by=by) | acts.Promoted(promotes=ground, by=by):
                again = self._asserted(told, by)
                # What was taken back, or rests on a conclusion that goes, stands for itself.
                if told.record.position in self.undone or self._is_gone(ground):
                    return again
                return self._named(replace(act, by=again))
            case acts.RolledBack(positions=positions) | acts.Trusted(positions=positions):
                left = tuple(each for each in positions if each not in self.plan.positions)
                nothing = isinstance(act, acts.RolledBack) and not left
                return None if nothing else replace(act, positions=left)
            case _:
                return self._decided(told, act)

    def _decided(self, told: Told, act: Act) -> Act | None:
        if told.record.position in self.undone or any(map(self._is_gone, _strings(act))):
            return None
        act = self._named(act)
        if isinstance(act, acts.Rejected) and act.memory_id in self.contents and act.tomb:
            first = self.unit.ledger.at(told.record.realm.tenant, 1)
            assert first is not None  # it is read from this ledger
            return replace(act, tomb=tomb(first.seal, self.contents[act.memory_id]))
        return act

    def _captured(self, told: Told, act: acts.Captured) -> acts.Captured:
        around, held = act.circumstances, self._held(told)
        event_id = self.context.chance.event_id()
        realm = told.record.realm
        self.events[realm, around.event_id] = event_id
        parent = next(
            (
                self.events[each, around.parent_event_id]
                for each in visible_from(realm)
                if (each, around.parent_event_id) in self.events
            ),
            around.parent_event_id,
        )
        again = replace(
            self._named(act),
            circumstances=replace(around, event_id=event_id, parent_event_id=parent),
            occurred_at=act.occurred_at or told.record.recorded_at,
        )
        return _as_held(again, held)

    def _asserted(self, told: Told, act: acts.Asserted) -> acts.Asserted:
        (old_id,) = born(told)
        new_id = old_id
        if act.content != _statement(told).content:
            # The id is made of the words, and so of the secret.
            new_id = memory_id(act.content, fingerprint(act.type, act.content), self._taken)
        self.names[old_id] = new_id
        self.contents[new_id] = act.content
        again = replace(
            self._named(act), memory_id=new_id, valid_from=act.valid_from or told.record.recorded_at
        )
        return _as_held(again, self._held(told))

    def _append(self, told: Told, act: Act) -> None:
        context = self.context
        event_id = (
            act.circumstances.event_id
            if isinstance(act, acts.Captured)
            else context.chance.event_id()
        )
        written = ledger.append(
            self.unit.ledger, act, told.record.realm, event_id=event_id,
            now=context.clock.now(), chance=context.chance,
        )  # fmt: skip
        if isinstance(act, acts.Captured):
            (old_id,) = born(told)
            self.names[old_id] = episode_id(act.content, written.record.position)
            self.contents[self.names[old_id]] = act.content

    def _named(self, act: A) -> A:
        """Return an act with the names that memories have now."""
        names = {old: new for old, new in self.names.items() if old != new}
        if not names or not _names(act, names.keys()):
            return act
        plain = _renamed(json.loads(encode(act)), names)
        return cast("A", decode(kind_of(act), VERSION, json.dumps(plain).encode()))

    def _held(self, told: Told) -> Memory | None:
        return next((self.before[each] for each in born(told) if each in self.before), None)

    def _is_gone(self, name: str) -> bool:
        return name in self.plan.memory_ids and name not in self.names

    def _taken(self, name: str) -> bool:
        tenant = self.context.realm.tenant
        return name in self.contents or self.unit.projection.taken(tenant, name)


def back_to(status: Status, name: str, context: Context) -> Act | None:
    """Return the act that brings a memory which was said anew to where it stood."""
    match status:
        case Status.ACTIVE:
            return acts.Restored(name, context.source)
        case Status.ARCHIVED | Status.SUPERSEDED:
            # What sleep put in its place goes with it, and is concluded anew or not at all.
            return acts.Demoted(name, context.source, AS_BEFORE)
        case Status.FORGOTTEN | Status.REJECTED:
            return acts.Forgotten(name, context.source, AS_BEFORE)
        case _:
            return None


def planned(
    unit: Unit, tenant: str, going: Iterable[int], gone: Iterable[str],
    concluded: Callable[[Plan], set[str]],
) -> Plan:  # fmt: skip
    """Return all records that go, and all memories, however long the chain between them."""
    plan = named_by(going, gone, tell(unit.ledger, tenant))
    while True:
        more = concluded(plan) | plan.memory_ids
        if more == plan.memory_ids:
            return plan
        plan = named_by(going, more, tell(unit.ledger, tenant))


def _as_held(act: Said, held: Memory | None) -> Said:
    # What was decided about it meanwhile, by a person or by a better rating, stands.
    if held is None:
        return act
    return replace(act, importance_base=held.importance_base, suspicion=held.belief.suspicion)


def _statement(told: Told) -> acts.Asserted:
    statement = told.act if isinstance(told.act, acts.Asserted) else getattr(told.act, "by", None)
    assert isinstance(statement, acts.Asserted)  # only what states something is asked for it
    return statement


def _names(act: Act, ids: Iterable[str]) -> bool:
    known = set(ids)
    return bool(known) and not known.isdisjoint(_strings(act))


def _strings(act: Act) -> Iterator[str]:
    return _leaves(json.loads(encode(act)))


def _leaves(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from _leaves(part)
        case list():
            for part in value:
                yield from _leaves(part)


def _renamed(value: object, names: Mapping[str, str]) -> object:
    match value:
        case str():
            return names.get(value, value)
        case dict():
            return {name: _renamed(part, names) for name, part in value.items()}
        case list():
            return [_renamed(part, names) for part in value]
        case _:
            return value
