"""`helix correct`: put something else in a memory's place."""

from __future__ import annotations

from datetime import datetime

import click

from helix.doors import corrections, documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.moments import moment
from helix.doors.cli.reading import said


@command(
    "correct",
    examples=[
        'helix correct mem_repo_uses_npm "This repo uses pnpm"',
        'helix correct mem_repo_uses_npm "This repo uses pnpm" --since 2026-05-14',
    ],
)
@click.argument("memory_id", metavar="ID")
@click.argument("text", nargs=-1)
@click.option("--since", type=moment, help="From when the new one is true, if not from now.")
@click.option("--always", is_flag=True, help="The old one was never right.")
@click.option("--until", type=moment, help="Until when the new one is true.")
@click.option("--expires", type=moment, help="When it stops to answer, such as `in 30 days`.")
def correct_command(
    door: Door,
    memory_id: str,
    text: tuple[str, ...],
    *,
    since: datetime | None,
    always: bool,
    until: datetime | None,
    expires: datetime | None,
) -> Answer:
    """Put something else in a memory's place. The old one stays readable for its time.

    Its end and its expiry go over to the new one, unless they are given anew or are over.
    TEXT is read from a pipe if it is left out or `-`.
    """
    if always and since is not None:
        raise click.UsageError("--since and --always contradict each other")
    content = said(text)
    with door.memory() as memory:
        kept = memory.correct(
            memory_id, content, since=since, always=always, valid_to=until, expires_at=expires
        )
        scope = memory.scope
    verb = corrections.verb(memory_id, kept, rendering.name(memory_id))
    return door.say(rendering.outcome(scope, kept, verb), documents.outcome(scope, kept))
