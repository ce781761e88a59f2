"""`helix rollback`: undo an act, or return to a position."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from helix.doors import documents, rendering
from helix.doors.cli.agreeing import agree
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.numbers import FROM_ONE, FROM_ZERO
from helix.doors.cli.reading import repaired

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.app.telling import LogEntry

MOST_SHOWN = 10
MOST_LOOKED_AT = 1000
_HAPPENED = frozenset({"captured", "session_started", "session_ended", "erased", "purged"})


@command(
    "rollback",
    examples=[
        "helix rollback 17",
        'helix rollback --to 12 --reason "that session went wrong" --yes',
    ],
)
@click.argument("position", type=FROM_ONE, metavar="[POSITION]", required=False)
@click.option("--to", type=FROM_ZERO, metavar="POSITION", help="Undo all decided after it.")
@click.option("--with-episodes", is_flag=True, help="With --to: let episodes step back as well.")
@click.option("--reason", default="", help="Why; it is kept in the log.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def rollback_command(
    door: Door,
    position: int | None,
    *,
    to: int | None,
    with_episodes: bool,
    reason: str,
    yes: bool,
) -> Answer:
    """Undo the act at a POSITION of the log, or everything decided after one with --to.

    Nothing is taken out of the record: the rollback is an act of its own, and can be
    undone in turn. On a terminal it asks first.
    """
    with door.memory() as memory:
        asking = not yes and sys.stdin.isatty() and (position is None) != (to is None)
        if asking:
            _agree(memory, position, to, with_episodes=with_episodes)
        done = memory.history.rollback(
            position, to=to, with_episodes=with_episodes, reason=repaired(reason)
        )
        scope = memory.scope
    return door.say(rendering.undone(scope, done), documents.undone(scope, done))


def _agree(memory: Helix, position: int | None, to: int | None, *, with_episodes: bool) -> None:
    happened = _HAPPENED - {"captured"} if with_episodes else _HAPPENED
    acts = _acts(memory, position, to, happened)
    for act in acts[:MOST_SHOWN]:
        click.echo(rendering.act_line(act, memory.scope), err=True)
    if len(acts) > MOST_SHOWN:
        click.echo(f"       … and {len(acts) - MOST_SHOWN} or more before these", err=True)
    agree("Undo this?")


def _acts(
    memory: Helix, position: int | None, to: int | None, left_alone: frozenset[str]
) -> Sequence[LogEntry]:
    if position is not None:
        newest = memory.history.log(limit=1, before=position + 1)
        return [each for each in newest if each.position == position]
    after = to or 0
    return [
        each
        for each in memory.history.log(limit=MOST_LOOKED_AT)
        if each.position > after and each.scope == memory.scope and each.kind not in left_alone
    ]
