"""Erasing: destroying what its owner wants gone, wherever it lies, with a receipt.

Payloads, memories, words, vectors, edges and whatever Helix concluded from them go in one
transaction; then the files themselves are scoured, and their raw bytes are searched for what
was erased. The seals of the ledger stay: that something stood there can still be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from helix.app.context import Context
from helix.app.telling import LogEntry, entry_of
from helix.capture.admission import readable
from helix.ledger import workflow as ledger
from helix.ledger.encoding import encode
from helix.ledger.workflow import Told, tell
from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import DropMemory, PutMemory
from helix.model.errors import BadInput, Conflict, unknown_memory
from helix.model.memory import Memory, Status
from helix.model.note import Note
from helix.model.provenance import Origin
from helix.model.record import Head
from helix.model.scope import Realm, visible_from
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.projection.erasing import scrubbed
from helix.projection.workflow import fold_again
from helix.rules.naming import episode_id, fingerprint
from helix.rules.subjects import LONGEST, SHORTEST, Subject
from helix.rules.tombs import tomb
from helix.rules.written import written_in, written_of

SHORTEST_NEEDLE = 12


@dataclass(frozen=True, slots=True)
class Gone:
    """One erased record: where it stood, what kind it was, and the digest its seal keeps."""

    position: int
    kind: str
    digest: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erasure destroyed. It names no words: a receipt must not be a copy.

    `residue` are files whose raw bytes still hold something of it; empty is good.
    `still_mentioned` are positions of other records that name an erased memory's id.
    """

    erased_at: datetime
    scope: str
    records: tuple[Gone, ...]
    memories: int
    carried_over: int
    journal_entries: int
    copies_removed: tuple[str, ...]
    residue: tuple[str, ...]
    still_mentioned: tuple[int, ...]
    head: Head
    notes: int = 0


@dataclass(frozen=True, slots=True)
class About:
    """Everything held about a subject: records that name it, the memories they made, and notes."""

    subject: str
    scopes: tuple[str, ...]
    records: tuple[LogEntry, ...]
    memories: tuple[Memory, ...]
    notes: tuple[Note, ...] = ()


@dataclass
class _Plan:
    """What will be destroyed, and what must be said again because it shared a record with it."""

    positions: dict[int, Told] = field(default_factory=dict)
    memory_ids: set[str] = field(default_factory=set)
    carried: list[tuple[Realm, acts.Captured | acts.Asserted, bool]] = field(default_factory=list)
    mentioned: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


