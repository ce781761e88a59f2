"""What waits for a person: questions that Helix must not answer by itself.

A list of askers, each of which looks for one kind of question. Another kind is another
function in `ASKERS` and another entry in `Review.answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from helix.app.context import Context
from helix.app.recording import record
from helix.app.whose import is_pinned, users_decision
from helix.app.withholding import memory_as_seen
from helix.capture.admission import admitted_note, readable
from helix.model.act import Act, Resolved
from helix.model.edge import CONTRADICTS
from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.memory import Memory, Status
from helix.model.moment import as_moment
from helix.model.outcome import Kept
from helix.model.provenance import Origin
from helix.model.question import Standpoint, View
from helix.model.scope import Realm, narrower
from helix.ports.store import Unit
from helix.projection.resolving import BOTH, COMPATIBLE, FIRST, NEITHER, SECOND
from helix.rules.doubts import other_doubts, rivals
from helix.rules.influence import is_users

CONTRADICTION, DOUBT = "contradiction", "doubt"
VERDICTS = (FIRST, SECOND, BOTH, COMPATIBLE, NEITHER)
MOST_ASKED = 1_000


@dataclass(frozen=True, slots=True)
class Item:
    """One question: its kind, what it is about, in which words, and what may be answered."""

    id: str
    kind: str
    says: str
    memories: tuple[Memory, ...]
    choices: tuple[str, ...]


Asker = Callable[[Unit, Realm, Sequence[Memory]], Iterator[Item]]


def contradictions(unit: Unit, realm: Realm, held: Sequence[Memory]) -> Iterator[Item]:
    """Yield the pairs that cannot both hold."""
    by_id = {each.id: each for each in held}
    asked: set[frozenset[str]] = set()
    for memory in held:
        if not rivals(memory.belief):
            continue
        for edge in unit.projection.neighbours(realm, memory.id, relations=[CONTRADICTS]):
            # Each pair once, from the side that came later; the older one stands first.
            ends = frozenset((edge.from_id, edge.to_id))
            if edge.from_id == memory.id and edge.to_id in by_id and ends not in asked:
                asked.add(ends)
                pair = (by_id[edge.to_id], memory)
                says = "they cannot both hold"
                yield Item(edge.id, CONTRADICTION, says, pair, VERDICTS)


def doubts(unit: Unit, realm: Realm, held: Sequence[Memory]) -> Iterator[Item]:
    """Yield what has come into doubt otherwise: gone files, lost grounds, old beliefs."""
    for memory in held:
        others = other_doubts(memory.belief)
        if others:
            choices = ("confirm", "forget", "correct")
            yield Item(memory.id, DOUBT, "; ".join(others), (memory,), choices)


ASKERS: tuple[Asker, ...] = (contradictions, doubts)


class Review:
    """The queue of questions, and the way to answer them."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def items(self, askers: Sequence[Asker] = ASKERS) -> list[Item]:
        """Return what waits for a person in this scope and globally, as whoever asks may see it."""
        realm = self._context.realm
        with self._context.store.reading() as unit:
            now = self._context.clock.now()
            held = unit.projection.listing(
                realm, Standpoint(View.CURRENT, now), types=_stated(unit, realm),
                limit=MOST_ASKED * 100, statuses=[Status.ACTIVE],
            )  # fmt: skip
            found = [item for asker in askers for item in asker(unit, realm, held)]
        return [self._as_seen(each) for each in found[:MOST_ASKED]]

    def _as_seen(self, item: Item) -> Item:
        seen = tuple(memory_as_seen(self._context.source, each) for each in item.memories)
        return replace(item, memories=seen)

    def resolve(
        self,
        item_id: str,
        verdict: str,
        *,
        since: datetime | date | str | None = None,
        reason: str = "",
    ) -> Kept:
        """Decide a contradiction: the `first` is right, the `second`, `both` in turn, `neither`.

        With `both`, the first one held until `since` (by default until now) and the second
        one from then on. `compatible` says that there is no contradiction: both go on holding,
        as sure as before, and the pair is not asked about again.
        """
        if verdict not in VERDICTS:
            raise BadInput(
                f"{verdict!r} is no verdict",
                code="unknown_verdict",
                remedy="use one of: " + ", ".join(VERDICTS),
            )
        moment = None if since is None else as_moment(since)
        said = admitted_note(reason, self._context.gates)
        # Looked for and decided under one lock: decided twice, each would close the other.
        with self._context.store.writing() as unit:
            first, second = self._waiting(unit, item_id).memories
            self._check_person(unit, (first, second))
            act = Resolved(first.id, second.id, verdict, self._context.source, moment, said)
            return self._record(unit, act, narrower(first.realm, second.realm))

    def _waiting(self, unit: Unit, item_id: str) -> Item:
        """Return a contradiction by its id; only its own two memories are read."""
        realm, item_id = self._context.realm, readable(item_id)
        edge = unit.projection.edge(realm.tenant, item_id)
        ends = () if edge is None else (edge.from_id, edge.to_id)
        found = (unit.projection.memory(realm, each) for each in ends)
        held = [each for each in found if each is not None and each.status is Status.ACTIVE]
        for item in contradictions(unit, realm, held):
            if item.id == item_id:
                return item
        raise NotFound(
            f"no contradiction {item_id!r} waits here",
            code="unknown_item",
            remedy="`helix review` shows what waits",
        )

    def _check_person(self, unit: Unit, pair: Sequence[Memory]) -> None:
        if self._context.source.origin is Origin.USER_ASSERTED:
            return
        pinned = [users_decision(unit, self._context, each, is_pinned) for each in pair]
        if any(pinned) or any(map(is_users, pair)):
            raise Conflict(
                f"an agent cannot decide on what the user {'pinned' if any(pinned) else 'said'}",
                code="needs_the_user",
                remedy="let the user decide: `helix resolve`",
            )

    def _record(self, unit: Unit, act: Act, realm: Realm) -> Kept:
        context = self._context
        written = record(
            unit, act, realm, context.chance.event_id(),
            clock=context.clock, chance=context.chance,
        )  # fmt: skip
        return Kept(written.memory, written.position)


def _stated(unit: Unit, realm: Realm) -> list[str]:
    kinds = {kind for _, kind, _, _ in unit.projection.counts(realm)}
    return sorted(kinds - {"episode"}) or ["fact"]
