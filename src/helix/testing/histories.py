"""Histories: ledgers and journals full of everything that can happen, played into a store.

A history is a list of moves. A move names what happens and picks, by number, whom it
concerns among what is there by then, so that any list of moves can be played, shortened
and played again. Moves know nothing of capture's checks: the fold must cope with all of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import (
    Change,
    DropEdge,
    DropMemory,
    PutEdge,
    PutMemory,
    Rate,
    Step,
    Suspect,
)
from helix.model.memory import Memory, Status
from helix.model.scope import EVERYONE, GLOBAL, Realm
from helix.model.suspicion import Suspicion
from helix.ports.projection import Stamp
from helix.ports.store import Store
from helix.projection.workflow import catch_up
from helix.testing.builders import (
    AGENT,
    TICK,
    USER,
    Scribe,
    a_capture,
    a_memory,
    an_assertion,
    an_edge,
)
from helix.testing.clock import SeededChance, SettableClock

TENANT = "acme"
REALMS = tuple(
    Realm(TENANT, owner, scope)
    for owner in ("ann", "bob", EVERYONE)
    for scope in (GLOBAL, "project:a", "project:b")
)

DECISIONS = ("confirmed", "forgotten", "restored", "pinned", "used", "demoted")
KINDS = (
    "captured", "session_started", "session_ended", "asserted", "corrected", *DECISIONS,
    "related", "promoted", "rolled_back", "concluded", "reverted",
)  # fmt: skip

RERATED = 0.3
SUSPECTED = Suspicion(0.5, ("influence: took over most places",))


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that happens: of a kind, in a realm, to whatever the numbers pick."""

    kind: str
    realm: Realm
    content: str
    picks: tuple[int, int, int]


class Player:
    """Plays moves into a store, folding each at once."""

    def __init__(self, store: Store) -> None:
        # The same moves give the same records, whichever store they are played into.
        self.scribe = Scribe(store, SettableClock(), SeededChance(0))
        self.ids: list[str] = ["mem_unknown"]
        self._moves = 0

    def play(self, moves: Sequence[Move]) -> None:
        """Play all moves; those that need something that is not there are passed over."""
        for move in moves:
            self._moves += 1
            if move.kind == "concluded":
                self._conclude(move)
            elif move.kind == "reverted":
                self._revert(move)
            else:
                self._act(move)

    def _act(self, move: Move) -> None:
        told = self.scribe.write(self._act_of(move), move.realm)
        born = self.scribe.ask(lambda unit: unit.projection.born_at(TENANT, told.record.position))
        if born is not None:
            self.ids.append(born.id)

    def _act_of(self, move: Move) -> Act:  # noqa: PLR0911 - one way per kind of act
        first, second, third = move.picks
        match move.kind:
            case "captured":
                return self._capture(move)
            case "session_started":
                return acts.SessionStarted(_session(first) or "s0", AGENT)
            case "session_ended":
                return acts.SessionEnded(_session(first) or "s0", AGENT)
            case "asserted":
                return self._assertion(move)
            case "corrected":
                return acts.Corrected(self._id(first), self._assertion(move))
            case "promoted":
                return acts.Promoted(self._id(first), self._assertion(move))
            case "related":
                return acts.Related(self._id(first), self._id(second), "uses", 0.5, USER)
            case "rolled_back":
                reached = max(1, self.scribe.ask(lambda unit: unit.ledger.head(TENANT).position))
                return acts.RolledBack(
                    tuple(sorted({1 + pick % reached for pick in move.picks})), USER
                )
            case kind:
                return _decision(kind, self._id(first), third)

    def _capture(self, move: Move) -> acts.Captured:
        # The parent may be an earlier event, a later one, or one that never comes.
        first, second, third = move.picks
        parent = f"event{self._moves + first % 12 - 8}" if second % 2 else ""
        return a_capture(
            move.content,
            event_id=f"event{self._moves}",
            session=_session(third),
            parent_event_id=parent,
            importance=(first % 11) / 10,
        )

    def _assertion(self, move: Move) -> acts.Asserted:
        _, start, span = move.picks
        moment = self.scribe.clock.now()
        return an_assertion(
            move.content,
            memory_id=f"mem_{self._moves}",
            valid_from=moment + timedelta(seconds=start % 7 - 4) if start % 3 else None,
            valid_to=moment + timedelta(seconds=span % 9) if span % 4 == 0 else None,
            expires_at=moment + timedelta(seconds=span % 5) if span % 5 == 0 else None,
            source=AGENT if span % 2 else USER,
        )

    def _conclude(self, move: Move) -> None:
        """Add a memory and an edge to something held, and let something else step back."""
        grounds = self._held(move.picks[0])
        fading = self._held(move.picks[1])
        now = self.scribe.clock.now() + TICK
        insight = a_memory(f"ins_{self._moves}", move.content, realm=move.realm, at=now)
        changes: list[Change] = [PutMemory(insight)]
        undo: list[Change] = [DropMemory(move.realm, insight.id)]
        if grounds is not None:
            edge = an_edge(
                insight.id, grounds.id,
                edge_id=f"edge_concluded_{self._moves}", relation="derived_from",
                realm=move.realm, at=now,
            )  # fmt: skip
            changes.append(PutEdge(edge))
            undo.insert(0, DropEdge(move.realm, edge.id))
        if fading is not None:
            rated = fading.importance_base
            if rated != RERATED:
                changes.append(Rate(fading.realm, fading.id, rated, RERATED))
                undo.append(Rate(fading.realm, fading.id, RERATED, rated))
            if move.picks[2] % 3 == 0:
                doubt, since = fading.belief.suspicion, fading.belief.believed_from
                if doubt != SUSPECTED:
                    changes.append(Suspect(fading.realm, fading.id, doubt, SUSPECTED))
                    undo.append(Suspect(fading.realm, fading.id, SUSPECTED, doubt, since))
            elif move.picks[2] % 2:
                status, since = fading.status, fading.belief.believed_from
                if status is not Status.ARCHIVED:
                    changes.append(Step(fading.realm, fading.id, status, Status.ARCHIVED))
                    undo.append(Step(fading.realm, fading.id, Status.ARCHIVED, status, since))
            else:
                belief = replace(fading.belief, status=Status.ARCHIVED, confidence=0.25)
                changes.append(PutMemory(replace(fading, belief=belief)))
                undo.append(PutMemory(fading))
        self.scribe.conclude(changes, undo, realm=move.realm)
        self.ids.append(insight.id)

    def _revert(self, move: Move) -> None:
        entries = self.scribe.ask(lambda unit: unit.journal.entries(TENANT))
        taken_back = {entry.change_set.reverts for entry in entries}
        open_entries = [
            entry
            for entry in entries
            if entry.number not in taken_back and entry.change_set.reverts is None
        ]
        if open_entries:
            entry = open_entries[move.picks[0] % len(open_entries)]
            undo = entry.change_set.undo
            self.scribe.conclude(undo, realm=entry.change_set.realm, reverts=entry.number)

    def _held(self, pick: int) -> Memory | None:
        return self.scribe.ask(lambda unit: unit.projection.held(TENANT, self._id(pick)))

    def _id(self, pick: int) -> str:
        return self.ids[pick % len(self.ids)]


