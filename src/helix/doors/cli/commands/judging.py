"""`helix confirm`, `forget`, `restore`, `pin`: judgements on one memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.reading import repaired

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.model.outcome import Kept


@command("confirm", examples=["helix confirm mem_repo_uses_pnpm"])
@click.argument("memory_id", metavar="ID")
def confirm_command(door: Door, memory_id: str) -> Answer:
    """Find a memory right: its confidence rises, and the confirmation is on record."""
    return _judged(door, lambda memory: memory.confirm(memory_id), "Confirmed")


@command(
    "forget",
    examples=[
        'helix forget mem_old_deploy_host --reason "host is gone"',
        "helix forget ep_pasted_customer_data_17 --hard --yes",
    ],
)
@click.argument("memory_id", metavar="ID")
@click.option("--reason", default="", help="Why; it is kept in the log.")
@click.option("--hard", is_flag=True, help="Destroy it, everywhere and for good.")
@click.option("--yes", is_flag=True, help="Do not ask before destroying.")
@click.option("--receipt", type=click.Path(dir_okay=False), help="Keep the signed receipt here.")
def forget_command(
    door: Door, memory_id: str, reason: str, *, hard: bool, yes: bool, receipt: str | None
) -> Answer:
    """Let a memory step back from every answer. `helix restore` brings it back.

    With --hard it is destroyed: its record's payload, words, vectors, edges, and what Helix
    concluded from it. Nothing brings that back.
    """
    if hard:
        from helix.doors.cli.commands.erasing import destroyed

        asked = f"Destroy {memory_id} for good?"
        return destroyed(door, lambda erasing: erasing.memory(memory_id), asked, yes, receipt)
    return _judged(door, lambda memory: memory.forget(memory_id, repaired(reason)), "Forgot")


@command("restore", examples=["helix list --status forgotten", "helix restore mem_old_deploy_host"])
@click.argument("memory_id", metavar="ID")
def restore_command(door: Door, memory_id: str) -> Answer:
    """Bring back what was forgotten or archived."""
    return _judged(door, lambda memory: memory.restore(memory_id), "Restored")


@command("pin", examples=["helix pin mem_repo_uses_pnpm", "helix pin mem_repo_uses_pnpm --off"])
@click.argument("memory_id", metavar="ID")
@click.option("--off", is_flag=True, help="Let it fade again.")
def pin_command(door: Door, memory_id: str, *, off: bool) -> Answer:
    """Keep a memory from fading, or release it with --off."""
    verb = "Released" if off else "Pinned"
    return _judged(door, lambda memory: memory.pin(memory_id, pinned=not off), verb)


def _judged(door: Door, judge: Callable[[Helix], Kept], verb: str) -> Answer:
    with door.memory() as memory:
        kept = judge(memory)
        scope = memory.scope
    return door.say(rendering.outcome(scope, kept, verb), documents.outcome(scope, kept))
