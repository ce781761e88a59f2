"""`helix tour`: the walk through Helix, or a guided first session."""

from __future__ import annotations

import click

from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.walk import WHERE_A_CHANGE_BELONGS, numbered, parts, stages
from helix.doors.rendering import strong
from helix.doors.reports import table


@command("tour", examples=["helix tour", "helix tour --guided"])
@click.option("--guided", is_flag=True, help="Run a first session on a throw-away store.")
def tour_command(door: Door, *, guided: bool) -> Answer:
    """Walk through Helix: how a memory passes nine stages, and where a change belongs.

    With --guided, run a first session on a throw-away store: capture, recall, correct,
    why, log, rollback. It takes a few seconds and touches nothing of yours.
    """
    return _guided(door) if guided else _walk(door)


def _walk(door: Door) -> Answer:
    lines = ["A memory passes nine stages, and the folders stand in their order.", ""]
    for number, stop in enumerate(stages(), start=1):
        lines += [strong(f"{number}  src/helix/{stop.name}"), numbered(stop, number), ""]
    lines += ["What the stages stand on, and what stands around them:", ""]
    for stop in parts():
        lines += [strong(f"   src/helix/{stop.name}"), stop.says, ""]
    lines += ["Where does a change belong?", "", *table(WHERE_A_CHANGE_BELONGS)]
    lines += ["", "Next: `helix tour --guided` runs a first session on a throw-away store."]
    document: Answer = {
        "stages": [stop._asdict() for stop in stages()],
        "parts": [stop._asdict() for stop in parts()],
        "where_a_change_belongs": [list(row) for row in WHERE_A_CHANGE_BELONGS[1:]],
    }
    return door.say("\n".join(lines), document)


def _guided(door: Door) -> Answer:
    from helix.app.facade import Helix
    from helix.doors.cli import guided

    with Helix.open(":demo:", scope=guided.SCOPE, background=False) as memory:
        session = guided.Session(Door(held=memory, silent=door.as_json))
        guided.guide(session)
    document: Answer = {"scope": guided.SCOPE, "steps": session.steps}
    return door.say("\n".join(guided.closing()), document | {"next": guided.next_steps()})
