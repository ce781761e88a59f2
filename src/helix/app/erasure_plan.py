"""What an erasure takes along, and what is said anew because it shared a record with it.

An id is made of a memory's words: whatever act is about an erased memory goes too, and so
does what was concluded from it or made of it. What only replaced it is said anew without its
name, with everything that was decided about it since.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from helix.ledger.workflow import Told, tell
from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import ChangeSet
from helix.model.memory import Memory, Status
from helix.model.note import Note
from helix.ports.store import Unit
from helix.projection.erasing import scrubbed
from helix.rules.moving import Placed, moved
from helix.rules.naming import episode_id
from helix.rules.subjects import Subject
from helix.rules.written import ids_in

ALL = 1_000_000


@dataclass
class Plan:
    """What will be destroyed, and what must be said again because it shared a record with it.

    `anew` are the acts at some of the positions as they are said anew. `asked_for` are memories
    that go because they are meant, and not because of what they rest on; `subject` is whom all
    of it names, where that is what was asked for.
    """

    positions: dict[int, Told] = field(default_factory=dict)
    memory_ids: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    anew: dict[int, Act] = field(default_factory=dict)
    journal: dict[int, ChangeSet] = field(default_factory=dict)
    asked_for: list[Memory] = field(default_factory=list)
    subject: Subject | None = None

    @property
    def reborn(self) -> set[str]:
        """The memories that are said anew, under their own ids."""
        return {
            statement.memory_id
            for act in self.anew.values()
            if (statement := act if isinstance(act, acts.Asserted) else getattr(act, "by", None))
        }

    @property
    def unrecorded(self) -> list[Memory]:
        """The memories that are asked for and that no record brought about: conclusions."""
        recorded = {each for told in self.positions.values() for each in born(told)}
        return [each for each in self.asked_for if each.id not in recorded]

    @property
    def going(self) -> dict[int, Told]:
        """The records that are not said anew."""
        return {at: told for at, told in self.positions.items() if at not in self.anew}

    def take(self, told: Told) -> None:
        """Let a record go, with the memory it brought about."""
        self.positions[told.record.position] = told
        self.memory_ids |= born(told)
        self.texts += contents(told)


def follow(unit: Unit, tenant: str, plan: Plan) -> None:
    """Complete a plan with all that goes along, until nothing more is found."""
    entries = unit.journal.entries(tenant, 0, limit=ALL)
    found = -1
    while found < len(plan.memory_ids) + len(plan.positions):
        found = len(plan.memory_ids) + len(plan.positions)
        concluded, plan.journal = scrubbed(entries, plan.memory_ids, plan.going)
        for memory_id in concluded - plan.memory_ids:
            memory = unit.projection.held(tenant, memory_id)
            plan.texts += [] if memory is None else [memory.content]
        plan.memory_ids |= concluded
        for told in tell(unit.ledger, tenant):
            _follow_act(unit, told, plan)
    if not plan.anew:
        return
    plan.anew = moved(_placed(unit, tenant), plan.anew, plan.going)
    for position in plan.anew.keys() - plan.positions.keys():
        record = unit.ledger.at(tenant, position)
        if record is not None:
            plan.positions[position] = Told(record, plan.anew[position])


def _follow_act(unit: Unit, told: Told, plan: Plan) -> None:
    act, position = told.act, told.record.position
    if act is None or plan.memory_ids.isdisjoint(ids_in(act)):
        return
    if position in plan.positions and position not in plan.anew:
        return
    plan.positions[position] = told
    match act:
        case acts.Promoted() | acts.Asserted():
            # It rests on what goes, and says the same; or it is what goes.
            plan.take(told)
            plan.anew.pop(position, None)
        case acts.Corrected(by=statement) if statement.memory_id in plan.memory_ids:
            plan.texts.append(statement.content)
            plan.anew.pop(position, None)
        case acts.Corrected(by=statement):
            held = unit.projection.held(told.record.realm.tenant, statement.memory_id)
            if held is None or held.status is Status.SUPERSEDED:
                # Of what was itself replaced since, only the replacement is said anew.
                plan.take(told)
                plan.anew.pop(position, None)
            else:
                plan.anew[position] = _carried(unit, act, held, plan)
        case _:
            plan.anew.pop(position, None)


def _carried(unit: Unit, act: acts.Corrected, held: Memory, plan: Plan) -> Act:
    """Return what a correction says, without the name of what it replaced."""
    tenant = held.realm.tenant
    statement = _disinherited(act.by, unit.projection.held(tenant, act.corrects))
    if statement.suspicion is None:
        # Sleep may have come to suspect it.
        statement = replace(statement, suspicion=held.belief.suspicion)
    before = unit.projection.held(tenant, _before(act.corrects, plan))
    if before is None or before.status is not Status.SUPERSEDED:
        # Nothing was replaced in the end, or it was brought back since.
        return statement
    return acts.Corrected(before.id, statement)


def _before(memory_id: str, plan: Plan) -> str:
    """Return what something that goes had replaced, as far back as that goes too."""
    replaced = {
        act.by.memory_id: act.corrects
        for told in plan.positions.values()
        if isinstance(act := told.act, acts.Corrected)
    }
    while memory_id in plan.memory_ids:
        memory_id = replaced.get(memory_id, "")
    return memory_id


def _disinherited(statement: acts.Asserted, old: Memory | None) -> acts.Asserted:
    # A correction takes over what it leaves open; what it took from the erased one goes too.
    if old is None:
        return statement
    own = {name: each for name, each in statement.attributes.items() if name not in old.attributes
           or old.attributes[name] != each}  # fmt: skip
    event_time = None if statement.event_time == old.event_time else statement.event_time
    return replace(statement, attributes=own, event_time=event_time)


def _placed(unit: Unit, tenant: str) -> Iterator[Placed]:
    for told in tell(unit.ledger, tenant):
        record = told.record
        if told.act is None or isinstance(told.act, acts.Captured):
            continue
        touched = unit.projection.touched_by(tenant, record.position).memories
        yield Placed(record.position, record.recorded_at, told.act, touched)


def born(told: Told) -> set[str]:
    """Return the id of the memory that a record brought about, if it did."""
    match told.act:
        case acts.Captured(content=content):
            return {episode_id(content, told.record.position)}
        case acts.Asserted(memory_id=memory_id):
            return {memory_id}
        case acts.Corrected(by=statement) | acts.Promoted(by=statement):
            return {statement.memory_id}
        case _:
            return set()


def contents(told: Told) -> list[str]:
    """Return what a record says is so, or happened."""
    match told.act:
        case acts.Captured(content=content) | acts.Asserted(content=content):
            return [content]
        case acts.Corrected(by=statement) | acts.Promoted(by=statement):
            return [statement.content]
        case _:
            return []
