"""Reviewing: what waits for a person's eye, and the person's word on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from helix.app.bounds import bounded
from helix.app.context import Context
from helix.app.recording import Written, record
from helix.app.withholding import memory_as_seen
from helix.capture import acting, judging
from helix.capture.admission import admitted_note
from helix.ledger.workflow import told
from helix.model.act import Act, Corrected, Related, Resolved
from helix.model.edge import CONTRADICTS, SUPERSEDES
from helix.model.experience import Statement
from helix.model.memory import Memory, Status
from helix.model.outcome import Kept
from helix.model.question import Standpoint, View
from helix.model.scope import Realm, narrower
from helix.model.types import EPISODE
from helix.ports.store import Unit
from helix.projection.resolving import BOTH, SECOND
from helix.rules.doubts import CONTRADICTED, other_doubts, was_settled
from helix.rules.influence import TOOK_OVER
from helix.rules.naming import fingerprint
from helix.rules.screening.again import doubt_of, noted
from helix.rules.tombs import tomb
from helix.rules.validity import present_of

LOOKED_THROUGH = 10_000
"""Memories in which what waits is looked for, newest first."""

STALE, FOREIGN, TAKEOVER = "stale", "source not trusted", "took over"
APPROVED = "approved in review"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory that waits for review: why, and what it contradicts, if that is why.

    `alongside` are the others with which one source took a neighbourhood over.
    """

    memory: Memory
    why: str
    reasons: tuple[str, ...]
    contradicts: tuple[str, ...] = ()
    alongside: tuple[str, ...] = ()


