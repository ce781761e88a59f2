"""`helix subject`, `erase` and `scrub`: what is held about somebody, and destroying it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from helix.doors import documents, erasures
from helix.doors.cli.agreeing import agree
from helix.doors.cli.claiming import claimed
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched
from helix.model.errors import BadInput, StoreUnavailable
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.erasing import Erasing, Receipt

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
    or 6 if a file still holds something of it; `helix scrub` finishes that.
    """
    return destroyed(
        door,
        lambda erasing: erasing.about(name, all_scopes=all_scopes),
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
    they stand, notes, conclusions, reports and a model's replies. Where there is none, the files
    are written anew: this finishes an erasure that left bytes behind. Exit status: 0, or 6 if
    something cannot be taken out or a file still holds something of it.
    """
    with door.memory() as memory:
        with watched("Reading", memory.upkeep.status().records) as progress:
            read, leaks = memory.scrubbing.look(progress)
        removable = [each for each in leaks if not each.permanent]
        taken_out, residue = bool(removable) and not check, False
        if taken_out:
            asked(f"Take the secrets out of {how_many(len(removable), 'place')}?", yes=yes)
            residue = any(each.residue for each in memory.scrubbing.scrub().receipts)
        elif not check:
            memory.context.store.scour()
        scope = memory.scope
    document = documents.scrubbed(scope, read, leaks, taken_out=taken_out)
    text = erasures.scrubbed(scope, read, leaks, taken_out=taken_out, scoured=not check)
    answer = door.say(f"{text}\n{erasures.FINISHING}" if residue else text, document)
    if residue or (len(removable) < len(leaks) and not check):
        raise click.exceptions.Exit(erasures.RESIDUE)
    return answer


def destroyed(
    door: Door, destroy: Callable[[Erasing], Receipt], asking: str, yes: bool, keep_at: str | None
) -> Answer:
    """Ask, destroy, and answer with the receipt, kept in a file if one is named."""
    with door.memory() as memory, ExitStack() as stack:
        # What could keep the receipt from being written shows before anything is destroyed.
        fill = None if keep_at is None else stack.enter_context(claimed(Path(keep_at)))
        memory.attesting.head()
        erasing = memory.erasing
        if not yes:
            _check_somebody_is_there()
            asked(erasures.question(asking, destroy(erasing.trial())), yes=yes)
        done = destroy(erasing)
        scope = memory.scope
        document = memory.attesting.receipt(done)
        kept_at = _kept(document, fill, keep_at)
    answer = door.say(erasures.receipt(scope, done, kept_at), document)
    if keep_at and not kept_at:
        if not door.as_json:
            click.echo(documents.as_json(document, spread=True))
        raise StoreUnavailable(
            f"it was destroyed, and the receipt could not be written to {keep_at}",
            code="receipt_not_written",
            remedy="keep the receipt that was printed",
        )
    if done.residue:
        raise click.exceptions.Exit(erasures.RESIDUE)
    return answer


def _kept(document: Answer, fill: Callable[[bytes], None] | None, keep_at: str | None) -> str:
    """Write the receipt; return where it is, or nothing if it could not be written."""
    if fill is None or keep_at is None:
        return ""
    try:
        fill(documents.as_json(document, spread=True))
    except OSError:
        Path(keep_at).unlink(missing_ok=True)
        return ""
    return keep_at


def asked(question: str, *, yes: bool) -> None:
    """Ask before destroying, or raise where nobody can be asked."""
    if not yes:
        _check_somebody_is_there()
        agree(question)


def _check_somebody_is_there() -> None:
    if not sys.stdin.isatty():
        raise BadInput(
            "this destroys for good, and nobody can be asked here",
            code="not_confirmed",
            remedy="give --yes",
        )
