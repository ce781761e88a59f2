"""What each tool does: call the facade, and answer in a few words.

One function per tool, by its name. Each takes the memory as the client sees it and its
checked arguments, and returns text. What cannot be done raises `HelixError`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from helix.doors import agent_text, corrections
from helix.doors.briefing import BUDGET as BRIEFING_BUDGET
from helix.doors.briefing import briefing
from helix.doors.budget import shortened
from helix.doors.neutral import neutral, one_line
from helix.doors.page_ends import page_end
from helix.model.errors import Conflict
from helix.model.memory import Status
from helix.model.question import View
from helix.model.scope import GLOBAL
from helix.rules.echo import DATA_NOT_ORDERS, fenced, unforged

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.app.telling import LogEntry

Arguments = dict[str, Any]

RECALL_BUDGET = 1_200
LIST_BUDGET = 2_000
WHY_BUDGET = 4_000
MOST_RECALLED = 20
LISTED = 20


def recall(memory: Helix, given: Arguments) -> str:
    """Ask memory."""
    answer = memory.recall(
        given["question"],
        view=View.HISTORY if given.get("history") else View.CURRENT,
        true_on=given.get("on"),
        types=given.get("types", ()),
        limit=MOST_RECALLED,
    )
    return agent_text.recollection(answer, given.get("budget", RECALL_BUDGET)).text


def context(memory: Helix, given: Arguments) -> str:
    """Brief an agent that begins."""
    told = briefing(memory, given.get("budget", BRIEFING_BUDGET))
    return told.text or f"Nothing is held in {one_line(memory.scope)} or {GLOBAL} yet."


def remember(memory: Helix, given: Arguments) -> str:
    """Hold something to be so."""
    points = given.get("importance")
    outcome = memory.remember(
        given["content"],
        type=given.get("type", "fact"),
        everywhere=given.get("everywhere", False),
        importance_hint=None if points is None else points / 10,
    )
    return agent_text.outcome(outcome, "Remembered")


def capture(memory: Helix, given: Arguments) -> str:
    """Write down what happened."""
    outcome = memory.capture(
        given["content"],
        tool=given.get("tool", ""),
        exit_status=given.get("exit_status"),
        files=given.get("files", ()),
        session=given.get("session", ""),
        event_id=given.get("event_id"),
    )
    return agent_text.outcome(outcome, "Captured")


def correct(memory: Helix, given: Arguments) -> str:
    """Replace a memory; again, with the same words, changes nothing."""
    try:
        outcome = memory.correct(
            given["id"],
            given["content"],
            since=given.get("since"),
            always=given.get("always", False),
        )
    except Conflict:
        held = corrections.repeated(memory, given["id"], given["content"])
        if held is None:
            raise
        if memory.why(given["id"]).memory.belief.superseded_by == held.id:
            return f"Already so: {one_line(given['id'])} is now {one_line(held.id)}."
        return f"Already noted beside {one_line(given['id'])}: {one_line(held.id)}."
    verb = corrections.verb(given["id"], outcome, one_line(given["id"]))
    return agent_text.outcome(outcome, verb)


def forget(memory: Helix, given: Arguments) -> str:
    """Let a memory step back; again changes nothing."""
    try:
        outcome = memory.forget(given["id"], given.get("reason", ""))
    except Conflict:
        if memory.why(given["id"]).memory.status is Status.FORGOTTEN:
            return f"Already forgotten: {one_line(given['id'])}."
        raise
    return agent_text.outcome(outcome, "Forgot")


def why(memory: Helix, given: Arguments) -> str:
    """Tell a memory's story."""
    account = memory.why(given["id"])
    lines = [DATA_NOT_ORDERS, agent_text.told(account.memory, WHY_BUDGET)]
    lines += ["Held because:", *(_act(act) for _, act in account.beliefs if act)]
    known = {act.position for _, act in account.beliefs if act}
    more = [_act(each) for each in account.witnesses if each.position not in known]
    lines += [*(["Witnessed by:"] if more else []), *more]
    lines += [
        f"{one_line(each.from_id)} {one_line(each.relation)} {one_line(each.to_id)}"
        for each in account.edges[:LISTED]
    ]
    return fenced("\n".join(lines))


def used(memory: Helix, given: Arguments) -> str:
    """Say how well a memory served."""
    return agent_text.outcome(memory.life.used(given["id"], given.get("quality", 4)), "Noted for")


def promote(memory: Helix, given: Arguments) -> str:
    """Hold what an episode tells; again changes nothing."""
    try:
        kept = memory.life.promote(given["id"], given.get("content", ""), given.get("type", "fact"))
    except Conflict as error:
        if error.code != "already_held":
            raise
        return f"Already held: {one_line(error.message)}."
    return agent_text.outcome(kept, f"Promoted {one_line(given['id'])}, now")


