"""Scrubbing: looking again for secrets that an older version let in, and taking them out.

Everything of the owner's that holds words is looked at: records whole, the scratchpad, what
sleep concluded and reported, work that failed, and a model's replies. What stands in a sealed
header cannot be taken out; it is told of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from helix.app.context import Context
from helix.app.destroying import Destroyed, scrub_runs
from helix.app.erasing import Erasing, Receipt
from helix.app.erasure_plan import ALL, Plan, born
from helix.app.rewriting import Retelling, planned, undone
from helix.capture.admission import cleaning, redacting
from helix.capture.cleansing import cleansed, differences
from helix.ledger import workflow as ledger
from helix.ledger.workflow import Told, tell
from helix.model.act import Act
from helix.model.changes import ChangeSet, DropMemory, PutMemory
from helix.model.note import Note
from helix.model.record import Record
from helix.model.run import Run
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.projection.erasing import scrubbed
from helix.projection.workflow import fold_again
from helix.rules.event_ids import as_given
from helix.rules.naming import note_id

Progress = Callable[[int], None]

MEMORY, RECORD, NOTE, CONCLUSION = "memory", "record", "note", "conclusion"
REPLY, RUN, WORK, HEADER = "reply", "run", "work", "header"


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that holds a secret: what it is, its name, and its text as it ought to be.

    `permanent` if it stands where nothing can be taken out: in the sealed header of a record.
    """

    where: str
    name: str
    redacted: str
    position: int = 0
    permanent: bool = False


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What held a secret, of how many records, and the receipts of taking it out."""

    looked_at: int
    leaks: tuple[Leak, ...]
    receipts: tuple[Receipt, ...]


@dataclass
class _Found:
    """What holds secrets, each as it ought to be, and the texts that must not be left."""

    read: int = 0
    leaks: list[Leak] = field(default_factory=list)
    acts: dict[int, Act] = field(default_factory=dict)
    notes: list[tuple[Note, Note]] = field(default_factory=list)
    born: set[str] = field(default_factory=set)
    concluded: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)


class Scrubbing:
    """Reads everything of the owner's again with today's rules."""

    def __init__(self, context: Context, erasing: Erasing) -> None:
        """Take what the facade works with, and what destroys."""
        self._context = context
        self._erasing = erasing
        self._clean = cleaning(redacting(context.gates))

    def look(self, progress: Progress = lambda _: None) -> tuple[int, tuple[Leak, ...]]:
        """Return how many records were read, and what holds a secret, there or elsewhere."""
        with self._context.store.reading() as unit:
            found = self._found(unit, progress)
        return found.read, tuple(found.leaks)

    def scrub(self, progress: Progress = lambda _: None) -> Scrubbed:
        """Say everything that leaks anew without its secret, and destroy the old.

        In one transaction: killed meanwhile, nothing has changed.
        """
        self._erasing.check_person()
        with self._context.store.writing() as unit:
            found = self._found(unit, progress)
            leaks = tuple(found.leaks)
            if all(each.permanent for each in leaks):
                return Scrubbed(found.read, leaks, ())
            plan, receipt = self._taken_out(unit, found)
        return Scrubbed(found.read, leaks, (self._erasing.finished(plan, receipt),))

    def _found(self, unit: Unit, progress: Progress) -> _Found:
        realm, found = self._context.realm, _Found()
        headers: dict[str, Leak] = {}
        for told in tell(unit.ledger, realm.tenant):
            found.read += 1
            progress(1)
            if told.record.realm.owner == realm.owner:
                for each in self._in_header(told.record):
                    headers.setdefault(each.redacted if each.position == 0 else each.name, each)
                self._look_at(unit, told, found)
        for note in unit.scratchpad.every(realm.tenant):
            if note.realm.owner == realm.owner:
                self._look_at_note(note, found)
        self._look_at_journal(unit, found)
        self._look_at_reports(unit, found)
        found.leaks += headers.values()
        return found

    def _look_at(self, unit: Unit, told: Told, found: _Found) -> None:
        if told.act is None:
            return
        position, better = told.record.position, cleansed(told.act, self._context.gates)
        if better == told.act:
            return
        held = unit.projection.born_at(told.record.realm.tenant, position)
        where, name = (MEMORY, held.id) if held else (RECORD, f"record {position}")
        shown = self._shown(told.act, better, found)
        found.leaks.append(Leak(where, name, shown, position))
        found.acts[position] = better
        found.born |= born(told)

    def _look_at_note(self, note: Note, found: _Found) -> None:
        better = cleansed(note, self._context.gates)
        if better == note:
            return
        found.leaks.append(Leak(NOTE, note.id, self._shown(note, better, found)))
        if better.event_id != note.event_id:
            better = replace(better, event_id=self._context.chance.event_id())
        named = replace(better, id=note_id(better.content, better.event_id, better.realm))
        found.notes.append((note, named))

    def _look_at_journal(self, unit: Unit, found: _Found) -> None:
        tenant, owner = self._context.realm.tenant, self._context.realm.owner
        for entry in unit.journal.entries(tenant, 0, limit=ALL):
            if entry.change_set.realm.owner != owner:
                continue
            better = cleansed(entry.change_set, self._context.gates)
            if better == entry.change_set:
                continue
            leaking = set(_leaking(entry.change_set, better))
            found.concluded |= leaking
            shown = self._shown(entry.change_set, better, found)
            if leaking and leaking <= found.born:
                continue  # a copy of what a record told; that one is listed
            name = next(iter(sorted(leaking - found.born)), f"conclusion {entry.number}")
            found.leaks.append(Leak(CONCLUSION, name, shown))

    def _look_at_reports(self, unit: Unit, found: _Found) -> None:
        tenant = self._context.realm.tenant
        for text in unit.replies.texts(tenant):
            if (better := self._clean(text)) != text:
                found.leaks.append(Leak(REPLY, "a model's reply", better))
                found.texts.append(text)
        for run in _runs(unit, tenant):
            if (cleaner := cleansed(run, self._context.gates)) != run:
                shown = self._shown(run, cleaner, found)
                found.leaks.append(Leak(RUN, f"run {run.number}", shown))
        for job in (*unit.jobs.waiting(tenant), *unit.jobs.dead(tenant)):
            if (better := self._clean(job.last_error)) != job.last_error:
                found.leaks.append(Leak(WORK, f"work {job.id}", better))
                found.texts.append(job.last_error)

    def _in_header(self, record: Record) -> Iterator[Leak]:
        event_id, position = as_given(record.event_id), record.position
        if (better := self._clean(event_id)) != event_id:
            yield Leak(HEADER, f"event id of record {position}", better, position, permanent=True)
        for text in (record.realm.tenant, record.realm.owner, record.realm.scope):
            if (better := self._clean(text)) != text:
                yield Leak(HEADER, f"scope of record {position} and others", better, permanent=True)

    def _shown(self, before: object, after: object, found: _Found) -> str:
        """Return the text as it ought to be, and note what must not be left anywhere."""
        changed = list(differences(before, after))
        found.texts += [old for _, old, _ in changed]
        said = str(getattr(getattr(after, "by", after), "content", ""))
        lines = [f"{name}: {new}" for name, _, new in changed if name != "content"]
        return "\n".join(([said] if said else []) + lines or [new for *_, new in changed])

    def _taken_out(self, unit: Unit, found: _Found) -> tuple[Plan, Receipt]:
        """Say it all anew; return what must not be left in any file, and the receipt so far."""
        context, tenant = self._context, self._context.realm.tenant
        entries = unit.journal.entries(tenant, 0, limit=ALL)
        sealed = unit.journal.head(tenant)

        def concluded(plan: Plan) -> set[str]:
            return scrubbed(entries, plan.memory_ids, plan.positions)[0]

        plan = planned(unit, tenant, found.acts, found.concluded, concluded)
        plan.texts += found.texts
        held = {each: unit.projection.held(tenant, each) for each in plan.memory_ids}
        before = {name: each for name, each in held.items() if each is not None}
        _, plan.journal = scrubbed(entries, plan.memory_ids, plan.positions)
        unit.journal.rewrite(tenant, plan.journal)
        self._clean_rest(unit)
        for note, better in found.notes:
            unit.scratchpad.remove(note)
            unit.scratchpad.put(better)
            plan.notes.append(note)
        retelling = Retelling(
            unit, context, plan, found.acts, before, undone(tell(unit.ledger, tenant))
        )  # fmt: skip
        for position, told in sorted(plan.positions.items()):
            # No tomb: in the words that went nothing can come in again, they hold a secret.
            ledger.erase(
                unit.ledger, told.record.realm, position, source=context.source,
                now=context.clock.now(), chance=context.chance,
            )  # fmt: skip
        if not plan.positions and unit.journal.head(tenant) != sealed:
            # No record goes that would tell why the journal bears other seals.
            ledger.note_erased(
                unit.ledger, context.realm, source=context.source, now=context.clock.now(),
                chance=context.chance,
            )  # fmt: skip
        said_anew = retelling.tell()
        # Dropped by name first: statistics outlive a folding, and they are kept by id.
        drops = [DropMemory(each.realm, each.id) for each in before.values()]
        unit.projection.apply(tenant, drops, Stamp(unit.ledger.head(tenant).recorded_at, None))
        fold_again(unit, tenant)
        unit.lives.forget_surfaced(tenant, sorted(plan.memory_ids))
        retelling.put_back()
        done = Destroyed(len(plan.journal), unit.ledger.head(tenant))
        receipt = replace(self._erasing.told(plan, done), carried_over=said_anew)
        # An id that is made of harmless words is still in use.
        gone = plan.memory_ids - set(retelling.names.values())
        return replace(plan, memory_ids=gone), receipt

    def _clean_rest(self, unit: Unit) -> None:
        """Clean what is left of the journal, and take the words out of reports and replies."""
        tenant, gates = self._context.realm.tenant, self._context.gates
        left: Mapping[int, ChangeSet] = {
            entry.number: better
            for entry in unit.journal.entries(tenant, 0, limit=ALL)
            if (better := cleansed(entry.change_set, gates)) != entry.change_set
        }
        unit.journal.rewrite(tenant, left)
        scrub_runs(unit, tenant)
        for run in _runs(unit, tenant):
            unit.runs.save(cleansed(run, gates))


def _leaking(before: ChangeSet, after: ChangeSet) -> Iterator[str]:
    """Yield the ids of memories whose own words or circumstances hold a secret."""
    pairs = [
        *zip(before.changes, after.changes, strict=True),
        *zip(before.undo, after.undo, strict=True),
    ]
    for old, new in pairs:
        if isinstance(old, PutMemory) and old != new:
            yield old.memory.id


def _runs(unit: Unit, tenant: str) -> Iterator[Run]:
    number = 1
    while run := unit.runs.run(tenant, number):
        yield run
        number += 1
