"""`helix adopt`: go on with the memories a project had under another id."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from helix.doors.cli.door import Answer, Door, command
from helix.doors.neutral import one_line
from helix.model.errors import BadInput, NotFound
from helix.model.scope import PROJECT_PREFIX
from helix.rules.counting import how_many

MOST_NAMED = 12


@command("adopt", examples=["helix adopt", "helix adopt project:shop-1a2b3c4d --dry-run"])
@click.argument("wanted", required=False, metavar="[SCOPE]")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def adopt_command(door: Door, wanted: str | None, *, dry_run: bool) -> Answer:
    """Let this repository go by the id under which its memories stand.

    A repository without a remote is known by its path; adding a remote, or moving it, gives
    it another id. Without SCOPE, the id it had without a remote is meant; where nothing is
    held under it, the projects you have are named. The name is written to your settings; no
    memory is moved.
    """
    from helix.app.private_files import private_folder
    from helix.app.project_scope import scope_without_remote
    from helix.app.settings import SETTINGS_NAME, with_project
    from helix.app.whole_files import replace_whole
    from helix.app.wiring import settings

    found = scope_without_remote(Path.cwd())
    if found is None:
        raise BadInput(
            "this folder is in no repository", code="no_repository",
            remedy="go to the repository that is meant",
        )  # fmt: skip
    wanted = wanted or found[0]
    wanted = wanted if wanted.startswith(PROJECT_PREFIX) else PROJECT_PREFIX + wanted
    with door.memory(scope=wanted) as memory:
        held = sum(number for where, *_, number in memory.upkeep.status().counts if where == wanted)
        # An agent is not told what other projects there are.
        others = () if door.agent or held else memory.upkeep.projects()
    if not held:
        raise NotFound(
            f"nothing is held in {one_line(wanted)}", code="nothing_to_adopt",
            remedy=_which(others),
        )  # fmt: skip
    path = settings().home / SETTINGS_NAME
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    after = with_project(before, found[1], wanted.removeprefix(PROJECT_PREFIX))
    if not dry_run:
        private_folder(path.parent)
        replace_whole(path.resolve(), after.encode(), private=not path.exists())
    verb = "would go" if dry_run else "goes"
    text = (
        f"{one_line(str(found[1]))} {verb} by {one_line(wanted)} from now on"
        f" ({how_many(held, 'memory')})."
    )
    document: Answer = {"scope": wanted, "folder": str(found[1]), "memories": held}
    return door.say(text, document | {"dry_run": dry_run})


def _which(projects: Sequence[str]) -> str:
    """Return what to do next: name one of the projects that were written to."""
    if not projects:
        return "name the scope it had: `helix adopt project:NAME`"
    named = ", ".join(one_line(each) for each in projects[:MOST_NAMED])
    more = f" and {len(projects) - MOST_NAMED:,} more" if len(projects) > MOST_NAMED else ""
    return f"name one of these with `helix adopt SCOPE`: {named}{more}"
