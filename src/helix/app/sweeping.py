"""Running sweeps: look, look again inside the transaction, apply, write down, rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic, sleep

from helix.app.concluding import conclude
from helix.app.context import Context
from helix.archive.workflow import Found, Round, Sweep, look, still
from helix.model.errors import BadInput
from helix.model.proposal import Proposal
from helix.ports.lives import START, Cursor
from helix.ports.store import Unit
from helix.reinforcement.workflow import promotions

PROMOTION = "promotion"
KINDS = (PROMOTION, *(kind.value for kind in Sweep))
"""Every sweep, in the order in which they run: what is promoted first is not archived."""

REST_SHARE = 9.0
"""After each transaction a sweep rests nine times as long, so that others get their turn."""

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
        `everything`, as many entries follow each other as it takes. A dry run changes
        nothing and counts everything.
        """
        cap = _checked_cap(self._context.policy.sweep_cap if cap is None else cap)
        chosen = _checked(kinds)
        return [self._one(kind, cap, dry_run, everything, progress) for kind in chosen]

    def _one(
        self, kind: str, cap: int, dry_run: bool, everything: bool, progress: Progress
    ) -> Swept:  # fmt: skip
        tally = _Tally()
        more = False
        for batch in self._batches(kind, cap, tally, progress):
            if dry_run:
                tally.add(batch)
                continue
            if tally.entries and not everything:
                more = True
                break
            started = monotonic()
            self._apply(kind, batch, tally)
            if everything:
                self._rest((monotonic() - started) * REST_SHARE)
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
        self, kind: str, cap: int, tally: _Tally, progress: Progress
    ) -> Iterator[list[Proposal]]:
        """Yield proposals, up to `cap` at a time, each batch read before it is yielded."""
        waiting: list[Proposal] = []
        after: Cursor | None = START
        while after is not None:
            found = self._look(kind, after)
            tally.looked_at += found.looked_at
            progress(found.looked_at)
            waiting += found.proposals
            after = found.after
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
                due = promotions(unit, context.realm, now, context.policy)
                return Found(tuple(due), None, len(due))
            return look(Round(unit, context.realm, now, context.policy), Sweep(kind), after)

    def _apply(self, kind: str, batch: list[Proposal], tally: _Tally) -> None:
        context = self._context
        with context.store.writing() as unit:
            now = self._now(unit)
            if kind == PROMOTION:
                ids = [each.about for each in batch]
                standing = promotions(unit, context.realm, now, context.policy, ids)
            else:
                about = Round(unit, context.realm, now, context.policy)
                standing = still(about, Sweep(kind), batch)
            if not standing:
                return
            entry = conclude(
                unit, context.realm, standing, now,
                reason=f"sweep: {kind}", concluded_by=f"policy {context.policy.name}",
            )  # fmt: skip
        tally.add(standing)
        tally.entries.append(entry.number)


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
