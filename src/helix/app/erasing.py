"""Erasing: destroying what its owner wants gone, wherever it lies, with a receipt.

Payloads, memories, words, vectors, edges and whatever Helix concluded from them go in one
transaction; then the files themselves are scoured, and their raw bytes are searched for what
was erased. The seals of the ledger stay: that something stood there can still be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from helix.app.context import Context
from helix.app.destroying import Destroyed, destroy
from helix.app.erasure_plan import ALL, Plan, born
from helix.app.leftovers import SHORTEST_NEEDLE, leftovers, scoured
from helix.app.receipts import About, Gone, Receipt
from helix.app.spellings import spellings
from helix.app.telling import entry_of
from helix.capture.admission import readable
from helix.ledger import workflow as ledger
from helix.ledger.workflow import Told, tell
from helix.model import act as acts
from helix.model.changes import PutMemory
from helix.model.errors import BadInput, Conflict, unknown_memory
from helix.model.memory import Memory
from helix.model.note import Note
from helix.model.provenance import Origin
from helix.model.scope import Realm, visible_from
from helix.ports.store import Unit
from helix.rules.naming import fingerprint
from helix.rules.secrets.redacting import redacted
from helix.rules.subjects import LONGEST, SHORTEST, Subject
from helix.rules.written import without_reason, written_in, written_of

LOG = "the log of the store"
"""What is left behind where the files could not be scoured, and no needle shows it."""

__all__ = ["About", "Erasing", "Gone", "Receipt"]


class Erasing:
    """Destroys single memories and whole subjects; lists what is held about one."""

    def __init__(self, context: Context, *, trial: bool = False) -> None:
        """Take what the facade works with; in a `trial` everything is taken back at the end."""
        self._context = context
        self._is_trial = trial

    def trial(self) -> Erasing:
        """Return one that tells what it would destroy, and changes nothing."""
        return Erasing(self._context, trial=True)

    def memory(self, memory_id: str) -> Receipt:
        """Destroy one memory and everything that only it supported. This cannot be undone.

        A note on the scratchpad of this scope is destroyed under its own id.
        """

        def planned(unit: Unit) -> Plan:
            memory = unit.projection.memory(self._context.realm, readable(memory_id))
            note = unit.scratchpad.note(self._context.realm, readable(memory_id))
            if memory is None and note is None:
                raise unknown_memory(memory_id, self._context.realm.scope)
            plan = Plan() if memory is None else _only(unit, memory)
            plan.notes += [] if note is None else [note]
            return plan

        return self._carried_out(planned)

    def subject(self, subject: str, *, all_scopes: bool = False) -> About:
        """Return everything that names a subject: a person, a repository, a source."""
        self.check_person()
        named, realms = _subject(subject), self._realms(all_scopes=all_scopes)
        with self._context.store.reading() as unit:
            told = list(self._naming(unit, named, realms))
            records, memories = [], []
            for each in told:
                born = unit.projection.touched_by(
                    self._context.realm.tenant, each.record.position
                ).memories
                records.append(entry_of(each, born))
                held = unit.projection.born_at(self._context.realm.tenant, each.record.position)
                if held is not None:
                    memories.append(held)
            concluded = self._concluded_naming(unit, named, realms)
            tenant = self._context.realm.tenant
            standing = [unit.projection.held(tenant, each) for each in concluded]
            listed = {each.id for each in memories}
            memories += [each for each in standing if each is not None and each.id not in listed]
            notes = self._notes_naming(unit, named, realms)
        scopes = {each.record.realm.scope for each in told}
        scopes |= {each.realm.scope for each in memories} | {each.realm.scope for each in notes}
        return About(subject, tuple(sorted(scopes)), tuple(records), tuple(memories), tuple(notes))

    def about(self, subject: str, *, all_scopes: bool = False) -> Receipt:
        """Destroy everything that names a subject. This cannot be undone.

        A decision that only gives the subject as its reason is said anew without it. What an
        erased correction had closed steps back: that it was wrong does not depend on a name.
        """
        named, realms = _subject(subject), self._realms(all_scopes=all_scopes)

        def planned(unit: Unit) -> Plan:
            plan = Plan(subject=named)
            for told in self._naming(unit, named, realms):
                _take(plan, told, named)
            # What it was concluded from may be gone by age, and it may say the name alone.
            for memory in self._concluded_naming(unit, named, realms).values():
                plan.memory_ids.add(memory.id)
                plan.texts.append(memory.content)
                plan.asked_for.append(memory)
            plan.notes = self._notes_naming(unit, named, realms)
            if not plan.positions and not plan.memory_ids and not plan.notes:
                raise Conflict(
                    f"nothing here names {subject!r}",
                    code="nothing_to_erase",
                    remedy="--all-scopes looks everywhere; if it was destroyed and bytes were"
                    " left, `helix scrub` finishes that",
                )
            return plan

        return self._carried_out(planned, keep_closed=True)

    def _carried_out(
        self, planned: Callable[[Unit], Plan], *, keep_closed: bool = False
    ) -> Receipt:
        self.check_person()
        with suppress(_TakenBack), self._context.store.writing() as unit:
            plan = planned(unit)
            if plan.positions or plan.memory_ids:
                done = destroy(unit, self._context, plan, keep_closed=keep_closed)
            else:
                # Nothing of the record goes, and nothing was concluded from a note.
                done = Destroyed(0, unit.ledger.head(self._context.realm.tenant))
            self._clear_scratchpad(unit, plan)
            if self._is_trial:
                raise _TakenBack
        receipt = self.told(plan, done)
        return receipt if self._is_trial else self.finished(plan, receipt)

    def _clear_scratchpad(self, unit: Unit, plan: Plan) -> None:
        """Take off the notes that are to go, and the owner's own that say what goes."""
        owner = self._context.realm.owner
        prints = {fingerprint("", text) for text in plan.texts}
        long = [text.casefold() for text in plan.texts if len(text) >= SHORTEST_NEEDLE]
        going = {each.id for each in plan.notes}
        for note in unit.scratchpad.every(self._context.realm.tenant):
            said = note.content.casefold()
            repeats = note.realm.owner == owner and (
                fingerprint("", note.content) in prints
                or any(text in said for text in long)
                or any(each in note.content for each in plan.memory_ids)
            )
            if note.id not in going and repeats:
                plan.notes.append(note)
        for note in plan.notes:
            unit.scratchpad.remove(note)
            plan.texts += [note.content, note.id]

    def _notes_naming(
        self, unit: Unit, subject: Subject, realms: frozenset[Realm] | None
    ) -> list[Note]:
        realm = self._context.realm
        return [
            note
            for note in unit.scratchpad.every(realm.tenant)
            if (note.realm in realms if realms is not None else note.realm.owner == realm.owner)
            and subject.is_named_in([note.content, note.session])
        ]

    def told(self, plan: Plan, done: Destroyed) -> Receipt:
        """Return the receipt of what one transaction did, before the files are looked at."""
        gone = tuple(
            Gone(position, told.record.kind, told.record.digest.hex())
            for position, told in sorted(plan.positions.items())
        )
        return Receipt(
            erased_at=(
                done.head.recorded_at
                if plan.positions or plan.memory_ids
                else self._context.clock.now()
            ),
            scope=self._context.realm.scope,
            records=gone,
            memories=len(plan.memory_ids),
            carried_over=len(plan.reborn),
            journal_entries=done.conclusions,
            copies_removed=(),
            residue=(),
            still_mentioned=(),
            head=done.head,
            notes=len(plan.notes),
            stands_again=done.reopened,
            kept_closed=done.kept_closed,
        )

    def finished(self, plan: Plan, receipt: Receipt) -> Receipt:
        """Scour the files, and tell what is left in them and in other records."""
        removed, done = scoured(self._context)
        left = leftovers(self._context, plan.texts, plan.memory_ids)
        names = () if plan.subject is None else spellings(self._context, plan.subject, plan.texts)
        residue = self._residue((*left.needles, *names)) or (() if done else (LOG,))
        return replace(
            receipt, copies_removed=removed, residue=residue, still_mentioned=left.positions
        )

    def _residue(self, needles: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._context.store.residue([each.encode() for each in needles]))

    def _naming(
        self, unit: Unit, subject: Subject, realms: frozenset[Realm] | None
    ) -> Iterator[Told]:
        realm = self._context.realm
        for told in tell(unit.ledger, realm.tenant):
            if told.act is None or isinstance(told.act, acts.Erased):
                continue
            mine = told.record.realm.owner == realm.owner
            within = told.record.realm in realms if realms is not None else mine
            if within and subject.is_named_in(written_in(told.act)):
                yield told

    def _concluded_naming(
        self, unit: Unit, subject: Subject, realms: frozenset[Realm] | None
    ) -> dict[str, Memory]:
        """Return, by id, whatever Helix concluded that names the subject."""
        realm = self._context.realm
        return {
            change.memory.id: change.memory
            for entry in unit.journal.entries(realm.tenant, 0, limit=ALL)
            for change in (*entry.change_set.changes, *entry.change_set.undo)
            if isinstance(change, PutMemory)
            and (
                change.memory.realm in realms
                if realms is not None
                else change.memory.realm.owner == realm.owner
            )
            and subject.is_named_in(written_of(change.memory))
        }

    def _realms(self, *, all_scopes: bool) -> frozenset[Realm] | None:
        return None if all_scopes else frozenset(visible_from(self._context.realm))

    def check_person(self) -> None:
        """Raise unless it is the user who asks."""
        if self._context.source.origin is not Origin.USER_ASSERTED:
            raise Conflict(
                "an agent cannot erase",
                code="needs_the_user",
                remedy="let the user run it, without --agent",
            )


class _TakenBack(Exception):
    """A trial is over, and its transaction is undone."""


def _take(plan: Plan, told: Told, subject: Subject) -> None:
    """Let a record go that names a subject; or only its reason, if nothing else of it does."""
    again = None if told.act is None else without_reason(told.act)
    if again is not None and not subject.is_named_in(written_in(again)):
        plan.positions[told.record.position] = told
        plan.anew[told.record.position] = again
        plan.texts.append(getattr(told.act, "reason", ""))
    else:
        plan.take(told)


def _only(unit: Unit, memory: Memory) -> Plan:
    """Return the plan of destroying one memory, before what goes along is looked for."""
    plan = Plan(memory_ids={memory.id}, texts=[memory.content], asked_for=[memory])
    birth = unit.ledger.at(memory.realm.tenant, memory.position)
    told = None if birth is None else ledger.told(birth)
    if told is not None and memory.id in born(told):
        plan.positions[memory.position] = told
    return plan


def _subject(name: str) -> Subject:
    subject = Subject(readable(name))
    if not subject.is_usable:
        raise BadInput(
            f"{redacted(name)[:40]!r} cannot name a subject",
            code="unusable_subject",
            remedy=f"give {SHORTEST} to {LONGEST} letters",
        )
    return subject
