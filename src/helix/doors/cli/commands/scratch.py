"""`helix scratch`: notes beside the record, for the work at hand."""

from __future__ import annotations

import click

from helix.doors import documents, rendering, scratches
from helix.doors.cli.door import Answer, Door, command, group
from helix.doors.cli.reading import said, share


@group(
    "scratch",
    examples=[
        'helix scratch add "the port is 5433 today" --session s42',
        "helix scratch",
        "helix scratch show note_port_5433_today_1f0c2a",
        "helix scratch drop note_port_5433_today_1f0c2a",
        "helix scratch keep note_port_5433_today_1f0c2a",
    ],
)
@click.option("--session", default="", metavar="ID", help="Only notes of this session.")
@click.option("--dropped", is_flag=True, help="What was dropped, while it can still be kept.")
def scratch_command(door: Door, session: str, *, dropped: bool) -> Answer:
    """Notes for the work at hand, outside the record: no question finds them.

    After 30 minutes, or when it is read for the second time, a note becomes an episode. Without
    a command, the notes of this scope are listed; that counts as no reading.
    """
    return _listed(door, session, dropped=dropped)


@command("add", examples=['helix scratch add "the port is 5433 today"'])
@click.argument("text", nargs=-1)
@click.option("--session", default="", metavar="ID", help="The session it belongs to.")
@click.option(
    "--importance", type=click.IntRange(1, 10), metavar="N", help="How much it weighs, 1 to 10."
)
@click.option("--event-id", help="A name of its own: the same note twice is kept once.")
def add_command(
    door: Door, text: tuple[str, ...], *, session: str, importance: int | None,
    event_id: str | None,
) -> Answer:  # fmt: skip
    """Write a note. TEXT is read from a pipe if it is left out or `-`."""
    content = said(text)
    with door.memory(begins=True) as memory:
        done = memory.scratch.add(
            content, session=session, importance_hint=share(importance), event_id=event_id
        )
        scope = memory.scope
    return door.say(*scratches.added(scope, done))


@command("list", examples=["helix scratch list", "helix scratch list --session s42 --json"])
@click.option("--session", default="", metavar="ID", help="Only notes of this session.")
@click.option("--dropped", is_flag=True, help="What was dropped, while it can still be kept.")
def list_command(door: Door, session: str, *, dropped: bool) -> Answer:
    """List the notes of this scope, oldest first."""
    return _listed(door, session, dropped=dropped)


@command("show", examples=["helix scratch show note_port_5433_today_1f0c2a"])
@click.argument("note_id", metavar="ID")
def show_command(door: Door, note_id: str) -> Answer:
    """Read a note whole. The second reading makes it an episode."""
    with door.memory() as memory:
        done = memory.scratch.read(note_id)
        scope, now = memory.scope, memory.context.clock.now()
    return door.say(*scratches.read(scope, done, now))


@command("drop", examples=["helix scratch drop note_port_5433_today_1f0c2a"])
@click.argument("note_id", metavar="ID")
def drop_command(door: Door, note_id: str) -> Answer:
    """Let a note become nothing. For half an hour it can still be kept; then it is gone.

    `helix forget --hard ID` leaves no byte of it in the store's files.
    """
    with door.memory() as memory:
        done = memory.scratch.drop(note_id)
        scope = memory.scope
    return door.say(*scratches.dropped(scope, done))


@command("keep", examples=["helix scratch keep note_port_5433_today_1f0c2a"])
@click.argument("note_id", metavar="ID")
def keep_command(door: Door, note_id: str) -> Answer:
    """Make a note an episode at once, also one that was dropped."""
    with door.memory() as memory:
        kept = memory.scratch.keep(note_id)
        scope = memory.scope
    return door.say(rendering.outcome(scope, kept, "Kept as"), documents.outcome(scope, kept))


def _listed(door: Door, session: str, *, dropped: bool) -> Answer:
    with door.memory() as memory:
        notes = memory.scratch.notes(session, dropped=dropped)
        scope, now = memory.scope, memory.context.clock.now()
    return door.say(*scratches.listing(scope, notes, now, dropped=dropped))


for each in (add_command, list_command, show_command, drop_command, keep_command):
    scratch_command.add_command(each)
