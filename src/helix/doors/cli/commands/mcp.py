"""`helix mcp`: serve an agent over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from helix.doors.cli.door import Door, command
from helix.model.errors import BadInput, HelixError

if TYPE_CHECKING:
    from helix.app.facade import Helix


@command("mcp", examples=["helix mcp", "helix mcp --tools full"])
@click.option(
    "--tools",
    type=click.Choice(["default", "full"]),
    default="default",
    show_default=True,
    help="How many tools the agent is offered.",
)
def mcp_command(door: Door, *, tools: str) -> None:
    """Serve an agent over stdin and stdout, until it goes away.

    Agents start this themselves; `helix connect` tells them to. The scope is that of the
    folder the agent works in. --scope and HELIX_PROJECT do not count here: a repository's
    own agent configuration could set them.
    """
    if door.scope is not None:
        raise BadInput(
            "an agent's scope follows its folder",
            code="scope_not_taken",
            remedy="leave --scope out; name the folder's project in settings.toml",
        )
    check_installed()
    from helix.doors.mcp.serving import serve_stdio

    def opened() -> Helix:
        from helix.app.facade import Helix

        return Helix.open(door.store, agent=door.agent or "mcp", by_folder_alone=True)

    serve_stdio(opened, door.store_path(), full=tools == "full", started_in=_here())


def check_installed() -> None:
    """Raise if the SDK is not there, saying how to get it."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise HelixError(
            "the `mcp` package is not installed",
            code="mcp_missing",
            remedy="install Helix with its agents extra: pip install 'helix-memory[agents]'",
        )


def _here() -> Path | None:
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None
