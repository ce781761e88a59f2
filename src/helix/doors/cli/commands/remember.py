"""`helix remember`: hold something to be so."""

from __future__ import annotations

from datetime import datetime

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.moments import moment
from helix.doors.cli.numbers import Measured
from helix.doors.cli.reading import attributes, said, share
from helix.model.types import CODING_TYPES, EPISODE, FACT

_TYPES = ", ".join(each.name for each in CODING_TYPES if each.name != EPISODE)


@command(
    "remember",
    examples=[
        'helix remember "This repo uses pnpm, not npm" --type convention',
        'helix remember "I prefer tabs" --type preference --everywhere',
        'helix remember "Code freeze" --since 2026-12-20 --until 2027-01-06',
    ],
)
@click.argument("text", nargs=-1)
@click.option("--type", "kind", default=FACT, show_default=True, help=f"One of {_TYPES}.")
@click.option("--everywhere", is_flag=True, help="Hold it in every project, not only here.")
@click.option(
    "--importance", type=click.IntRange(1, 10), metavar="N", help="How much it weighs, 1 to 10."
)
@click.option("--confidence", type=Measured(0, 1), metavar="X", help="How sure it is, 0 to 1.")
@click.option("--since", type=moment, help="From when it is true, if not from now.")
@click.option("--until", type=moment, help="Until when it is true.")
@click.option("--expires", type=moment, help="When it stops to answer, such as `in 30 days`.")
@click.option("--attribute", "pairs", multiple=True, metavar="KEY=VALUE", help="More; repeat.")
@click.option("--cites", multiple=True, metavar="ID", help="A memory that helped; repeat.")
def remember_command(
    door: Door,
    text: tuple[str, ...],
    kind: str,
    *,
    everywhere: bool,
    importance: int | None,
    confidence: float | None,
    since: datetime | None,
    until: datetime | None,
    expires: datetime | None,
    pairs: tuple[str, ...],
    cites: tuple[str, ...],
) -> Answer:
    """Hold something to be so, in this project or, with --everywhere, in all of them.

    The same words again write nothing. TEXT is read from a pipe if it is left out or `-`.
    """
    content = said(text)
    with door.memory(begins=True) as memory:
        outcome = memory.remember(
            content,
            type=kind,
            everywhere=everywhere,
            importance_hint=share(importance),
            confidence=confidence,
            valid_from=since,
            valid_to=until,
            expires_at=expires,
            attributes=attributes(pairs),
            cites=cites,
        )
        scope = memory.scope
    return door.say(
        rendering.outcome(scope, outcome, "Remembered"), documents.outcome(scope, outcome)
    )
