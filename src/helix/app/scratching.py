"""The scratchpad as its holder sees it: write a note, read it, drop it, keep it.

Notes are outside the record. Whoever comes by (the next note, the end of a session, a run of
sleep, a process that is idle) copies what is past its age into the ledger. A note leaves in
the transaction that writes its episode, and the episode bears the note's own event id: killed
at any moment, it is there once, on one side or the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from helix.app.context import Context
from helix.app.events import event_in
from helix.app.recording import ENTOMBED, entombed, record, reused
from helix.capture import acting
from helix.capture.admission import admitted_name, readable
from helix.ledger.workflow import told
from helix.model.act import Captured
from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.experience import Experience
from helix.model.memory import Memory
from helix.model.note import Note, Noted, Read, Settled
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.record import Record
from helix.ports.store import Unit
from helix.rules.naming import note_id
from helix.rules.promotion import SCRATCH_AGE, goes_for_good, leaves_the_scratchpad

LONGEST_NOTE = 20_000
"""Letters. What is longer is a document, or wants to be an episode at once."""

MOST_NOTES = 500
"""Notes in one scope at a time; half an hour of work writes a few dozen."""

MOST_LYING = 4 * MOST_NOTES
"""With those that were dropped and can still be kept: they make room, but not without end."""

AT_ONCE = 100
"""Notes that one who comes by settles; the next one goes on."""


class Scratching:
    """The scratchpad of the scope a memory is open in."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def add(
        self,
        content: str,
        *,
        session: str = "",
        importance_hint: float | None = None,
        event_id: str | None = None,
    ) -> Noted | Kept | Joined | Skipped:
        """Write a note. What screening holds back is captured for review at once (`Kept`).

        The same `event_id` again with the same content writes nothing: the note is `Noted`
        again or, if it has become an episode, `Joined`. With other content it raises `Conflict`.
        """
        context = self._context
        act = self._admitted(content, session, importance_hint, event_id)
        with context.store.writing() as unit:
            now = context.now(unit)
            settled(unit, context, now)
            if entombed(unit, context.realm, context.source, act.content):
                return Skipped(ENTOMBED)
            lying = unit.scratchpad.notes(context.realm, MOST_LYING)
            standing = [each for each in lying if each.dropped_at is None]
            if event_id and (again := self._again(unit, act, standing)) is not None:
                return again
            for each in lying:
                if event_id and each.event_id == event_id:
                    unit.scratchpad.remove(each)  # it was dropped, and is noted anew
            if act.suspicion is not None and act.suspicion.held:
                # Nobody may read back what a person has not looked at.
                written = _recorded(unit, context, act)
                return Kept(written, written.position)
            if len(standing) >= MOST_NOTES or len(lying) >= MOST_LYING:
                raise Conflict(
                    f"the scratchpad of {context.realm.scope} is full: {MOST_NOTES} notes",
                    code="scratchpad_full",
                    remedy="drop or keep some of them, or capture this at once",
                )
            note = Note(
                realm=context.realm,
                id=note_id(act.content, act.circumstances.event_id, context.realm),
                event_id=act.circumstances.event_id,
                content=act.content,
                source=act.source,
                noted_at=now,
                session=act.circumstances.session,
                importance_hint=act.importance_hint,
            )
            unit.scratchpad.put(note)
            return Noted(note)

    def notes(self, session: str = "", *, dropped: bool = False) -> Sequence[Note]:
        """Return the notes of this scope, oldest first; looking them over is no reading.

        With `session` only those of one; with `dropped` those that were dropped instead.
        """
        self._come_by()
        with self._context.store.reading() as unit:
            found = unit.scratchpad.notes(self._context.realm, MOST_LYING)
        return tuple(
            each
            for each in found
            if (each.dropped_at is not None) is dropped and session in ("", each.session)
        )

    def read(self, name: str) -> Read:
        """Return a note. Read for the second time it becomes an episode, and leaves."""
        context = self._context
        with context.store.writing() as unit:
            now = context.now(unit)
            note = self._standing(unit, name)
            note = replace(note, reads=note.reads + 1)
            unit.scratchpad.put(note)
            settled(unit, context, now)
            if unit.scratchpad.note(note.realm, note.id) is None:
                return Read(note, _become(unit, note))
            if leaves_the_scratchpad(now - note.noted_at, note.reads):
                return Read(note, _copied(unit, context, note))
            return Read(note)

    def drop(self, name: str) -> Note:
        """Let a note become nothing. For half an hour `keep` brings it back; then it is gone."""
        context = self._context
        with context.store.writing() as unit:
            now = context.now(unit)
            note = replace(self._standing(unit, name), dropped_at=now)
            # Dropped first: what is dropped at the last moment is not copied on the way.
            unit.scratchpad.put(note)
            settled(unit, context, now)
            return note

    def keep(self, name: str) -> Kept | Skipped:
        """Copy a note into the ledger now, also one that was dropped."""
        context = self._context
        with context.store.writing() as unit:
            note = self._found(unit, name)
            memory = _copied(unit, context, note)
            settled(unit, context, context.now(unit))
            return Skipped(ENTOMBED) if memory is None else Kept(memory, memory.position)

    def settle(self) -> Settled:
        """Copy every note of this tenant that is past its age, and destroy what was dropped."""
        copied: list[Memory] = []
        gone = 0
        while self._due():
            with self._context.store.writing() as unit:
                done = settled(unit, self._context, self._context.now(unit))
            copied += done.copied
            gone += done.gone
        return Settled(tuple(copied), gone)

    def _due(self) -> bool:
        with self._context.store.reading() as unit:
            now = self._context.now(unit)
            tenant = self._context.realm.tenant
            return bool(unit.scratchpad.settling(tenant, now - SCRATCH_AGE, 1))

    def _come_by(self) -> None:
        if not self._context.store.read_only:
            self.settle()

    def _admitted(
        self, content: str, session: str, importance_hint: float | None, event_id: str | None
    ) -> Captured:
        context = self._context
        act = acting.captured(
            Experience(
                content=content,
                source=context.source,
                event_id=event_id or context.chance.event_id(),
                session=session,
                importance_hint=importance_hint,
                waits_for=context.waits_for,
            ),
            context.gates,
        )
        if len(act.content) > LONGEST_NOTE:
            raise BadInput(
                f"the note has {len(act.content):,} characters; at most {LONGEST_NOTE:,} are taken",
                code="content_too_long",
                remedy="note what matters of it, or capture it at once",
            )
        return act

    def _again(self, unit: Unit, act: Captured, standing: Sequence[Note]) -> Noted | Joined | None:
        event_id = act.circumstances.event_id
        for note in standing:
            if note.event_id == event_id:
                if (note.content, note.session) == (act.content, act.circumstances.session):
                    return Noted(note, again=True)
                raise reused(event_id)
        earlier, _ = event_in(unit.ledger, self._context.realm, event_id)
        if earlier is None:
            return None
        if not _says(earlier, act):
            raise reused(event_id)
        memory = unit.projection.born_at(earlier.realm.tenant, earlier.position)
        if memory is None:
            raise reused(event_id)
        return Joined(memory, earlier.position)

    def _found(self, unit: Unit, name: str) -> Note:
        name = admitted_name(readable(name), "a note")
        note = unit.scratchpad.note(self._context.realm, name)
        if note is None:
            raise NotFound(
                f"no note {name!r} is on the scratchpad of {self._context.realm.scope}",
                code="unknown_note",
                remedy="`helix scratch` lists them; half an hour old, they are episodes",
            )
        return note

    def _standing(self, unit: Unit, name: str) -> Note:
        note = self._found(unit, name)
        if note.dropped_at is not None:
            raise Conflict(
                f"{note.id} was dropped",
                code="note_dropped",
                remedy=f"`helix scratch keep {note.id}` brings it back, as an episode",
            )
        return note