def copy_record(source: Store, target: Store, tenant: str = TENANT) -> None:
    """Write a store's ledger and journal into another one, without folding anything."""
    with source.reading() as theirs, target.writing() as ours:
        for record in theirs.ledger.read(tenant, 0, 1_000_000):
            ours.ledger.append(record)
        for entry in theirs.journal.entries(tenant, 0, 1_000_000):
            ours.journal.record(tenant, entry.change_set, entry.recorded_at, entry.after)


def fold_in_pieces(store: Store, cuts: Sequence[int], tenant: str = TENANT) -> None:
    """Fold a ledger in several transactions, one per piece, with its journal in place."""
    with store.reading() as unit:
        entries = list(unit.journal.entries(tenant, 0, 1_000_000))
        head = unit.ledger.head(tenant).position
    places = sorted({0, head, *(cut for cut in cuts if cut <= head), *(e.after for e in entries)})
    for start, end in [(0, 0), *pairwise(places)]:
        with store.writing() as unit:
            catch_up(unit, tenant, limit=end - start)
            for entry in entries:
                if entry.after == end:
                    stamp = Stamp(entry.recorded_at, None)
                    unit.projection.apply(tenant, entry.change_set.changes, stamp)


def contents(store: Store, tenant: str = TENANT) -> list[str]:
    """Return everything a store has folded for a tenant, line by line."""
    with store.reading() as unit:
        return list(unit.projection.contents(tenant))


def _decision(kind: str, memory_id: str, pick: int) -> Act:
    match kind:
        case "confirmed":
            return acts.Confirmed(memory_id, AGENT if pick % 2 else USER)
        case "forgotten":
            return acts.Forgotten(memory_id, USER, "no longer needed")
        case "restored":
            return acts.Restored(memory_id, USER)
        case "used":
            return acts.Used(memory_id, pick % 6, AGENT if pick % 2 else USER)
        case "demoted":
            return acts.Demoted(memory_id, USER, "too detailed")
        case _:
            return acts.Pinned(memory_id, bool(pick % 2), USER)


def _session(pick: int) -> str:
    return ("", "s1", "s2")[pick % 3]
