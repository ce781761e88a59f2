"""`helix show` and `helix why`: one memory, and how it came to be held."""

from __future__ import annotations

import click

from helix.doors import documents, stories
from helix.doors.cli.door import Answer, Door, command


@command("show", examples=["helix show mem_repo_uses_pnpm"])
@click.argument("memory_id", metavar="ID")
def show_command(door: Door, memory_id: str) -> Answer:
    """Show all fields of a memory."""
    with door.memory() as memory:
        held = memory.why(memory_id).memory
        scope = memory.scope
    return door.say(stories.memory(scope, held), documents.memory(scope, held))


@command("why", examples=["helix why mem_repo_uses_pnpm"])
@click.argument("memory_id", metavar="ID")
def why_command(door: Door, memory_id: str) -> Answer:
    """Tell how a memory came to be held: every belief, the act behind it, who vouches."""
    with door.memory() as memory:
        account = memory.why(memory_id)
        scope = memory.scope
    return door.say(stories.account(scope, account), documents.account(scope, account))
