"""The past: what changed, when and by whom; and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from helix.app.bounds import FURTHEST, bounded, paged
from helix.app.context import Context
from helix.app.elsewhere import told_here
from helix.app.recording import record
from helix.app.telling import LogEntry, entry_of
from helix.app.way_back import blocked
from helix.app.withholding import entry_as_seen, memory_as_seen, touched
from helix.capture.admission import admitted_note
from helix.capture.judging import already_held
from helix.ledger.workflow import purge_of, told
from helix.model.act import RolledBack
from helix.model.changes import Change, PutMemory
from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin
from helix.model.record import Record
from helix.model.scope import may_read, visible_from
from helix.ports.store import Unit
from helix.projection.undoing import obstacles
from helix.rules.validity import present_of

MOST_UNDONE = 100_000
_HAPPENED = frozenset({"session_started", "session_ended", "erased", "purged"})
"""What cannot be undone: it was so."""
_OTHER_WAYS = {"purged": "`helix retain --restore FILE` brings back what was exported before"}
"""How to get back what undoing cannot bring."""


@dataclass(frozen=True, slots=True)
class Undone:
    """A rollback in its place: which acts it undid and the memories that changed by it."""

    position: int
    undone: tuple[int, ...]
    memories: tuple[Memory, ...]


class History:
    """Reads the ledger backwards, and takes acts back by appending to it."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def log(self, limit: int = 20, before: int | None = None) -> Sequence[LogEntry]:
        """Return what was recorded in this scope and globally, newest first."""
        asker = self._context.realm
        with self._context.store.reading() as unit:
            records = unit.ledger.recent(
                visible_from(asker), before=paged(before), limit=bounded(limit)
            )
            return [self._entry(unit, each) for each in records]

    def rollback(
        self,
        position: int | None = None,
        *,
        to: int | None = None,
        with_episodes: bool = False,
        reason: str = "",
    ) -> Undone:
        """Undo one act, or everything decided in this scope after a position.

        What happened is not undone by undoing decisions: episodes stay unless
        `with_episodes` asks for them to step back as well. Raises `Conflict`, and changes
        nothing, if a later act builds on one that would be undone.
        """
        if (position is None) == (to is None):
            raise BadInput(
                "say either which act to undo or to which position to return",
                code="rollback_unclear",
                remedy="give one of the two; `helix log` shows the positions",
            )
        context = self._context
        with context.store.writing() as unit:
            positions: tuple[int, ...]
            if position is not None:
                # Written where the act stood: whoever sees what it changed sees it undone.
                positions, realm = (position,), self._one(unit, position).realm
            else:
                positions = self._after(unit, to or 0, with_episodes=with_episodes)
                realm = context.realm
            self._check_person(unit, positions)
            before = self._touched(unit, positions)
            self._check_seen(before.values())
            self._check(unit, positions)
            act = RolledBack(positions, context.source, admitted_note(reason, context.gates))
            written = record(
                unit, act, realm, context.chance.event_id(),
                clock=context.clock, chance=context.chance,
            )  # fmt: skip
            self._check_alike(unit, written.changes, before)
            changed = (each.memory for each in written.changes if isinstance(each, PutMemory))
            seen = tuple(memory_as_seen(context.source, each) for each in changed)
            return Undone(written.position, positions, seen)

    def _entry(self, unit: Unit, record: Record) -> LogEntry:
        asker, tenant = self._context.realm, self._context.realm.tenant
        purge = None if record.payload else purge_of(unit.ledger, tenant, record.position)
        held = touched(unit, tenant, record.position)
        # A record in `global` may have cut short what only one project holds.
        seen = tuple(each for each in held if may_read(asker, each.realm))
        said = told_here(unit, asker, told(record))
        entry = entry_of(said, tuple(each.id for each in seen), purge)
        return entry_as_seen(self._context.source, entry, seen)

    def _one(self, unit: Unit, position: int) -> Record:
        asker = self._context.realm
        found = unit.ledger.at(asker.tenant, position) if 0 < position < FURTHEST else None
        if found is None or found.realm not in visible_from(asker):
            raise NotFound(
                f"no act {position} is visible from {asker.scope}",
                code="unknown_position",
                remedy="`helix log` shows the positions",
            )
        if found.kind in _HAPPENED or found.payload is None:
            raise Conflict(
                f"act {position} ({found.kind}) cannot be undone",
                code="not_undoable",
                remedy=_OTHER_WAYS.get(found.kind, "`helix log` shows what else changed"),
            )
        return found

    def _after(self, unit: Unit, to: int, *, with_episodes: bool) -> tuple[int, ...]:
        asker = self._context.realm
        head = unit.ledger.head(asker.tenant).position
        if not 0 <= to <= head:
            raise NotFound(
                f"there is no position {to}; the ledger ends at {head}",
                code="unknown_position",
                remedy="`helix log` shows the positions",
            )
        kept = _HAPPENED if with_episodes else _HAPPENED | {"captured"}
        records = unit.ledger.recent([asker], after=to, limit=MOST_UNDONE + 1)
        positions = [
            each.position for each in records if each.kind not in kept and each.payload is not None
        ]
        if not positions:
            raise Conflict(
                f"nothing was decided in {asker.scope} after position {to}",
                code="nothing_to_undo",
                remedy="`helix log` shows what there is",
            )
        if len(records) > MOST_UNDONE:
            raise BadInput(
                f"more than {MOST_UNDONE:,} records follow position {to}",
                code="too_much_to_undo",
                remedy="return in several steps, to later positions first",
            )
        return tuple(sorted(positions))

    def _check_person(self, unit: Unit, positions: tuple[int, ...]) -> None:
        # An agent that could undo what the user decided could undo a rejection.
        if self._context.source.origin is Origin.USER_ASSERTED:
            return
        for position in positions:
            record = unit.ledger.at(self._context.realm.tenant, position)
            entry = None if record is None else entry_of(told(record))
            if entry is not None and entry.origin == Origin.USER_ASSERTED:
                raise Conflict(
                    f"act {position} is the user's; an agent cannot undo it",
                    code="needs_the_user",
                    remedy="let the user run `helix rollback`",
                )

    def _check_seen(self, touched: Iterable[Memory]) -> None:
        # What cannot be seen from here is not changed from here either, nor told of by undoing.
        asker = self._context.realm
        if not all(may_read(asker, each.realm) for each in touched):
            raise Conflict(
                f"this would change something that cannot be seen from {asker.scope}",
                code="changes_unseen",
                remedy="undo it where all that it changed is seen, as in the project it is about",
            )

    def _check(self, unit: Unit, positions: tuple[int, ...]) -> None:
        found = obstacles(self._context.realm.tenant, positions, unit.projection)
        if found:
            raise blocked(unit, self._context.realm, found[0])

    def _touched(self, unit: Unit, positions: tuple[int, ...]) -> dict[str, Memory]:
        """Return by id, as they stand, the memories that the acts touched."""
        tenant = self._context.realm.tenant
        ids = {each for at in positions for each in unit.projection.touched_by(tenant, at).memories}
        held = (unit.projection.held(tenant, each) for each in sorted(ids))
        return {each.id: each for each in held if each is not None}

    def _check_alike(
        self, unit: Unit, changes: Sequence[Change], before: Mapping[str, Memory]
    ) -> None:
        # Raising inside the transaction undoes the rollback that was just written.
        now = self._context.now(unit)
        for change in changes:
            if isinstance(change, PutMemory) and _comes_back(before[change.memory.id], change):
                memory = change.memory
                other = unit.projection.alike(
                    memory.realm, memory.fingerprint, present_of(memory, now), memory.id
                )
                if other is not None:
                    raise already_held(memory, other)


def _comes_back(before: Memory, change: PutMemory) -> bool:
    """Return whether a memory holds at a time at which it did not."""
    was, now = before.belief, change.memory.belief
    spans = [(each.status, each.valid_from, each.valid_to) for each in (was, now)]
    return now.status is Status.ACTIVE and spans[0] != spans[1]