class Erasing:
    """Destroys single memories and whole subjects; lists what is held about one."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def memory(self, memory_id: str) -> Receipt:
        """Destroy one memory and everything that only it supported. This cannot be undone.

        A note on the scratchpad of this scope is destroyed under its own id.
        """
        self._check_person()
        with self._context.store.writing() as unit:
            memory = unit.projection.memory(self._context.realm, readable(memory_id))
            note = unit.scratchpad.note(self._context.realm, readable(memory_id))
            if memory is None and note is None:
                raise unknown_memory(memory_id, self._context.realm.scope)
            plan = _Plan() if memory is None else self._planned(unit, memory)
            plan.notes += [] if note is None else [note]
            entries, head = self._destroyed(unit, plan)
        return self._finished(plan, entries, head)

    def replaced(self, memory: Memory, again: acts.Captured | acts.Asserted | None) -> Receipt:
        """Destroy a memory and say `again` in its place, as if it had been said so at first."""
        self._check_person()
        with self._context.store.writing() as unit:
            plan = self._planned(unit, memory)
            if again is not None:
                plan.carried.append((memory.realm, again, memory.belief.pinned))
            entries, head = self._destroyed(unit, plan)
        return self._finished(plan, entries, head)

    def _planned(self, unit: Unit, memory: Memory) -> _Plan:
        plan = _Plan(memory_ids={memory.id}, texts=[memory.content])
        birth = unit.ledger.at(memory.realm.tenant, memory.position)
        told = None if birth is None else ledger.told(birth)
        if told is not None and memory.id in _born(told):
            plan.positions[memory.position] = told
        return plan

    def subject(self, subject: str, *, all_scopes: bool = False) -> About:
        """Return everything that names a subject: a person, a repository, a source."""
        self._check_person()
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
        """Destroy everything that names a subject. This cannot be undone."""
        self._check_person()
        named, realms = _subject(subject), self._realms(all_scopes=all_scopes)
        with self._context.store.writing() as unit:
            plan = _Plan()
            for told in self._naming(unit, named, realms):
                plan.positions[told.record.position] = told
                plan.memory_ids |= _born(told)
                plan.texts += _contents(told)
            # What it was concluded from may be gone by age, and it may say the name alone.
            for memory_id, text in self._concluded_naming(unit, named, realms).items():
                plan.memory_ids.add(memory_id)
                plan.texts.append(text)
            plan.notes = self._notes_naming(unit, named, realms)
            if not plan.positions and not plan.memory_ids and not plan.notes:
                raise Conflict(
                    f"nothing here names {subject!r}",
                    code="nothing_to_erase",
                    remedy="`helix subject` shows what is held; --all-scopes looks everywhere",
                )
            entries, head = self._destroyed(unit, plan)
        return self._finished(plan, entries, head)

    def _destroyed(self, unit: Unit, plan: _Plan) -> tuple[int, Head]:
        context = self._context
        tenant = context.realm.tenant
        if not plan.positions and not plan.memory_ids:
            # Nothing of the record goes, and nothing was concluded from a note.
            self._clear_scratchpad(unit, plan)
            return 0, unit.ledger.head(tenant)
        entries = self._scrub_journal(unit, plan)
        _scrub_runs(unit, tenant)
        self._follow_mentions(unit, plan)
        self._clear_scratchpad(unit, plan)
        first = unit.ledger.at(tenant, 1)
        for position, told in sorted(plan.positions.items()):
            graves = [tomb(first.seal, text) for text in _contents(told)] if first else []
            ledger.erase(
                unit.ledger, told.record.realm, position, source=context.source,
                now=context.clock.now(), chance=context.chance, tomb=graves[0] if graves else "",
            )  # fmt: skip
        for realm, act, pinned in plan.carried:
            self._append(unit, act, realm)
            if pinned and isinstance(act, acts.Asserted):
                pin = acts.Pinned(act.memory_id, pinned=True, source=act.source)
                self._append(unit, pin, realm)
        # Dropped by name first: statistics outlive a folding, and they are kept by id.
        held = [unit.projection.held(tenant, each) for each in sorted(plan.memory_ids)]
        drops = [DropMemory(each.realm, each.id) for each in held if each is not None]
        unit.projection.apply(tenant, drops, Stamp(unit.ledger.head(tenant).recorded_at, None))
        fold_again(unit, tenant)
        # Counted under ids, which hold words, and left alone by folding.
        unit.lives.forget_surfaced(tenant, sorted(plan.memory_ids))
        return entries, unit.ledger.head(tenant)

    def _clear_scratchpad(self, unit: Unit, plan: _Plan) -> None:
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

    def _append(self, unit: Unit, act: Act, realm: Realm) -> None:
        context = self._context
        event_id = act.circumstances.event_id if isinstance(act, acts.Captured) else ""
        ledger.append(
            unit.ledger, act, realm, event_id=event_id or context.chance.event_id(),
            now=context.clock.now(), chance=context.chance,
        )  # fmt: skip

    def _finished(self, plan: _Plan, entries: int, head: Head) -> Receipt:
        store = self._context.store
        removed = store.scour()
        residue = store.residue([needle.encode() for needle in self._needles(plan)])
        gone = tuple(
            Gone(position, told.record.kind, told.record.digest.hex())
            for position, told in sorted(plan.positions.items())
        )
        return Receipt(
            erased_at=head.recorded_at if plan.positions else self._context.clock.now(),
            scope=self._context.realm.scope,
            records=gone,
            memories=len(plan.memory_ids),
            carried_over=len(plan.carried),
            journal_entries=entries,
            copies_removed=tuple(removed),
            residue=tuple(residue),
            still_mentioned=tuple(plan.mentioned),
            head=head,
            notes=len(plan.notes),
        )

    def _scrub_journal(self, unit: Unit, plan: _Plan) -> int:
        """Take out of the journal what was concluded from what goes; return how many entries."""
        tenant = self._context.realm.tenant
        entries = unit.journal.entries(tenant, 0, limit=1_000_000)
        gone, rewritten = scrubbed(entries, plan.memory_ids, set(plan.positions))
        for memory_id in gone - plan.memory_ids:
            concluded = unit.projection.held(tenant, memory_id)
            if concluded is not None:
                plan.texts.append(concluded.content)
        plan.memory_ids |= gone
        unit.journal.rewrite(tenant, rewritten)
        return len(rewritten)

    def _follow_mentions(self, unit: Unit, plan: _Plan) -> None:
        """Find the later records that name what goes: an id is made of a memory's words."""
        if not plan.memory_ids:
            return
        tenant = self._context.realm.tenant
        named = re.compile(
            "|".join(f'"{re.escape(each)}"' for each in sorted(plan.memory_ids, key=len))
        )
        for told in tell(unit.ledger, tenant):
            position, act = told.record.position, told.act
            if act is None or position in plan.positions:
                continue
            if not named.search(encode(act).decode()):
                continue
            if isinstance(act, acts.Captured | acts.Asserted):
                plan.mentioned.append(position)
                continue
            plan.positions[position] = told
            if isinstance(act, acts.Promoted):
                # It rests on what goes, and says the same.
                plan.memory_ids.add(act.by.memory_id)
                plan.texts.append(act.by.content)
                continue
            statement = getattr(act, "by", None)
            if isinstance(statement, acts.Asserted) and statement.memory_id not in plan.memory_ids:
                self._carry_over(unit, told, statement, plan)

    def _carry_over(self, unit: Unit, told: Told, statement: acts.Asserted, plan: _Plan) -> None:
        # It replaced what goes, and names it. What it says is said anew, without that name; of
        # what was itself replaced since, only the replacement is.
        held = unit.projection.held(told.record.realm.tenant, statement.memory_id)
        if held is None or held.status is not Status.ACTIVE:
            plan.memory_ids.add(statement.memory_id)
            plan.texts.append(statement.content)
            return
        old = unit.projection.held(told.record.realm.tenant, getattr(told.act, "corrects", ""))
        again = replace(
            _disinherited(statement, old),
            valid_from=held.belief.valid_from,
            valid_to=held.belief.valid_to,
            confidence=held.belief.confidence,
        )
        plan.carried.append((told.record.realm, again, held.belief.pinned))

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
    ) -> dict[str, str]:
        """Return, by id, the text of whatever Helix concluded that names the subject."""
        realm = self._context.realm
        return {
            change.memory.id: change.memory.content
            for entry in unit.journal.entries(realm.tenant, 0, limit=1_000_000)
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

    def _needles(self, plan: _Plan) -> list[str]:
        """Return pieces of the erased texts that no living record holds."""
        pieces = {piece for text in plan.texts for piece in _pieces(text)} | {
            each for each in plan.memory_ids if len(each) >= SHORTEST_NEEDLE
        }
        if not pieces:
            return []
        with self._context.store.reading() as unit:
            for told in tell(unit.ledger, self._context.realm.tenant):
                if told.act is not None and told.record.payload is not None:
                    body = told.record.payload.body.decode(errors="replace")
                    pieces = {piece for piece in pieces if piece not in body}
            for note in unit.scratchpad.every(self._context.realm.tenant):
                pieces = {piece for piece in pieces if piece not in note.content}
        return sorted(pieces)

    def _check_person(self) -> None:
        if self._context.source.origin is not Origin.USER_ASSERTED:
            raise Conflict(
                "an agent cannot erase",
                code="needs_the_user",
                remedy="let the user run it, without --agent",
            )


def _disinherited(statement: acts.Asserted, old: Memory | None) -> acts.Asserted:
    # A correction takes over what it leaves open; what it took from the erased one goes too.
    if old is None:
        return statement
    own = {name: each for name, each in statement.attributes.items() if name not in old.attributes
           or old.attributes[name] != each}  # fmt: skip
    event_time = None if statement.event_time == old.event_time else statement.event_time
    return replace(statement, attributes=own, event_time=event_time)


def _subject(name: str) -> Subject:
    subject = Subject(readable(name))
    if not subject.is_usable:
        raise BadInput(
            f"{name[:40]!r} cannot name a subject",
            code="unusable_subject",
            remedy=f"give {SHORTEST} to {LONGEST} letters",
        )
    return subject


def _born(told: Told) -> set[str]:
    match told.act:
        case acts.Captured(content=content):
            return {episode_id(content, told.record.position)}
        case acts.Asserted(memory_id=memory_id):
            return {memory_id}
        case _:
            statement = getattr(told.act, "by", None)
            return {statement.memory_id} if isinstance(statement, acts.Asserted) else set()


def _contents(told: Told) -> list[str]:
    match told.act:
        case acts.Captured(content=content) | acts.Asserted(content=content):
            return [content]
        case _:
            statement = getattr(told.act, "by", None)
            return [statement.content] if isinstance(statement, acts.Asserted) else []


def _pieces(text: str) -> Iterable[str]:
    # As bytes lie in files: texts are escaped where they hold quotes, breaks and backslashes.
    return [piece for piece in re.split(r'["\\\n\t\r]', text) if len(piece) >= SHORTEST_NEEDLE] or (
        [text] if len(text) >= SHORTEST_NEEDLE else []
    )


def _scrub_runs(unit: Unit, tenant: str) -> None:
    """Take out of the reports of sleep, and of a model's replies, whatever words they hold."""
    unit.replies.clear(tenant)
    number = 1
    while run := unit.runs.run(tenant, number):
        passes = tuple(replace(each, passed=(), failed="") for each in run.passes)
        begun = None if run.begun is None else replace(run.begun, passed=(), failed="")
        unit.runs.save(replace(run, passes=passes, begun=begun))
        number += 1
