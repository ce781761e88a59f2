"""What the connected agent may be asked: read newest first, and no further than it takes.

A question about a piece of talk follows from that piece and from what people had said before
it. So the newest pieces can be asked about without reading all that was ever captured, and
are the very questions that sleep will look for an answer to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helix.consolidation.statements import STATED
from helix.consolidation.thinking import POSITIONS_PER_PIECE, Question, questions
from helix.model.memory import Memory, Status
from helix.model.night import Night
from helix.model.question import Standpoint, View
from helix.model.scope import Realm
from helix.model.types import EPISODE
from helix.ports.clock import Clock
from helix.ports.store import Store, Unit
from helix.sleep.workflow import moment

AT_ONCE = 512
"""Episodes read together; the most important of them are asked about first."""

MOST_READ = 5_120
"""Episodes after which nothing older is looked for: somebody waits for the answer."""

MOST_STATED = 10_000


def waiting(store: Store, clock: Clock, realm: Realm) -> Iterator[tuple[Night, Question]]:
    """Yield what could be asked, with the night it is asked about: the newest pieces first."""
    with store.reading() as unit:
        now, folded = moment(unit, clock, realm.tenant)
        head = unit.ledger.head(realm.tenant).position
        everything = Standpoint(View.HISTORY, now)
        held = {each.id: each for each in _stated(unit, realm, everything)}
    before: int | None = None
    for _ in range(MOST_READ // AT_ONCE):
        with store.reading() as unit:
            page = unit.projection.listing(
                realm, everything, types=[EPISODE], limit=AT_ONCE, before=before,
                statuses=[Status.ACTIVE],
            )  # fmt: skip
        if not page:
            return
        whole, before = _whole(page)
        own = tuple(each for each in reversed(whole) if each.realm == realm)
        night = Night(realm, now, folded, episodes=own, held=held, head=head)
        for question in questions(night):
            yield night, question
        if len(page) < AT_ONCE:
            return


def _whole(page: Sequence[Memory]) -> tuple[Sequence[Memory], int]:
    """Return those of a page, newest first, whose pieces are whole, and where to read on."""
    if len(page) < AT_ONCE:
        return page, 0
    begins = (page[-1].position // POSITIONS_PER_PIECE + 1) * POSITIONS_PER_PIECE
    return [each for each in page if each.position >= begins], begins


def _stated(unit: Unit, realm: Realm, everything: Standpoint) -> Iterator[Memory]:
    """Yield what was asserted here; what Helix concluded has no position, and comes last."""
    found = unit.projection.listing(
        realm, everything, types=sorted(STATED), limit=MOST_STATED, statuses=[Status.ACTIVE]
    )
    for each in found:
        if each.position == 0:
            return
        if each.realm == realm:
            yield each