def settled(unit: Unit, context: Context, now: datetime) -> Settled:
    """Settle what is past its age, up to a bound; nothing changes where nothing is."""
    copied, gone = [], 0
    for note in unit.scratchpad.settling(context.realm.tenant, now - SCRATCH_AGE, AT_ONCE):
        if note.dropped_at is not None:
            if goes_for_good(now - note.dropped_at):
                gone += unit.scratchpad.remove(note)
        elif leaves_the_scratchpad(now - note.noted_at, note.reads):
            memory = _copied(unit, context, note)
            copied += [] if memory is None else [memory]
    return Settled(tuple(copied), gone)


def come_by(context: Context) -> Settled:
    """Settle what is past its age, for whoever has something else to do here as well."""
    return Scratching(context).settle()


def _copied(unit: Unit, context: Context, note: Note) -> Memory | None:
    """Write a note down as an episode and take it off the scratchpad.

    None if its words were erased meanwhile and may not come back.
    """
    unit.scratchpad.remove(note)
    if entombed(unit, note.realm, note.source, note.content):
        return None
    become = _become(unit, note)
    if become is not None:
        return become
    experience = Experience(
        content=note.content,
        source=note.source,
        event_id=note.event_id,
        session=note.session,
        occurred_at=note.noted_at,
        importance_hint=note.importance_hint,
    )
    # It passed the gates when it was written; what they let through then, nobody reads again
    # before it is here. The screens look once more, as rules may have come since.
    return _recorded(unit, replace(context, realm=note.realm), acting.captured(experience, ()))


def _recorded(unit: Unit, context: Context, act: Captured) -> Memory:
    _, event_id = event_in(unit.ledger, context.realm, act.circumstances.event_id)
    return record(
        unit, act, context.realm, event_id, clock=context.clock, chance=context.chance
    ).memory


def _become(unit: Unit, note: Note) -> Memory | None:
    found, _ = event_in(unit.ledger, note.realm, note.event_id)
    return None if found is None else unit.projection.born_at(note.realm.tenant, found.position)


def _says(earlier: Record, act: Captured) -> bool:
    before = None if earlier.payload is None else told(earlier).act
    return isinstance(before, Captured) and (before.content, before.circumstances.session) == (
        act.content,
        act.circumstances.session,
    )
