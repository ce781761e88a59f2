"""`helix subject`, `erase` and `scrub`: what is held about somebody, and destroying it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from helix.app.private_files import created
from helix.doors import documents, erasures
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched
from helix.model.errors import BadInput
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.erasing import Receipt
    from helix.app.facade import Helix

EVERYWHERE = click.option("--all-scopes", is_flag=True, help="In every project of yours.")


@command("subject", examples=['helix subject "Alice Example"', "helix subject acme/shop --json"])
@click.argument("name")
@EVERYWHERE
def subject_command(door: Door, name: str, *, all_scopes: bool) -> Answer:
    """Show all that is held about a person, a repository or a source, with where it comes from."""
    with door.memory() as memory:
        found = memory.erasing.subject(name, all_scopes=all_scopes)
        scope = memory.scope
    return door.say(erasures.about(scope, found), documents.about(scope, found))


@command("erase", examples=['helix erase --subject "Alice Example" --receipt receipt.json'])
@click.option("--subject", "name", required=True, metavar="NAME", help="Whom or what to erase.")
@EVERYWHERE
@click.option("--yes", is_flag=True, help="Do not ask before destroying.")
@click.option("--receipt", type=click.Path(dir_okay=False), help="Keep the signed receipt here.")
def erase_command(
    door: Door, name: str, *, all_scopes: bool, yes: bool, receipt: str | None
) -> Answer:
    """Destroy all that names a subject: payloads, memories, words, vectors, conclusions.

    `helix subject NAME` shows beforehand what would go. Nothing brings it back. Exit status: 0,
    or 6 if a file still holds something of it.
    """
    return destroyed(
        door,
        lambda memory: memory.erasing.about(name, all_scopes=all_scopes),
        f"Destroy all that names {name!r} for good?",
        yes,
        receipt,
    )


@command("scrub", examples=["helix scrub --check", "helix scrub --yes"])
@click.option("--check", is_flag=True, help="Only look; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before destroying.")
def scrub_command(door: Door, *, check: bool, yes: bool) -> Answer:
    """Look again for secrets with today's rules, and take out what an older Helix let in.

    What holds one is said anew without it, and the old record is destroyed: memories wherever
    they stand, notes, conclusions, reports and a model's replies. Exit status: 0, or 6 if
    something cannot be taken out or a file still holds something of it.
    """
    with door.memory() as memory:
        with watched("Reading", memory.upkeep.status().records) as progress:
            read, leaks = memory.scrubbing.look(progress)
        removable = [each for each in leaks if not each.permanent]
        taken_out = bool(removable) and not check
        residue = False
        if taken_out:
            asked(f"Take the secrets out of {how_many(len(removable), 'place')}?", yes=yes)
            residue = any(each.residue for each in memory.scrubbing.scrub().receipts)
        elif not check:
            memory.context.store.scour()
        scope = memory.scope
    document = documents.scrubbed(scope, read, leaks, taken_out=taken_out)
    answer = door.say(erasures.scrubbed(scope, read, leaks, taken_out=taken_out), document)
    if residue or (len(removable) < len(leaks) and not check):
        raise click.exceptions.Exit(erasures.RESIDUE)
    return answer


def destroyed(
    door: Door, destroy: Callable[[Helix], Receipt], asking: str, yes: bool, keep_at: str | None
) -> Answer:
    """Ask, destroy, and answer with the receipt, kept in a file if one is named."""
    asked(asking, yes=yes)
    with door.memory() as memory:
        done = destroy(memory)
        scope = memory.scope
        document = memory.attesting.receipt(done)
    if keep_at is not None:
        created(keep_at, documents.as_json(document, spread=True))
    answer = door.say(erasures.receipt(scope, done, keep_at or ""), document)
    if done.residue:
        raise click.exceptions.Exit(erasures.RESIDUE)
    return answer


def asked(question: str, *, yes: bool) -> None:
    """Ask before destroying, or raise where nobody can be asked."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInput(
            "this destroys for good, and nobody can be asked here",
            code="not_confirmed",
            remedy="give --yes",
        )
    click.confirm(question, abort=True, err=True)
