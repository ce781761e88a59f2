"""`helix attest`: sign the head of the ledger, or check this store against what was signed."""

from __future__ import annotations

import json
from pathlib import Path

import click

from helix.app.private_files import created
from helix.app.regular_files import whole
from helix.doors import documents, reports
from helix.doors.cli.door import Answer, Door, command
from helix.doors.error_mapping import EXIT_CODES
from helix.doors.neutral import one_line
from helix.model.errors import BadInput, IntegrityBroken

LARGEST = 10_000_000


@command("attest", examples=["helix attest --out head.json", "helix attest --check head.json"])
@click.option("--out", type=click.Path(dir_okay=False), help="Keep the signed head here.")
@click.option(
    "--check",
    type=click.Path(dir_okay=False),
    help="Check this store against a signed head or receipt.",
)
@click.pass_context
def attest_command(ctx: click.Context, door: Door, *, out: str | None, check: str | None) -> Answer:
    """Sign the head of the ledger; later, check that a copy continues it unchanged.

    Exit status: 0 if it does, 6 if it does not.
    """
    from helix.ledger.verifying import Broken

    with door.memory() as memory:
        scope = memory.scope
        if check is None:
            signed = memory.attesting.head()
        else:
            found = memory.attesting.check(_read(Path(check)))
            if isinstance(found, Broken):
                door.say(reports.broken(scope, found), documents.broken(scope, found))
                ctx.exit(EXIT_CODES[IntegrityBroken.family])
            return door.say(reports.sound(scope, found), documents.sound(scope, found))
    if out is not None:
        created(out, documents.as_json(signed, spread=True))
    head, scheme = signed["position"], signed["scheme"]
    text = f"Head {head} of {one_line(scope)}'s ledger, signed with {scheme}.\n"
    if out is None:
        text += (
            "It was only shown: `helix attest --out FILE` keeps it, to be checked against later."
        )
    else:
        kept = one_line(out)
        text += f"Keep {kept} apart from the store; `helix attest --check {kept}` compares later."
    return door.say(text, {"scope": scope, "attestation": signed})


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(whole(path, LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        raise _unusable(path) from error
    if isinstance(found, dict) and isinstance(found.get("attestation"), dict):
        found = found["attestation"]
    if not isinstance(found, dict):
        raise _unusable(path)
    return found


def _unusable(path: Path) -> BadInput:
    return BadInput(
        f"{path} is not a signed head or receipt",
        code="unusable_receipt",
        remedy="give a file that `helix attest --out` or `--receipt` wrote",
    )
