"""`helix doctor`: look the memory over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from helix.doors import documents, reports
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched
from helix.doors.error_mapping import EXIT_CODES, fault_of
from helix.model.errors import HelixError, IntegrityBroken

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.ports.health import Finding


@command("doctor", examples=["helix doctor", "helix doctor --store ./memory.db --json"])
@click.pass_context
def doctor_command(ctx: click.Context, door: Door) -> Answer:
    """Look the memory over: file, ledger, projection, models, clock, scope; with remedies.

    Where the settings name a server, a connection shows whether something answers there;
    nothing is sent to it.

    Exit status: 0, or 6 if there is a fault. A warning is not a fault.
    """
    scope: str | None = None
    try:
        with door.memory() as memory:
            scope = memory.scope
            findings = _examined(memory)
    except (HelixError, OSError) as error:
        # What cannot even be opened is what a doctor is called for.
        findings = [_fault(error)]
    document = door.say(reports.findings(scope, findings), documents.findings(scope, findings))
    if any(each.state == "fault" for each in findings):
        ctx.exit(EXIT_CODES[IntegrityBroken.family])
    return document


def _examined(memory: Helix) -> list[Finding]:
    from helix.app.doctor import examine

    with watched("Verifying", memory.upkeep.length()) as progress:
        return examine(memory.context, progress)


def _fault(error: Exception) -> Finding:
    from helix.ports.health import Finding

    fault = fault_of(error)
    return Finding(fault.code, "fault", fault.message, fault.remedy)