class Reviewing:
    """Lists what waits, approves it, turns it away, or puts other words in its place."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def waiting(self, limit: int = 50) -> Sequence[Waiting]:
        """Return what waits, the most pressing first; to an agent, without words it may not read.

        Held back for what it says, also by rules that have come since; contradicting; what took
        a neighbourhood over; suspected to be stale, with the evidence; in doubt; and last what
        only waits for its source to be trusted.
        """
        limit = bounded(limit)
        with self._context.store.reading() as unit:
            held = self._listed(unit, Status.QUARANTINED)
            active = [noted(each, doubt_of(each)) for each in self._listed(unit, Status.ACTIVE)]
            found = [
                *(Waiting(each, "held", _reasons(each)) for each in held if not _only_waits(each)),
                *(Waiting(each, "held", _reasons(each)) for each in active if _is_held(each)),
                *(
                    Waiting(each, "contradicts", _reasons(each), against)
                    for each in active
                    if each.type != EPISODE and (against := self._against(unit, each))
                ),
                *_takeovers(active),
                *(
                    Waiting(each, STALE, stale)
                    for each in active
                    if (stale := other_doubts(each.belief))
                ),
                *(
                    Waiting(each, "in doubt", _reasons(each))
                    for each in active
                    if each.belief.suspicion is not None
                ),
                *(Waiting(each, FOREIGN, _reasons(each)) for each in held if _only_waits(each)),
            ]
        once = {each.memory.id: each for each in reversed(found)}
        first = [each for each in found if once[each.memory.id] is each][:limit]
        asker = self._context.source
        return [replace(each, memory=memory_as_seen(asker, each.memory)) for each in first]

    def approve(self, memory_id: str) -> Kept:
        """Vouch for a memory that was held back or in doubt: it counts from now on.

        What it corrects ends where it begins. What else it contradicts is closed by this: of
        two, the approved one is right.
        """
        context = self._context
        with context.store.writing() as unit:
            memory = self._context.visible(unit, memory_id)
            alike = None
            if memory.fingerprint:
                at = present_of(memory, context.now(unit))
                alike = unit.projection.alike(memory.realm, memory.fingerprint, at)
            rivals = self._rivals(unit, memory)
            old = self._to_be_replaced(unit, memory, rivals)
            act = judging.approved(memory, context.source, alike, contradicts=bool(rivals))
            done = self._record(unit, act, memory.realm)
            if old is not None:
                self._replace(unit, old, memory, tied=old in rivals)
            for each in rivals:
                if each != old:
                    decided = Resolved(each.id, memory.id, SECOND, context.source, None, APPROVED)
                    self._record(unit, decided, narrower(each.realm, memory.realm))
            return Kept(self._context.visible(unit, memory_id), done.position)

    def reject(self, memory_id: str, reason: str = "") -> Kept:
        """Turn a memory away; the same words are not taken in again from an agent."""
        with self._context.store.writing() as unit:
            memory = self._context.visible(unit, memory_id)
            said = admitted_note(reason, self._context.gates)
            return self._record(unit, self._rejected(unit, memory, said), memory.realm)

    def edit(self, memory_id: str, content: str) -> Kept:
        """Turn a memory away and hold other words in its place, on the user's word.

        Its attributes go with it: the user vouches for the words, and for nothing beside them.
        """
        context = self._context
        with context.store.writing() as unit:
            old = self._context.visible(unit, memory_id)
            act = self._rejected(unit, old, "edited")
            said = Statement(
                content=content,
                source=context.source,
                type="fact" if old.type == EPISODE else old.type,
            )
            new = acting.asserted(
                said,
                context.schema,
                lambda name: unit.projection.taken(context.realm.tenant, name),
                context.gates,
            )
            print_of_new = fingerprint(new.type, new.content)
            alike = unit.projection.alike(old.realm, print_of_new, context.now(unit))
            if alike is not None:
                raise judging.already_held(old, alike)
            self._record(unit, act, old.realm)
            return self._record(unit, new, old.realm)

    def _to_be_replaced(
        self, unit: Unit, memory: Memory, rivals: Sequence[Memory]
    ) -> Memory | None:
        """Return what a memory was said to correct, if that is still to be decided.

        A correction that was held back has no contradiction drawn, and nobody was asked.
        """
        born = unit.ledger.at(memory.realm.tenant, memory.position)
        act = None if born is None else told(born).act
        if not isinstance(act, Corrected):
            return None
        asked = [each for each in rivals if each.id == act.corrects]
        if asked or memory.status is not Status.QUARANTINED:
            return asked[0] if asked else None
        if was_settled(memory.belief, f"{CONTRADICTED}{act.corrects}"):
            return None
        return next(iter(self._standing(unit, [act.corrects])), None)

    def _replace(self, unit: Unit, old: Memory, new: Memory, *, tied: bool) -> None:
        source, realm = self._context.source, narrower(old.realm, new.realm)
        if not tied:
            # Whatever is replaced hangs together with its successor.
            self._write(unit, Related(new.id, old.id, SUPERSEDES, 1.0, source), realm)
        since = new.belief.valid_from
        self._write(unit, Resolved(old.id, new.id, BOTH, source, since, APPROVED), realm)

    def _rejected(self, unit: Unit, memory: Memory, reason: str) -> Act:
        first = unit.ledger.at(memory.realm.tenant, 1)
        assert first is not None  # the memory itself stands in the ledger
        grave = tomb(first.seal, memory.content)
        contradicts = bool(self._rivals(unit, memory))
        return judging.rejected(
            memory, self._context.source, grave, reason, contradicts=contradicts
        )

    def _record(self, unit: Unit, act: Act, realm: Realm) -> Kept:
        written = self._write(unit, act, realm)
        return Kept(written.memory, written.position)

    def _write(self, unit: Unit, act: Act, realm: Realm) -> Written:
        context = self._context
        return record(
            unit, act, realm, context.chance.event_id(),
            clock=context.clock, chance=context.chance,
        )  # fmt: skip

    def _listed(self, unit: Unit, status: Status) -> Sequence[Memory]:
        standpoint = Standpoint(View.CURRENT, self._context.clock.now())
        return unit.projection.listing(
            self._context.realm, standpoint, limit=LOOKED_THROUGH, statuses=[status]
        )

    def _against(self, unit: Unit, memory: Memory) -> tuple[str, ...]:
        edges = unit.projection.neighbours(self._context.realm, memory.id, relations=[CONTRADICTS])
        others = [each.to_id for each in edges if each.from_id == memory.id]
        return tuple(each.id for each in self._standing(unit, others))

    def _rivals(self, unit: Unit, memory: Memory) -> tuple[Memory, ...]:
        if memory.status is not Status.ACTIVE:
            return ()
        edges = unit.projection.neighbours(self._context.realm, memory.id, relations=[CONTRADICTS])
        others = [each.to_id if each.from_id == memory.id else each.from_id for each in edges]
        return self._standing(unit, others)

    def _standing(self, unit: Unit, memory_ids: Sequence[str]) -> tuple[Memory, ...]:
        """Return those of some memories that are visible and held, each once."""
        realm, once = self._context.realm, dict.fromkeys(memory_ids)
        found = (unit.projection.memory(realm, each) for each in once)
        return tuple(each for each in found if each is not None and each.status is Status.ACTIVE)


def _takeovers(active: Sequence[Memory]) -> Iterator[Waiting]:
    """Yield what took places over, the memories of one takeover after each other."""
    groups: dict[str, list[Memory]] = {}
    for memory in active:
        for reason in _reasons(memory):
            if reason.startswith(TOOK_OVER):
                groups.setdefault(reason, []).append(memory)
    for group in groups.values():
        ids = [each.id for each in group]
        for memory in group:
            others = tuple(each for each in ids if each != memory.id)
            yield Waiting(memory, TAKEOVER, _reasons(memory), alongside=others)


def _reasons(memory: Memory) -> tuple[str, ...]:
    doubt = memory.belief.suspicion
    return doubt.reasons if doubt else ()


def _is_held(memory: Memory) -> bool:
    doubt = memory.belief.suspicion
    return doubt is not None and doubt.held


def _only_waits(memory: Memory) -> bool:
    """Return whether nothing speaks against a memory but that its source is not trusted."""
    doubt = memory.belief.suspicion
    return doubt is not None and bool(doubt.waits_for) and not doubt.held
