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
from helix.doors.neutral import one_line, shell_word
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

    A head signed elsewhere is checked with the public key in it, and the answer says that the
    key is not this home's. Exit status: 0 if it does, 6 if it does not, 2 if the file is not as
    it was signed.
    """
    from helix.ledger.verifying import Broken

    with door.memory() as memory:
        scope = memory.scope
        if check is None:
            signed = memory.attesting.head()
        else:
            given = _read(Path(check))
            found, by = memory.attesting.check(given), memory.attesting.signer(given)
            signed_by = {"signed_by": {"key": by.key or None, "own": by.own}}
            if isinstance(found, Broken):
                said = reports.broken(scope, found) + reports.signed_by(by)
                door.say(said, documents.broken(scope, found) | signed_by)
                ctx.exit(EXIT_CODES[IntegrityBroken.family])
            said = reports.sound(scope, found) + reports.signed_by(by)
            return door.say(said, documents.sound(scope, found) | signed_by)
    if out is not None:
        created(out, documents.as_json(signed, spread=True))
    head, scheme, key = signed["position"], signed["scheme"], str(signed["key"])
    with_key = f" (key {reports.fingerprint(key)})" if key else ""
    text = f"Head {head} of {one_line(scope)}'s ledger, signed with {scheme}{with_key}.\n"
    if out is None:
        text += (
            "It was only shown: `helix attest --out FILE` keeps it, to be checked against later."
        )
    else:
        again = f"`helix attest --check {shell_word(out)}` compares later."
        text += f"Keep {one_line(out)} apart from the store; {again}"
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
