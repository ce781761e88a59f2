"""Running sweeps: look, judge, apply and write down in one short transaction, rest.

Whoever captures waits while a sweep writes. So judging is done before the lock is taken; it
is done again inside only where something happened in between that could change a judgement.
And while others write, a sweep rests so long that few of them ever meet it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic, sleep

from helix.app.concluding import conclude
from helix.app.context import Context
from helix.app.recording import entombed
from helix.archive.workflow import Found, Round, Sweep, look, still
from helix.ledger.encoding import decode
from helix.model.act import Captured, SessionEnded, SessionStarted
from helix.model.changes import PutMemory
from helix.model.errors import BadInput
from helix.model.proposal import Proposal
from helix.model.record import Record
from helix.ports.lives import START, Cursor
from helix.ports.store import Unit
from helix.reinforcement.promoting import HELIX
from helix.reinforcement.workflow import promotions

PROMOTION = "promotion"
KINDS = (PROMOTION, *(kind.value for kind in Sweep))
"""Every sweep, in the order in which they run: what is promoted first is not archived."""

REST_BESIDE_OTHERS = 99.0
"""While others write, a sweep rests so many times as long as it wrote: one of their writes in a
hundred may have to wait for it, which no 95th percentile notices."""

REST_ALONE = 1.0
"""Times as long as it worked that it rests otherwise: it never takes a whole processor."""

MOST_SINCE = 200
"""Records since the judging that are looked through; if there are more, it is done again."""

SHOWN = 20
"""Proposals that a report carries; the rest is counted."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did, or with a dry run would do, in one journal entry or several."""

    kind: str
    looked_at: int
    changed: int
    reasons: Mapping[str, int]
    examples: tuple[Proposal, ...]
    entries: tuple[int, ...]
    more: bool
    dry_run: bool


@dataclass
class _Tally:
    looked_at: int = 0
    changed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    examples: list[Proposal] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)

    def add(self, proposals: Sequence[Proposal]) -> None:
        self.changed += len(proposals)
        self.reasons.update(each.reason for each in proposals)
        self.examples += proposals[: SHOWN - len(self.examples)]