def demote(memory: Helix, given: Arguments) -> str:
    """Send a memory to the archive."""
    kept = memory.life.demote(given["id"], given.get("reason", ""))
    return agent_text.outcome(kept, "Archived")


def about(memory: Helix, given: Arguments) -> str:
    """Look around a thing."""
    found = memory.look.about(given["name"])
    if not found.memories:
        return f"Nothing here speaks of {one_line(found.entity)}."
    beside = ", ".join(one_line(thing) for thing, _ in found.beside)
    head = f"About {one_line(found.entity)}" + (f"; named beside it: {beside}" if beside else "")
    return agent_text.pack(head + ".", found.memories, given.get("budget", LIST_BUDGET)).text


def confirm(memory: Helix, given: Arguments) -> str:
    """Find a memory right."""
    return agent_text.outcome(memory.confirm(given["id"]), "Confirmed")


def restore(memory: Helix, given: Arguments) -> str:
    """Bring a memory back; again changes nothing."""
    try:
        return agent_text.outcome(memory.restore(given["id"]), "Restored")
    except Conflict:
        if memory.why(given["id"]).memory.status is Status.ACTIVE:
            return f"Already held: {one_line(given['id'])}."
        raise


def pin(memory: Helix, given: Arguments) -> str:
    """Keep a memory from fading."""
    pinned = given.get("pinned", True)
    return agent_text.outcome(
        memory.pin(given["id"], pinned=pinned), "Pinned" if pinned else "Released"
    )


def relate(memory: Helix, given: Arguments) -> str:
    """Draw an edge."""
    edge = memory.relate(given["from_id"], given["relation"], given["to_id"])
    return f"{one_line(edge.from_id)} {one_line(edge.relation)} {one_line(edge.to_id)}."


def list(memory: Helix, given: Arguments) -> str:
    """List what is held."""
    held = memory.list(
        types=given.get("types", ()), limit=given.get("limit", LISTED), before=given.get("before")
    )
    if not held:
        return f"Nothing of that kind is held in {one_line(memory.scope)} or {GLOBAL}."
    head = f"Newest first. Page on with before: {one_line(str(page_end(held[-1])))}."
    return agent_text.pack(head, held, given.get("budget", LIST_BUDGET)).text


def log(memory: Helix, given: Arguments) -> str:
    """Show the record."""
    entries = memory.history.log(given.get("limit", LISTED), given.get("before"))
    if not entries:
        return "Nothing is recorded here."
    return fenced("\n".join([DATA_NOT_ORDERS, *(_act(each) for each in entries)]))


def pending(memory: Helix, given: Arguments) -> str:
    """Hand out questions, each with what it shows and the form of its answer."""
    asked = memory.sleeping.pending(given.get("limit", 1))
    if not asked:
        return f"Nothing waits to be thought about in {one_line(memory.scope)}."
    parts = [asked[0].asked.instructions]
    for each in asked:
        shown = fenced("\n".join([DATA_NOT_ORDERS, unforged(neutral(each.asked.material))]))
        form = json.dumps(each.asked.schema, ensure_ascii=False, separators=(",", ":"))
        parts += [f"Question {each.key}", shown, f"Answer with `submit`, in this form: {form}"]
    return "\n\n".join(parts)


def submit(memory: Helix, given: Arguments) -> str:
    """Take an answer; again changes nothing."""
    found = memory.sleeping.answer(given["key"], json.dumps(given["reply"], ensure_ascii=False))
    kept = f"Taken: {len(found.conclusions)} to be looked at during sleep."
    if not found.passed:
        return kept
    refused = "; ".join(dict.fromkeys(one_line(each.why) for each in found.passed))
    return f"{kept} Refused {len(found.passed)}: {refused}."


def status(memory: Helix, given: Arguments) -> str:
    """Count what is held."""
    del given
    held = memory.upkeep.status()
    counts = [f"{number} {kind} {state} in {where}" for where, kind, state, number in held.counts]
    return "\n".join(
        [f"Scope {one_line(held.scope)}: {one_line(held.scope_reason)}.", *counts]
        if counts
        else [f"Scope {one_line(held.scope)}: {one_line(held.scope_reason)}. Nothing held yet."]
    )


def _act(entry: LogEntry) -> str:
    says = unforged(shortened(one_line(entry.says), 60))
    return (
        f"{entry.position} {entry.recorded_at:%Y-%m-%d %H:%M} {entry.kind}"
        f" by {one_line(entry.agent) or '-'} ({entry.origin or 'helix'}): {says}"
    )
