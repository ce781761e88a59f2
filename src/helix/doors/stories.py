"""One memory at length, for people: all its fields, and how it came to be held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from helix.doors import lives
from helix.doors.neutral import one_line
from helix.doors.rendering import (
    act_line,
    behind_bar,
    doubted,
    edge,
    faint,
    importance,
    name,
    span,
    standing,
    strong,
    vouched,
    when,
)
from helix.rules.doubts import open_doubts

if TYPE_CHECKING:
    from helix.app.account import Account
    from helix.app.telling import LogEntry
    from helix.model.memory import Belief, Circumstances, EventTime, Memory

NEVER_ASSERTED = 0
"""What a belief stems from once the act that brought the memory about was undone."""

Field = tuple[str, str]


def memory(scope: str, held: Memory) -> str:
    """Return every field of a memory, those that say nothing left out."""
    rows = [(title, said) for title, said in _fields(held) if said]
    width = max(len(title) for title, _ in rows)
    head = f"{name(held.id)}  {faint('seen from ' + one_line(scope))}"
    table = [f"   {title.ljust(width)}  {said}" for title, said in rows]
    return "\n".join([head, *behind_bar(held.content), *table])


def account(scope: str, told: Account) -> str:
    """Return the story of a memory: each belief with the act behind it, witnesses, edges."""
    held = told.memory
    lines = [f"{name(held.id)}  {standing(held)}", *behind_bar(held.content), ""]
    lines.append(strong(f"How it came to be held (seen from {one_line(scope)})"))
    for belief, act in told.beliefs:
        lines += _chapter(belief, act)
    lines += ["", strong("How it stands"), *lives.standing(told.standing)]
    lines += ["", strong("Who witnesses it"), *(act_line(each, scope) for each in told.witnesses)]
    if told.edges:
        lines += ["", strong("What it hangs together with")]
        lines += [f"       {edge(each)}" for each in told.edges]
    lines += _found_out(told)
    return "\n".join(lines)


def _found_out(told: Account) -> Iterator[str]:
    """Yield what enrichment ties it to; nobody asserted it."""
    if told.ties:
        yield from ("", strong("What Helix noticed beside it"))
    for tie in told.ties:
        yield f"       {name(tie.from_id)} {tie.relation} {name(tie.to_id)} ({tie.weight:.2f})"


def _chapter(belief: Belief, act: LogEntry | None) -> Iterator[str]:
    if act:
        yield act_line(act)
    elif not belief.since:
        by = belief.provenance[0].source.extractor
        yield f"    -  {faint(when(belief.believed_from))}  concluded       helix: {one_line(by)}"
    else:
        yield f"       {faint(when(belief.believed_from))}  concluded by Helix itself"
    if belief.stems_from == NEVER_ASSERTED and belief.since:
        yield "       as if it had never been asserted"
    elif belief.stems_from != belief.since:
        yield f"       back to what act {belief.stems_from} made of it"
    yield f"       from then on: {_believed(belief)}"


def _believed(belief: Belief) -> str:
    parts = [belief.status.value]
    if belief.superseded_by:
        parts[0] += f" by {name(belief.superseded_by)}"
    parts += [f"true {span(belief)}", f"confidence {belief.confidence:.2f}"]
    if belief.confirmations:
        parts.append(f"confirmed {belief.confirmations} times")
    if belief.pinned:
        parts.append("pinned")
    return ", ".join([*parts, *(f"in doubt: {one_line(each)}" for each in open_doubts(belief))])


def _fields(held: Memory) -> Iterator[Field]:
    belief = held.belief
    yield "type", f"{one_line(held.type)} ({held.shape.value})"
    yield "status", belief.status.value
    yield "superseded by", belief.superseded_by and name(belief.superseded_by)
    yield "scope", one_line(held.realm.scope)
    yield "owner", f"{one_line(held.realm.owner)} (tenant {one_line(held.realm.tenant)})"
    yield "true", span(belief)
    yield "expires", when(held.expires_at) if held.expires_at else ""
    yield "recorded", f"{when(held.recorded_at)}, act {held.position}"
    yield "believed", f"since {when(belief.believed_from)}, act {belief.since}"
    yield "importance", importance(held)
    yield "confidence", f"{belief.confidence:.2f}, confirmed {belief.confirmations} times"
    yield "pinned", "yes" if belief.pinned else ""
    yield from (("in doubt", one_line(each)) for each in open_doubts(belief))
    yield "in doubt", doubted(belief.suspicion) if belief.suspicion else ""
    yield from (("vouched for", vouched(each)) for each in belief.provenance)
    yield from _event_time(held.event_time)
    yield from _circumstances(held.circumstances)
    for key, value in held.attributes.items():
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield f"attribute {one_line(key)}", one_line(said)
    yield "fingerprint", held.fingerprint


def _event_time(happens: EventTime | None) -> Iterator[Field]:
    if happens is None:
        return
    yield "happens", when(happens.start) if happens.start else ""
    yield "happens until", when(happens.end) if happens.end else ""
    yield "in its words", one_line(f"{happens.text} {happens.timezone}")


def _circumstances(around: Circumstances | None) -> Iterator[Field]:
    if around is None:
        return
    yield "event id", one_line(around.event_id)
    yield "session", one_line(around.session)
    yield "agent", one_line(around.agent)
    yield "tool", one_line(around.tool)
    yield "exit status", "" if around.exit_status is None else str(around.exit_status)
    yield from (("file", one_line(each)) for each in around.files)
    yield "parent event", one_line(around.parent_event_id)
