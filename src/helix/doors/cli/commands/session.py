"""`helix session`: mark where an agent's session starts and ends."""

from __future__ import annotations

import click

from helix.doors.cli.door import Answer, Door, command, shared_options
from helix.doors.neutral import one_line


@click.group("session", no_args_is_help=False)
@shared_options(hidden=True)
def session_command() -> None:
    """Mark where an agent's session starts and ends.

    \b
    Examples:
      helix session start s42
      helix capture "ran the tests" --session s42
      helix session end s42
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


@command("start", examples=["helix session start s42", "helix session start --json"])
@click.argument("session_id", metavar="[ID]", required=False)
def start_command(door: Door, session_id: str | None) -> Answer:
    """Write down that a session began. Without an ID one is made up and shown."""
    with door.memory(begins=True) as memory:
        session = memory.session(session_id)
        position = session.start()
        return _said(door, memory.scope, session.id, position, "started")


@command("end", examples=["helix session end s42"])
@click.argument("session_id", metavar="ID")
def end_command(door: Door, session_id: str) -> Answer:
    """Write down that a session ended."""
    with door.memory() as memory:
        position = memory.session(session_id).end()
        return _said(door, memory.scope, session_id, position, "ended")


def _said(door: Door, scope: str, session: str, position: int, what: str) -> Answer:
    text = f"Session {one_line(session)} {what} ({one_line(scope)}, act {position})"
    return door.say(text, {"scope": scope, "session": session, "state": what, "position": position})


session_command.add_command(start_command)
session_command.add_command(end_command)
