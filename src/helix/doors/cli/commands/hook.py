"""`helix hook`: what agents call at every step of a session."""

from __future__ import annotations

from inspect import cleandoc

import click

from helix.doors.cli.door import Door, command
from helix.doors.hooks.events import NAMES


@command(
    "hook",
    examples=[
        "helix hook SessionEnd --agent gemini-cli",
        "cat event.json | helix hook SessionStart",
    ],
)
@click.argument("event")
def hook_command(door: Door, event: str) -> None:
    """Take in one event of an agent's session, as JSON on standard input.

    `helix connect` tells agents to call this. It always exits with 0, within a deadline, and
    prints only what the agent should know; faults are told to hooks.log in HELIX_HOME. The
    project is that of the event's folder, whatever --scope says.
    """
    from helix.doors.hooks.workflow import run

    given = {"--agent": door.agent, "--store": door.store}
    run([event, *(f"{name}={value}" for name, value in given.items() if value)])


hook_command.help = f"{cleandoc(hook_command.help or '')}\n\nEvents: {', '.join(NAMES)}."
