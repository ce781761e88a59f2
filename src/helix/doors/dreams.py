"""Runs of sleep and what waits for a person, in words and as documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from helix.doors import plain as nouns
from helix.doors.neutral import one_line
from helix.doors.plain import Document
from helix.doors.rendering import BAR, behind_bar, faint, gist, name, standing, strong, when
from helix.model.changes import Change, DropEdge, DropMemory, PutEdge, PutMemory, Rate, Suspect
from helix.model.memory import Status
from helix.model.moment import text_of

if TYPE_CHECKING:
    from helix.app.review import Item
    from helix.app.sleeping import Owed, Shown
    from helix.model.changes import ChangeSet
    from helix.model.run import PassReport, Run
    from helix.ports.jobs import Job
    from helix.sleep.reverting import Reverted
    from helix.sleep.workflow import Dreamt

MOST_EDGES = 5
"""Edges of one pass that are written out; the rest is counted."""


def run(scope: str, slept: Run) -> str:
    """Return what a run did, pass by pass."""
    state = "" if slept.state.value == "finished" else f" ({slept.state.value})"
    head = (
        f"Run {slept.number} over {one_line(scope)}{state}: read to act {slept.read_to},"
        f" {slept.applied} conclusions ({one_line(slept.reason)}, {one_line(slept.concluded_by)})."
    )
    return "\n".join([head, *(_pass(each) for each in slept.passes), *_hint(slept)])


def dreamt(scope: str, dream: Dreamt) -> str:
    """Return what a dry run would have concluded, as a diff."""
    if not dream.changes:
        return f"Sleep over {one_line(scope)} would change nothing."
    lines = [f"Sleep over {one_line(scope)} would conclude {dream.run.applied} things:"]
    return "\n".join([*lines, *(_pass(each) for each in dream.run.passes), *_diff(dream.changes)])


def shown(scope: str, seen: Shown) -> str:
    """Return one run with its changes, and what it left alone."""
    left = [
        f"  {faint(each.name)}  {one_line(left.what)}: {one_line(left.why)}"
        for each in seen.run.passes
        for left in each.passed
    ]
    parts = [run(scope, seen.run), *_diff(seen.changes)]
    return "\n".join([*parts, *([strong("Left alone:"), *left] if left else [])])


def runs(scope: str, found: Sequence[Run]) -> str:
    """Return runs one a line."""
    if not found:
        return f"Nobody has slept over {one_line(scope)} yet. `helix sleep` does."
    lines = [
        f"{each.number:>5}  {faint(when(each.started_at))}  {each.state.value:<9}"
        f" {each.applied:>5} conclusions  {one_line(each.reason)}"
        for each in found
    ]
    return "\n".join([f"Runs over {one_line(scope)}, newest first:", *lines])


def owed(scope: str, work: Owed) -> str:
    """Return the work that waits and that which is dead."""
    if not work.waiting and not work.dead:
        return f"No work is owed in {one_line(scope)}."
    return "\n".join([f"Owed in {one_line(scope)}:", *map(_job, (*work.waiting, *work.dead))])


def reverted(scope: str, done: Reverted) -> str:
    """Return what was taken back and what was left."""
    head = f"Took back run {done.run.number} over {one_line(scope)}: {done.undone} changes undone."
    return "\n".join([head, *(f"  left {name(e.what)}: {one_line(e.why)}" for e in done.left)])


def review(scope: str, items: Sequence[Item]) -> str:
    """Return what waits for a person."""
    if not items:
        return f"Nothing waits for you in {one_line(scope)}."
    lines = [f"Sleep asks about {len(items)} in {one_line(scope)}:"]
    for item in items:
        lines.append(f"{strong(item.kind)} {name(item.id)}: {one_line(item.says)}")
        labels = ("first", "second") if len(item.memories) > 1 else ("",)
        for label, memory in zip(labels, item.memories, strict=False):
            lines.append(f"  {label:<6} {name(memory.id)}  {standing(memory, scope)}")
            lines += behind_bar(memory.content)
        lines.append(faint(f"  answer: {', '.join(item.choices)}"))
    lines.append(faint("Decide with `helix resolve ITEM VERDICT`: `both` is one after the other,"))
    lines.append(faint("`compatible` both at once."))
    return "\n".join(lines)


# --- for programs -------------------------------------------------------------------------


def plain(slept: Run) -> Document:
    """Return a run as plain values."""
    return {
        "number": slept.number,
        "state": slept.state.value,
        "reason": slept.reason,
        "concluded_by": slept.concluded_by,
        "read_to": slept.read_to,
        "started_at": text_of(slept.started_at),
        "finished_at": None if slept.finished_at is None else text_of(slept.finished_at),
        "applied": slept.applied,
        "passes": [_pass_document(each) for each in slept.passes],
    }


def dreamt_document(scope: str, dream: Dreamt) -> Document:
    """Return a dry run: its reports and its changes."""
    return {"scope": scope, "dry_run": True, "run": plain(dream.run),
            "changes": _changes(dream.changes)}  # fmt: skip


def shown_document(scope: str, seen: Shown) -> Document:
    """Return a run with its changes."""
    return {"scope": scope, "run": plain(seen.run), "changes": _changes(seen.changes)}


def owed_document(scope: str, work: Owed) -> Document:
    """Return the work that waits and that which is dead."""
    return {
        "scope": scope,
        "waiting": [_job_document(each) for each in work.waiting],
        "dead": [_job_document(each) for each in work.dead],
    }


def review_document(scope: str, items: Sequence[Item]) -> Document:
    """Return what waits for a person."""
    return {
        "scope": scope,
        "items": [
            {
                "id": item.id,
                "kind": item.kind,
                "says": item.says,
                "choices": list(item.choices),
                "memories": [nouns.memory(each) for each in item.memories],
            }
            for item in items
        ],
    }


# --- the parts ----------------------------------------------------------------------------


def _pass(report: PassReport) -> str:
    did = ", ".join(f"{count} {what}" for what, count in sorted(report.decisions.items()))
    return (
        f"  {report.name:<10} read {report.read}, proposed {report.proposed},"
        f" applied {report.applied}{f' ({did})' if did else ''}, skipped {report.skipped}"
    )


def _hint(slept: Run) -> Iterable[str]:
    if slept.applied and slept.number:
        yield faint(
            f"`helix runs show {slept.number}` shows each; `helix runs revert` undoes them."
        )


def _diff(changes: Iterable[tuple[str, ChangeSet]]) -> list[str]:
    lines: list[str] = []
    # A pass is applied in parts, which is nobody's concern here.
    for pass_name, parts in groupby(changes, key=lambda each: each[0]):
        lines.append(strong(f"{pass_name}:"))
        edges: list[PutEdge] = []
        for _, change_set in parts:
            edges += [each for each in change_set.changes if isinstance(each, PutEdge)]
            for change in change_set.changes:
                if not isinstance(change, PutEdge):
                    lines += _change(change, change_set)
        for each in edges[:MOST_EDGES]:
            edge = each.edge
            lines.append(f"  + {name(edge.from_id)} {one_line(edge.relation)} {name(edge.to_id)}")
        if len(edges) > MOST_EDGES:
            lines.append(faint(f"  + {len(edges) - MOST_EDGES} more edges"))
    return lines


def _change(change: Change, change_set: ChangeSet) -> list[str]:
    match change:
        case PutMemory(memory):
            born = (isinstance(e, DropMemory) and e.memory_id == memory.id for e in change_set.undo)
            mark = "+" if any(born) else "~" if memory.status is Status.ACTIVE else "-"
            told = f"{standing(memory, memory.realm.scope)}, {len(memory.belief.provenance)}"
            said = f"  {mark} {name(memory.id)}  {told} witnesses"
            said += f", confidence {memory.belief.confidence:.2f}"
            doubts = [f"      {faint(one_line(each))}" for each in memory.belief.doubts]
            return [said, f"      {BAR}{gist(memory.content)}", *doubts]
        case DropMemory(_, memory_id):
            return [f"  - {name(memory_id)}"]
        case DropEdge(_, edge_id):
            return [f"  - {name(edge_id)}"]
        case Rate(_, memory_id, leaves, enters):
            return [f"  ~ {name(memory_id)}  importance {leaves:.2f}, now {enters:.2f}"]
        case Suspect(_, memory_id, _, enters):
            told = "; ".join(one_line(each) for each in enters.reasons) if enters else "no more"
            return [f"  ~ {name(memory_id)}  suspected: {told}"]
        case _:
            return []


def _changes(changes: Iterable[tuple[str, ChangeSet]]) -> list[Document]:
    found: list[Document] = []
    for pass_name, change_set in changes:
        for change in change_set.changes:
            match change:
                case PutMemory(memory):
                    what: Document = {"change": "put_memory", "memory": nouns.memory(memory)}
                case PutEdge(edge):
                    what = {"change": "put_edge", "edge": nouns.edge(edge)}
                case DropMemory(_, memory_id):
                    what = {"change": "drop_memory", "id": memory_id}
                case Rate(_, memory_id, leaves, enters):
                    what = {"change": "rate", "id": memory_id, "from": leaves, "to": enters}
                case Suspect(_, memory_id, _, enters):
                    reasons = list(enters.reasons) if enters else []
                    what = {"change": "suspect", "id": memory_id, "reasons": reasons}
                case _:
                    what = {"change": type(change).__name__}
            found.append({"pass": pass_name} | what)
    return found


def _pass_document(report: PassReport) -> Document:
    return {
        "name": report.name,
        "read": report.read,
        "proposed": report.proposed,
        "applied": report.applied,
        "skipped": report.skipped,
        "decisions": dict(report.decisions),
        "left": [{"what": each.what, "why": each.why} for each in report.passed],
        "journal": report.journal,
        "entries": list(report.entries),
        "seconds": report.seconds,
    }


def _job(job: Job) -> str:
    state = "dead" if job.dead else "asleep" if job.leased_by else "waits"
    error = f": {one_line(job.last_error)}" if job.last_error else ""
    return f"{job.id:>5}  {state:<6}  {one_line(job.reason)}, {job.attempts} attempts{error}"


def _job_document(job: Job) -> Document:
    return {
        "id": job.id,
        "reason": job.reason,
        "enqueued_at": text_of(job.enqueued_at),
        "due_at": text_of(job.due_at),
        "attempts": job.attempts,
        "leased_by": job.leased_by or None,
        "last_error": job.last_error or None,
        "dead": job.dead,
    }
