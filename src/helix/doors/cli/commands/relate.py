"""`helix relate`: say how two memories hang together."""

from __future__ import annotations

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.numbers import Measured
from helix.doors.neutral import one_line
from helix.model.edge import COMMON_RELATIONS


@command("relate", examples=["helix relate mem_checkout_service depends_on mem_payments_api"])
@click.argument("from_id", metavar="FROM")
@click.argument("relation")
@click.argument("to_id", metavar="TO")
@click.option(
    "--weight", type=Measured(0, 1), default=1.0, show_default=True, help="How strong, up to 1."
)
def relate_command(door: Door, from_id: str, relation: str, to_id: str, weight: float) -> Answer:
    """Say how two memories hang together. Saying it twice changes nothing.

    RELATION is a word or two.
    """
    with door.memory() as memory:
        edge = memory.relate(from_id, relation, to_id, weight)
        scope = memory.scope
    text = f"{rendering.edge(edge)} in {one_line(edge.realm.scope)}"
    return door.say(text, documents.related(scope, edge))


relate_command.help = f"{relate_command.help} Common ones: {', '.join(COMMON_RELATIONS)}."
