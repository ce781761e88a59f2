"""What waits for review, for people: the text behind its bar, and why it waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix.doors.neutral import one_line
from helix.doors.rendering import behind_bar, faint, name, seen_from, standing, vouched

if TYPE_CHECKING:
    from helix.app.reviewing import Waiting
    from helix.model.outcome import Kept

LONGEST = 600
"""Letters of a text that are shown; `helix show` shows all of it."""


def listing(scope: str, waiting: Sequence[Waiting]) -> str:
    """Return what waits, each with its reasons and who brought it."""
    if not waiting:
        return f"Nothing waits for review in {seen_from(scope)}."
    number = len(waiting)
    head = f"{number} {'memory waits' if number == 1 else 'memories wait'} in {seen_from(scope)}:"
    lines = [head]
    for each in waiting:
        lines += ["", *_one(each, scope)]
    end = "Decide with `helix review --approve ID`, `--reject ID` or `--edit ID TEXT`."
    return "\n".join([*lines, "", faint(end)])


def decided(scope: str, done: Kept, verb: str) -> str:
    """Return what became of a memory."""
    return f"{verb} {name(done.memory.id)} ({standing(done.memory, scope)}, act {done.position})"


def _one(each: Waiting, scope: str) -> list[str]:
    held = each.memory
    lines = [f"{name(held.id)}  {each.why}, {standing(held, scope)}"]
    text = held.content if len(held.content) <= LONGEST else held.content[:LONGEST] + "…"
    lines += behind_bar(text)
    lines += [f"   because of {one_line(reason)}" for reason in each.reasons]
    lines += [f"   against {name(other)}" for other in each.contradicts]
    return lines + [faint("   " + vouched(witness)) for witness in held.belief.provenance[:3]]
