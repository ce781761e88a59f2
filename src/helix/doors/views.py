"""Views without a question, for people: a neighbourhood, a story, a briefing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix.doors.neutral import one_line
from helix.doors.rendering import (
    BAR,
    edge,
    faint,
    gist,
    name,
    seen_from,
    standing,
    strong,
    when,
)

if TYPE_CHECKING:
    from helix.app.looking import Neighbourhood
    from helix.model.memory import Memory
    from helix.recall.briefing import Briefing


def neighbourhood(found: Neighbourhood) -> str:
    """Return what is held about a thing."""
    seen = seen_from(found.scope)
    if not found.memories:
        return f"Nothing here speaks of {one_line(found.entity)} ({seen})."
    lines = [f"About {one_line(found.entity)}, from {seen}:"]
    for each in found.memories:
        lines.append(f"  {name(each.id)}  {standing(each, found.scope)}")
        lines.append(f"    {BAR}{gist(each.content)}")
    if found.beside:
        lines += ["", strong("Named beside it")]
        lines += [f"  {one_line(thing)} ({count})" for thing, count in found.beside]
    if found.edges:
        lines += ["", strong("What hangs together")]
        lines += [f"  {edge(each)}" for each in found.edges]
    return "\n".join(lines)


def story(scope: str, episodes: Sequence[Memory]) -> str:
    """Return what happened, in the order of time."""
    if not episodes:
        return f"Nothing happened around then, as far as memory knows ({seen_from(scope)})."
    lines = [f"What happened, from {seen_from(scope)}:"]
    for each in episodes:
        lines.append(f"  {faint(when(each.belief.valid_from))}  {name(each.id)}")
        lines.append(f"    {BAR}{gist(each.content)}")
    return "\n".join(lines)


def briefing(found: Briefing) -> str:
    """Return a briefing; every line names the memory it comes from."""
    seen = seen_from(found.scope)
    if not found.sections:
        return f"Nothing is held yet in {seen}."
    lines = [f"Briefing from {seen}, about {found.tokens} tokens"]
    for title, section in found.sections:
        lines += ["", strong(title)]
        lines += [
            f"{BAR}{one_line(each.text)} {faint(f'({name(each.memory.id)})')}" for each in section
        ]
    if found.left_out:
        lines += ["", faint(f"{found.left_out} more did not fit; `helix recall` finds them.")]
    return "\n".join(lines)
