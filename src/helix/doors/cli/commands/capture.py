"""`helix capture`: write down something that happened."""

from __future__ import annotations

from datetime import datetime

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.moments import moment
from helix.doors.cli.reading import attributes, repaired, said, share


@command(
    "capture",
    examples=[
        'helix capture "npm test failed: ERESOLVE" --tool bash --exit-status 1',
        "git log -1 --format=%B | helix capture --session s42 --file src/app.py",
    ],
)
@click.argument("text", nargs=-1)
@click.option("--session", default="", metavar="ID", help="The session it happened in.")
@click.option("--tool", default="", help="The tool that was used.")
@click.option("--exit-status", type=int, help="How the tool ended; 0 is well.")
@click.option("--file", "files", multiple=True, metavar="PATH", help="A file it was about; repeat.")
@click.option("--parent", default="", metavar="EVENT-ID", help="The event that caused it.")
@click.option("--occurred-at", type=moment, help="When it happened, if not now.")
@click.option(
    "--importance", type=click.IntRange(1, 10), metavar="N", help="How much it weighs, 1 to 10."
)
@click.option("--event-id", help="A name of its own: the same event twice is kept once.")
@click.option("--attribute", "pairs", multiple=True, metavar="KEY=VALUE", help="More; repeat.")
@click.option("--cites", multiple=True, metavar="ID", help="A memory that helped; repeat.")
def capture_command(
    door: Door,
    text: tuple[str, ...],
    *,
    session: str,
    tool: str,
    exit_status: int | None,
    files: tuple[str, ...],
    parent: str,
    occurred_at: datetime | None,
    importance: int | None,
    event_id: str | None,
    pairs: tuple[str, ...],
    cites: tuple[str, ...],
) -> Answer:
    """Write down something that happened. It can be recalled at once.

    TEXT is read from a pipe if it is left out or `-`.
    """
    content = said(text)
    with door.memory(begins=True) as memory:
        outcome = memory.capture(
            content,
            session=session,
            tool=tool,
            exit_status=exit_status,
            files=[repaired(each) for each in files],
            parent_event_id=parent,
            occurred_at=occurred_at,
            importance_hint=share(importance),
            event_id=event_id,
            attributes=attributes(pairs),
            cites=cites,
        )
        scope = memory.scope
    return door.say(
        rendering.outcome(scope, outcome, "Captured"), documents.outcome(scope, outcome)
    )