class Sweeper:
    """Sweeps one realm under the policy in force."""

    def __init__(
        self,
        context: Context,
        now: Callable[[Unit], datetime],
        rest: Callable[[float], None] = sleep,
    ) -> None:
        """Take what the facade works with; `rest` waits for so many seconds."""
        self._context = context
        self._now = now
        self._rest = rest
        self._seen = 0
        self.longest_write = 0.0
        """Seconds that the longest transaction held the lock."""

    def run(
        self,
        kinds: Sequence[str] = (),
        *,
        dry_run: bool = False,
        everything: bool = False,
        cap: int | None = None,
        progress: Progress = lambda _: None,
    ) -> list[Swept]:
        """Run sweeps and return what each did.

        Each changes at most `cap` memories or edges, in one journal entry; with
        `everything`, as many entries follow each other as it takes, and count as one. A dry
        run changes nothing and counts everything.
        """
        cap = _checked_cap(self._context.policy.sweep_cap if cap is None else cap)
        chosen = _checked(kinds)
        return [self._one(kind, cap, dry_run, everything, progress) for kind in chosen]

    def _one(
        self, kind: str, cap: int, dry_run: bool, everything: bool, progress: Progress
    ) -> Swept:  # fmt: skip
        tally = _Tally()
        more = False
        for batch in self._batches(kind, cap, tally, progress, rests=everything):
            if dry_run:
                tally.add(batch)
                continue
            if tally.entries and not everything:
                more = True
                break
            wrote, beside = self._apply(kind, batch, tally)
            if everything:
                self._rest(wrote * (REST_BESIDE_OTHERS if beside else REST_ALONE))
        return Swept(
            kind,
            tally.looked_at,
            tally.changed,
            dict(tally.reasons),
            tuple(tally.examples),
            tuple(tally.entries),
            more,
            dry_run,
        )

    def _batches(
        self, kind: str, cap: int, tally: _Tally, progress: Progress, *, rests: bool
    ) -> Iterator[list[Proposal]]:  # fmt: skip
        """Yield proposals, up to `cap` at a time, each batch read before it is yielded."""
        waiting: list[Proposal] = []
        after: Cursor | None = START
        while after is not None:
            started = monotonic()
            found = self._look(kind, after)
            tally.looked_at += found.looked_at
            progress(found.looked_at)
            waiting += found.proposals
            after = found.after
            if rests:
                self._rest((monotonic() - started) * REST_ALONE)
            while len(waiting) >= cap:
                yield waiting[:cap]
                waiting = waiting[cap:]
        if waiting:
            yield waiting

    def _look(self, kind: str, after: Cursor) -> Found:
        context = self._context
        with context.store.reading() as unit:
            now = self._now(unit)
            if kind == PROMOTION:
                due = self._promotions(unit, now)
                return Found(tuple(due), None, len(due))
            return look(Round(unit, context.realm, now, context.policy), Sweep(kind), after)

    def _apply(self, kind: str, batch: list[Proposal], tally: _Tally) -> tuple[float, bool]:
        """Carry a batch out; return for how long, and whether others have written meanwhile."""
        context = self._context
        tenant = context.realm.tenant
        with context.store.reading() as unit:
            seen = unit.ledger.head(tenant).position, unit.journal.last(tenant)
            standing = self._still(unit, kind, batch)
        beside = bool(self._seen) and seen[0] != self._seen
        self._seen = seen[0]
        if not standing:
            return 0.0, beside
        with context.store.writing() as unit:
            started = monotonic()
            if not _same_since(unit, tenant, *seen):
                standing = self._still(unit, kind, batch)
            if standing:
                entry = conclude(
                    unit, context.realm, standing, self._now(unit),
                    reason=f"sweep: {kind}", concluded_by=f"policy {context.policy.name}",
                    part_of=tally.entries[0] if tally.entries else None,
                )  # fmt: skip
        wrote = monotonic() - started
        self.longest_write = max(self.longest_write, wrote)
        if standing:
            tally.add(standing)
            tally.entries.append(entry.number)
        return wrote, beside

    def _still(self, unit: Unit, kind: str, batch: Sequence[Proposal]) -> list[Proposal]:
        """Return those proposals that hold by what stands now."""
        context, now = self._context, self._now(unit)
        if kind == PROMOTION:
            return self._promotions(unit, now, [each.about for each in batch])
        return still(Round(unit, context.realm, now, context.policy), Sweep(kind), batch)

    def _promotions(
        self, unit: Unit, now: datetime, only: Sequence[str] | None = None
    ) -> list[Proposal]:
        """Return the promotions that are due, but for words that were erased or turned away."""
        context = self._context
        return [
            each
            for each in promotions(unit, context.realm, now, context.policy, only)
            if not any(
                isinstance(change, PutMemory)
                and entombed(unit, context.realm, HELIX, change.memory.content)
                for change in each.changes
            )
        ]


def _same_since(unit: Unit, tenant: str, position: int, number: int) -> bool:
    """Return whether nothing has happened since that could change what was judged.

    A new episode changes nothing about others, unless it names one as its cause.
    """
    if unit.journal.last(tenant) != number:
        return False
    since = unit.ledger.read(tenant, position, MOST_SINCE + 1)
    return len(since) <= MOST_SINCE and all(_concerns_itself(each) for each in since)


def _concerns_itself(record: Record) -> bool:
    if record.payload is None:
        return False
    act = decode(record.kind, record.version, record.payload.body)
    if isinstance(act, Captured):
        return not act.circumstances.parent_event_id
    return isinstance(act, SessionStarted | SessionEnded)


def _checked(kinds: Sequence[str]) -> Sequence[str]:
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise BadInput(
            f"there is no sweep {unknown[0]!r}",
            code="unknown_sweep",
            remedy="use one of: " + ", ".join(KINDS),
        )
    return [kind for kind in KINDS if kind in kinds] if kinds else KINDS


def _checked_cap(cap: int) -> int:
    if cap < 1:
        raise BadInput(f"{cap} cannot be a cap", code="out_of_range", remedy="give 1 or more")
    return cap
