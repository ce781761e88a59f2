"""Whether memories still say what they were folded from. Pure.

Words, type, id and realm are compared, which an answer shows, and that no memory was added
or taken away. What is believed about a memory, its edges and its words in the index follow
from many records; they are compared by folding everything again (`helix rebuild --check`).
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from helix.model.act import Act, Asserted, Captured, Corrected, Promoted
from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.record import Record
from helix.model.types import EPISODE
from helix.ports.projection import Saying
from helix.rules.naming import episode_id

BIRTHS = frozenset({"captured", "asserted", "corrected", "promoted"})
"""Kinds of records that bring a memory about."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """A memory that is not what the record at `position` makes of it; 0 if it has no record."""

    position: int
    memory: str
    fault: str


def said_by(record: Record, act: Act) -> Saying | None:
    """Return what the memory says that a record brings about, if it does."""
    match act:
        case Captured(content=content):
            name = episode_id(content, record.position)
            return Saying(name, EPISODE, record.realm, record.position, content)
        case Asserted():
            return _stated(record, act)
        case Corrected(by=by) | Promoted(by=by):
            return _stated(record, by)
    return None


def unlike_at(
    position: int, due: Saying | None, held: Sequence[Saying], concluded: Container[Saying]
) -> Unlike | None:
    """Return what is wrong with the memories that stand where only `due` should.

    Conclusions may stand anywhere; all that were ever drawn are `concluded`.
    """
    for each in held:
        if each == due or each in concluded:
            continue
        if due is not None and each.id == due.id:
            return Unlike(position, each.id, _difference(each, due))
        return Unlike(position, each.id, "no record and no conclusion brings it about like this")
    if due is not None and due not in held:
        return Unlike(position, due.id, f"it is missing; record {position} brings it about")
    return None


def as_said(memory: Memory) -> Saying:
    """Return what a memory says."""
    return Saying(memory.id, memory.type, memory.realm, memory.position, memory.content)


def _stated(record: Record, act: Asserted) -> Saying:
    return Saying(act.memory_id, act.type, record.realm, record.position, act.content)


def _difference(held: Saying, due: Saying) -> str:
    pairs = (("words", held.content, due.content), ("type", held.type, due.type))
    what = next((name for name, one, other in pairs if one != other), "realm")
    return f"its {what} {'are' if what == 'words' else 'is'} not what record {due.position} says"
