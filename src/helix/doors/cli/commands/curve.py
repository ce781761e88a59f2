"""`helix curve`: how a memory fades, with its own events on the way."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from helix.doors.cli.door import Answer, Door, command
from helix.doors.neutral import one_line
from helix.model.moment import text_of

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.doors.curves import Curve, Event
    from helix.model.life import Life
    from helix.rules.policy import Policy

POINTS = 400
_AHEAD = timedelta(days=30)


class Spans(NamedTuple):
    """From now, until when, and what happens on the way."""

    now: datetime
    end: datetime
    events: list[Event]


@command(
    "curve",
    examples=[
        "helix curve ep_flaky_test_3a",
        "helix curve --type episode",
        "helix curve ep_flaky_test_3a --png fading.png",
    ],
)
@click.argument("memory_id", metavar="[ID]", required=False)
@click.option("--type", "kind", metavar="TYPE", help="An unused memory of this type instead.")
@click.option("--days", type=click.IntRange(1, 36_500), help="How many days to draw.")
@click.option(
    "--png", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write a picture to this file.",
)  # fmt: skip
def curve_command(
    door: Door, memory_id: str | None, *, kind: str | None, days: int | None, png: Path | None
) -> Answer:
    """Draw how much of a memory is left over time: with the uses it had, and if nobody uses it."""
    if (memory_id is None) == (kind is None):
        raise click.UsageError("give either the ID of a memory or --type")
    from helix.doors import curves

    with door.memory() as memory:
        if memory_id is not None:
            drawn = _of_memory(memory, memory_id, days)
        else:
            drawn = _of_type(memory, kind or "", days)
        scope = memory.scope
    if png is not None:
        png.write_bytes(curves.png(drawn))
    text = f"{curves.terminal(drawn)}\nSeen from {one_line(scope)}."
    text += f" Written to {one_line(str(png))}." if png else ""
    document: Answer = {
        "scope": scope,
        "title": drawn.title,
        "now": text_of(drawn.now),
        "floor": drawn.floor,
        "events": [
            {"at": text_of(event.at), "mark": event.mark, "says": event.says}
            for event in drawn.events
        ],
        "points": [
            {"at": text_of(point.at), "retention": round(point.retention, 6)}
            for point in drawn.points
        ],
        "png": str(png) if png else None,
    }
    return door.say(text, document)


def _of_memory(memory: Helix, memory_id: str, days: int | None) -> Curve:
    from helix.doors.curves import Event

    held = memory.life.standing(memory_id)
    ahead = held.reaches_floor_at or held.now + _AHEAD
    end = max(held.now + timedelta(days=1), ahead + timedelta(days=3))
    if days is not None:
        end = held.life.recorded_at + timedelta(days=days)
    events = [Event(held.life.recorded_at, "r", "recorded")]
    events += [Event(use.at, "u", f"used, quality {use.quality}") for use in held.life.uses]
    events.append(Event(held.now, "n", f"now: {held.retention:.0%} left"))
    if held.reaches_floor_at is not None:
        events.append(Event(held.reaches_floor_at, "f", "reaches the floor if nobody uses it"))
    spans = Spans(held.now, end, events)
    return _drawn(held.memory.id, held.life, memory.context.policy, spans)


def _of_type(memory: Helix, kind: str, days: int | None) -> Curve:
    from helix.doors.curves import Event
    from helix.model.life import Life
    from helix.model.memory import Status
    from helix.rules.decay import reaches

    context = memory.context
    now = context.clock.now()
    life = Life(
        memory_id="", realm=context.realm, type=kind, shape=context.schema.shape_of(kind),
        position=0, recorded_at=now, importance=0.5, status=Status.ACTIVE, pinned=False,
        confidence=1.0, confirmations=0, sources=(context.source,), believed_from=now,
    )  # fmt: skip
    floor = reaches(life, context.policy.floor, context.policy)
    end = (floor or now + 3 * _AHEAD) + timedelta(days=3)
    if days is not None:
        end = now + timedelta(days=days)
    events = [Event(floor, "f", "reaches the floor")] if floor else []
    return _drawn(f"an unused {kind}", life, context.policy, Spans(now, end, events))


def _drawn(what: str, life: Life, policy: Policy, spans: Spans) -> Curve:
    from helix.doors.curves import Curve
    from helix.rules.course import course

    points = course(life, life.recorded_at, spans.end, POINTS, policy)
    title = f"{what}, policy {policy.name}"
    return Curve(title, points, spans.events, spans.now, policy.floor)
