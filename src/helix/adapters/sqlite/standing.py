"""Standpoints as SQL: which rows may answer, judged inside the query, before any limit.

The same law as `rules.validity.answers`; the contract suite holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from helix.model.frozen import dataclass
from helix.model.memory import Status
from helix.model.moment import to_micros
from helix.model.question import Standpoint, View
from helix.rules.validity import statuses_of

_BELIEF_THEN = (
    " LEFT JOIN past_beliefs b ON b.memory = m.key AND b.until_at ="
    " (SELECT min(until_at) FROM past_beliefs WHERE memory = m.key AND until_at > ?)"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """The pieces of a query on `memories m`, with their bindings in order."""

    belief: str
    joins: str
    joins_bindings: tuple[Any, ...]
    where: str
    where_bindings: tuple[Any, ...]


def believed(believed_on: datetime | None) -> Standing:
    """Return what reads the belief of now, or the one held at a moment."""
    if believed_on is None:
        return Standing("m.belief", "", (), "m.status <> 'purged'", ())
    moment = to_micros(believed_on)
    return Standing(
        "coalesce(b.belief, m.belief)",
        _BELIEF_THEN,
        (moment,),
        "m.status <> 'purged' AND m.recorded_at <= ?",
        (moment,),
    )


def standing(standpoint: Standpoint, statuses: Sequence[Status] | None = None) -> Standing:
    """Return what keeps the rows that may answer from a standpoint.

    Given `statuses`, only those count and validity is not asked.
    """
    base = believed(standpoint.believed_on)
    past = standpoint.believed_on is not None
    status = "coalesce(b.status, m.status)" if past else "m.status"
    wanted = sorted(statuses_of(standpoint.view) if statuses is None else statuses)
    where = [base.where, f"{status} IN ({marks(len(wanted))})"]
    bindings: list[Any] = [*base.where_bindings, *(each.value for each in wanted)]
    if statuses is None and standpoint.view is not View.HISTORY:
        moment = to_micros(standpoint.true_on)
        start = "coalesce(b.valid_from, m.valid_from)" if past else "m.valid_from"
        end = "iif(b.memory IS NULL, m.valid_to, b.valid_to)" if past else "m.valid_to"
        where.append(f"{start} <= ? AND ({end} IS NULL OR {end} > ?)")
        where.append("(m.expires_at IS NULL OR m.expires_at > ?)")
        bindings += [moment, moment, moment]
    return Standing(
        base.belief, base.joins, base.joins_bindings, " AND ".join(where), tuple(bindings)
    )


def marks(count: int) -> str:
    """Return so many marks for bindings, as a list in a query takes them."""
    return ", ".join("?" * count)
