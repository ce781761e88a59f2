"""What waits for review, for people: the text behind its bar, and why it waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix.doors.neutral import one_line, shell_word
from helix.doors.rendering import behind_bar, faint, name, seen_from, standing, vouched

if TYPE_CHECKING:
    from helix.app.reviewing import Waiting
    from helix.model.memory import Memory
    from helix.model.outcome import Kept

LONGEST = 600
"""Letters of a text that are shown; `helix show` shows all of it."""

MOST_OF_SOURCE = 3


def listing(scope: str, waiting: Sequence[Waiting]) -> str:
    """Return what waits, each with its reasons and who brought it."""
    if not waiting:
        return f"Nothing waits for review in {seen_from(scope)}."
    number = len(waiting)
    head = f"{number} {'memory waits' if number == 1 else 'memories wait'} in {seen_from(scope)}:"
    lines = [head]
    for each in waiting:
        if not _waits_for(each):
            lines += ["", *_one(each, scope)]
    lines += _by_source(waiting)
    end = "Decide with `helix review --approve ID`, `--reject ID` or `--edit ID TEXT`."
    return "\n".join([*lines, "", faint(end)])


def _waits_for(each: Waiting) -> str:
    doubt = each.memory.belief.suspicion
    return doubt.waits_for if doubt and doubt.waits_for and not doubt.held else ""


def _by_source(waiting: Sequence[Waiting]) -> list[str]:
    """Return the imports that only wait for their source, a few of each."""
    sources: dict[str, list[Waiting]] = {}
    for each in waiting:
        if source := _waits_for(each):
            sources.setdefault(source, []).append(each)
    lines: list[str] = []
    for source, found in sources.items():
        lines += ["", f"{len(found):,} from {one_line(source)}, which nobody trusts yet"]
        for each in found[:MOST_OF_SOURCE]:
            lines += [name(each.memory.id), *_said(each.memory)]
        more = len(found) - MOST_OF_SOURCE
        lines += [f"   and {more:,} more"] if more > 0 else []
        lines.append(faint(f"   let all of it count: `helix trust {shell_word(source)}`"))
    return lines


def _said(memory: Memory) -> list[str]:
    """Return what a memory says and carries. Whoever approves must know what there is to read."""
    carried = [f"{each}: {value}" for each, value in memory.attributes.items()]
    lines = behind_bar(memory.content[:LONGEST])
    lines += behind_bar("\n".join(carried)[:LONGEST]) if carried else []
    unseen = max(0, len(memory.content) - LONGEST) + max(0, len("\n".join(carried)) - LONGEST)
    if unseen:
        lines.append(f"   … {unseen:,} more letters: `helix show {one_line(memory.id)}`")
    return lines


def decided(scope: str, done: Kept, verb: str) -> str:
    """Return what became of a memory."""
    return f"{verb} {name(done.memory.id)} ({standing(done.memory, scope)}, act {done.position})"


def _one(each: Waiting, scope: str) -> list[str]:
    held = each.memory
    lines = [f"{name(held.id)}  {each.why}, {standing(held, scope)}"]
    lines += _said(held)
    lines += [f"   because of {one_line(reason)}" for reason in each.reasons]
    lines += [f"   against {name(other)}" for other in each.contradicts]
    if each.alongside:
        more = len(each.alongside) - MOST_OF_SOURCE
        others = ", ".join(name(other) for other in each.alongside[:MOST_OF_SOURCE])
        lines.append(f"   together with {others}" + (f" and {more:,} more" if more > 0 else ""))
    return lines + [faint("   " + vouched(witness)) for witness in held.belief.provenance[:3]]
