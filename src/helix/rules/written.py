"""What of an act, or of a memory, a person or a tool wrote, apart from what Helix added.

Only this may name a subject. The serialised form will not do: it is full of field names, of
Helix's own words (`fact`, `direct`, `user-asserted`) and of escapes that hide the beginning
of a name. Left out as well are event ids, whose marks are Helix's own (`import:`, `git:`) and
which stand in the sealed header, and the owner's name, which stands on all the owner says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from helix.model import act as acts
from helix.model.act import Act
from helix.model.edge import COMMON_RELATIONS
from helix.model.memory import Circumstances, Memory
from helix.model.provenance import Origin, Source

HELIX = "helix"
"""Who speaks where Helix itself wrote an act, as a sweep does that promotes."""


def written_in(act: Act) -> Iterator[str]:
    """Yield every text of an act that somebody wrote, each as it was written."""
    match act:
        case acts.Corrected(by=statement) | acts.Promoted(by=statement):
            yield from written_in(statement)
        case _:
            yield from _said_by(act.source)
    for memory_id in ids_in(act):
        yield words_of(memory_id)
    match act:
        case acts.Captured() | acts.Asserted():
            yield act.content
            yield from _plain(act.attributes)
            if act.suspicion is not None:
                yield act.suspicion.waits_for
        case acts.SessionStarted(session=session) | acts.SessionEnded(session=session):
            yield session
        case acts.Related(relation=relation) if relation not in COMMON_RELATIONS:
            yield relation.replace("_", " ")
        case acts.Trusted(name=name):
            yield name
        case _:
            yield getattr(act, "reason", "")
    if isinstance(act, acts.Captured):
        yield from _around(act.circumstances)
    if isinstance(act, acts.Asserted) and act.event_time is not None:
        yield act.event_time.text


def written_of(memory: Memory) -> Iterator[str]:
    """Yield every text that a memory holds, as it was written."""
    yield words_of(memory.id)
    yield memory.content
    yield from _plain(memory.attributes)
    if memory.event_time is not None:
        yield memory.event_time.text
    if memory.circumstances is not None:
        yield from _around(memory.circumstances)


def ids_in(act: Act) -> Iterator[str]:
    """Yield the ids of the memories that an act is about; not those that its prose may name."""
    match act:
        case acts.Corrected(corrects=one, by=statement) | acts.Promoted(promotes=one, by=statement):
            yield from (one, statement.memory_id)
        case acts.Related(from_id=one, to_id=other) | acts.Resolved(first=one, second=other):
            yield from (one, other)
        case acts.Used(memory_id=one, because=cites):
            yield from (one, cites) if cites else (one,)
        case _:
            one = getattr(act, "memory_id", "")
            if one:
                yield one


def without_reason(act: Act) -> Act | None:
    """Return a decision without the reason given for it; None where none was given."""
    match act:
        case (
            acts.Forgotten(reason=reason)
            | acts.Resolved(reason=reason)
            | acts.Demoted(reason=reason)
            | acts.Rejected(reason=reason)
            | acts.RolledBack(reason=reason)
        ):
            return replace(act, reason="") if reason else None
        case _:
            return None


def words_of(memory_id: str) -> str:
    """Return the words that an id was made of, without the mark before and the number behind."""
    mark, _, words = memory_id.partition("_")
    if mark == "ep":
        # Its position in the ledger, in letters: the 15,131st episode is nobody called Bob.
        words = words.rpartition("_")[0]
    return words.replace("_", " ")


def _said_by(source: Source) -> Iterator[str]:
    if source.origin is not Origin.USER_ASSERTED and source.agent != HELIX:
        yield source.agent
    yield source.ref


def _around(circumstances: Circumstances) -> Iterator[str]:
    # Its agent is the source's.
    yield circumstances.session
    yield circumstances.tool
    yield from circumstances.files


def _plain(value: object) -> Iterator[str]:
    """Yield the texts in what attributes may hold: names, values, lists, all the way down."""
    match value:
        case str():
            yield value
        case Mapping():
            for name, each in value.items():
                yield str(name)
                yield from _plain(each)
        case list() | tuple():
            for each in value:
                yield from _plain(each)
        case bool() | None:
            return
        case _:
            yield str(value)
