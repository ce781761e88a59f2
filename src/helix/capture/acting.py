"""What was said becomes an act: experiences, statements and corrections, once admitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from helix.capture import admission
from helix.capture.admission import GATES, Gate
from helix.capture.screening import suspicion
from helix.model.act import Asserted, Captured, Corrected
from helix.model.errors import BadInput
from helix.model.experience import Experience, Statement
from helix.model.memory import Circumstances, Memory, Status
from helix.model.types import EPISODE, Schema
from helix.rules.agreement import first_confidence
from helix.rules.importance import rate
from helix.rules.naming import fingerprint, memory_id
from helix.rules.validity import check_step

MADE_UP = "mcp_"
"""How a session is named that an agent did not name: each server makes up another."""


def captured(experience: Experience, gates: Sequence[Gate] = GATES) -> Captured:
    """Return the act of an experience that may be kept, or raise `BadInput`."""
    content = admission.admitted(experience.content, gates)
    if len(experience.files) > admission.MOST_FILES:
        raise BadInput(
            f"an episode can name at most {admission.MOST_FILES} files",
            code="too_many_files",
            remedy="name the ones that matter",
        )
    name = admission.admitted_name
    tool, files = name(experience.tool, "a tool"), experience.files
    if tool or files:
        clean = admission.cleaning(gates)
        tool, files = clean(tool), tuple(clean(name(file, "a file")) for file in files)
    # Without gates it was admitted before, and nobody is there to name it otherwise.
    given = admission.admitted_id if gates else name
    around = Circumstances(
        event_id=given(experience.event_id, "an event id"),
        session=given(experience.session, "a session"),
        agent=given(experience.source.agent, "an agent"),
        tool=tool,
        exit_status=experience.exit_status,
        files=files,
        parent_event_id=given(experience.parent_event_id, "a parent event id"),
    )
    attributes = admission.admitted_attributes(experience.attributes, gates)
    return Captured(
        content=content,
        source=experience.source,
        circumstances=around,
        importance_base=rate(EPISODE, content, experience.exit_status),
        importance_hint=admission.admitted_share(experience.importance_hint, "an importance"),
        occurred_at=experience.occurred_at,
        attributes=attributes,
        suspicion=suspicion(content, experience.source, attributes, experience.waits_for, around),
    )


def repeats(act: Captured | Asserted, before: object) -> bool:
    """Return whether a caller said the same again, whatever Helix made of it the first time."""
    if isinstance(act, Captured) and isinstance(before, Captured):
        ours: dict[str, object] = {
            "importance_base": before.importance_base,
            "suspicion": before.suspicion,
        }
        sessions = (act.circumstances.session, before.circumstances.session)
        if all(each.startswith(MADE_UP) for each in sessions):
            ours["circumstances"] = replace(act.circumstances, session=sessions[1])
        return replace(act, **ours) == before  # type: ignore[arg-type]
    if isinstance(act, Asserted) and isinstance(before, Asserted):
        ours = {
            "memory_id": before.memory_id,
            "importance_base": before.importance_base,
            "suspicion": before.suspicion,
        }
        return replace(act, **ours) == before  # type: ignore[arg-type]
    return False


def asserted(
    statement: Statement,
    schema: Schema,
    taken: Callable[[str], bool],
    gates: Sequence[Gate] = GATES,
) -> Asserted:
    """Return the act of a statement that may be held, or raise `BadInput`."""
    kind = schema[statement.type]
    if kind.name == EPISODE:
        raise BadInput(
            "an episode is something that happened; it is captured, not asserted",
            code="episode_not_asserted",
            remedy="use `capture`, or give another type",
        )
    content = admission.admitted(statement.content, gates)
    start, end = statement.valid_from, statement.valid_to
    if start is not None:
        _check_span(start, end)
    confidence = admission.admitted_share(statement.confidence, "a confidence")
    if confidence is None:
        confidence = first_confidence(statement.source.origin)
    attributes = admission.admitted_attributes(statement.attributes, gates)
    return Asserted(
        memory_id=memory_id(content, fingerprint(kind.name, content), taken),
        type=kind.name,
        shape=kind.shape.value,
        content=content,
        source=statement.source,
        importance_base=rate(kind.name, content),
        importance_hint=admission.admitted_share(statement.importance_hint, "an importance"),
        confidence=confidence,
        valid_from=start,
        valid_to=end,
        expires_at=statement.expires_at,
        event_time=admission.admitted_event_time(statement.event_time, gates),
        attributes=attributes,
        suspicion=suspicion(content, statement.source, attributes, statement.waits_for),
    )


def corrected(
    old: Memory,
    statement: Statement,
    schema: Schema,
    taken: Callable[[str], bool],
    gates: Sequence[Gate] = GATES,
    *,
    now: datetime,
) -> Corrected:
    """Return the act that puts a statement in a memory's place, or raise.

    What the statement leaves open is taken over from the old memory; the attributes of one
    under suspicion are not, as nobody may have looked at them. Nor is an end or an expiry that
    is over: the correction would never be true, or never answer.
    """
    if old.type == EPISODE:
        raise BadInput(
            f"{old.id} is an episode: it happened, and evidence is not edited",
            code="episode_not_corrected",
            remedy="forget it if it is wrong, and capture what did happen",
        )
    check_step(old, Status.SUPERSEDED)
    start = statement.valid_from or now
    end, expiry = old.belief.valid_to, old.expires_at
    over = end is not None and end <= start and end <= now
    gone = expiry is not None and expiry <= max(start, now)
    statement = replace(
        statement,
        type=old.type,
        valid_to=statement.valid_to or (None if over else end),
        expires_at=statement.expires_at or (None if gone else expiry),
        event_time=statement.event_time or old.event_time,
        attributes=statement.attributes or ({} if old.belief.suspicion else old.attributes),
    )
    act = asserted(statement, schema, taken, gates)
    check_has_time(act, now)
    return Corrected(old.id, act)


def check_has_time(act: Asserted, now: datetime) -> None:
    """Raise `BadInput` if a statement that begins now would have ended before."""
    if act.valid_from is None:
        _check_span(now, act.valid_to)


def _check_span(start: datetime, end: datetime | None) -> None:
    if end is not None and end <= start:
        raise BadInput(
            "it would end before it begins, which is now unless it says since when",
            code="empty_validity",
            remedy="give a beginning (`--since`) before its end, or a later end (`--until`)",
        )
