"""Ledger records as people read them: who did what, when."""

from __future__ import annotations

from datetime import datetime

from helix.ledger.workflow import Told
from helix.model import act as acts
from helix.model.act import Act
from helix.model.frozen import dataclass
from helix.model.provenance import Source
from helix.rules.counting import how_many
from helix.rules.event_ids import as_given

GIST_LETTERS = 120
_VERDICTS = {
    "first": "the first is right", "second": "the second is right",
    "both": "each in its time", "compatible": "both hold", "neither": "neither is right",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log."""

    position: int
    recorded_at: datetime
    kind: str
    scope: str
    agent: str
    origin: str
    event_id: str
    says: str
    memory_ids: tuple[str, ...] = ()


def entry_of(
    told: Told, memory_ids: tuple[str, ...] = (), purge: acts.Purged | None = None
) -> LogEntry:
    """Return the line that tells of a record; `purge` is the act by which it left, if it did."""
    gone = "(erased)" if purge is None else f"(purged by age; export {purge.export[:12]} holds it)"
    record, act = told.record, told.act
    source = None if act is None else _source(act)
    return LogEntry(
        position=record.position,
        recorded_at=record.recorded_at,
        kind=record.kind,
        scope=record.realm.scope,
        agent=source.agent if source else "",
        origin=source.origin.value if source else "",
        event_id=as_given(record.event_id),
        says=gone if act is None else _says(act),
        memory_ids=memory_ids,
    )


def gist(text: str, letters: int = GIST_LETTERS) -> str:
    """Return a text on one line, shortened with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 1].rstrip() + "…"


def _source(act: Act) -> Source:
    return act.by.source if isinstance(act, acts.Corrected | acts.Promoted) else act.source


def _says(act: Act) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence per kind of act
    match act:
        case acts.Captured(content=content):
            return gist(content)
        case acts.SessionStarted(session=session):
            return f"session {session} began"
        case acts.SessionEnded(session=session):
            return f"session {session} ended"
        case acts.Asserted(type=kind, content=content):
            return f"{kind}: {gist(content)}"
        case acts.Corrected(corrects=old, by=new):
            return f"{old} is now: {gist(new.content)}"
        case acts.Confirmed(memory_id=memory_id):
            return f"{memory_id} is right"
        case acts.Related(from_id=start, relation=relation, to_id=end):
            return f"{start} {relation} {end}"
        case acts.Forgotten(memory_id=memory_id, reason=reason):
            return f"{memory_id} steps back" + (f": {gist(reason)}" if reason else "")
        case acts.Restored(memory_id=memory_id):
            return f"{memory_id} is held again"
        case acts.Pinned(memory_id=memory_id, pinned=pinned):
            return f"{memory_id} is {'pinned' if pinned else 'no longer pinned'}"
        case acts.Resolved(first=one, second=other, verdict=verdict):
            return f"between {one} and {other}: {_VERDICTS.get(verdict, verdict)}"
        case acts.Used(memory_id=memory_id, quality=quality, because=because):
            return f"{memory_id} was used, quality {quality}" + (
                f": {because} cites it" if because else ""
            )
        case acts.Promoted(promotes=ground, by=new):
            return f"{ground} is the ground of: {gist(new.content)}"
        case acts.Demoted(memory_id=memory_id, reason=reason):
            return f"{memory_id} goes to the archive" + (f": {gist(reason)}" if reason else "")
        case acts.Approved(memory_id=memory_id):
            return f"{memory_id} was looked at and counts"
        case acts.Rejected(memory_id=memory_id, reason=reason):
            return f"{memory_id} was turned away" + (f": {gist(reason)}" if reason else "")
        case acts.Trusted(name=name, trusted=trusted, positions=positions):
            return (
                f"what comes from {gist(name)} {'counts' if trusted else 'waits for review'}"
                f" from now on, and {how_many(len(positions), 'memory')} from before"
            )
        case acts.RolledBack(positions=positions, reason=reason):
            what = f"{len(positions)} acts" if len(positions) > 1 else f"act {positions[0]}"
            return f"{what} undone" + (f": {gist(reason)}" if reason else "")
        case acts.Erased(position=0):
            return "a conclusion was erased"
        case acts.Erased(position=position):
            return f"the payload of record {position} was erased"
        case acts.Purged(spans=spans, export=export):
            number = sum(last - first + 1 for first, last in spans)
            return f"{number} old records were purged; export {export[:12]} holds them"
