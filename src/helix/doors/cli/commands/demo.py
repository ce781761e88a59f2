"""`helix demo`: a made-up project, taken in and asked about, on a throw-away store."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.rendering import faint, strong

QUESTIONS = (
    "why are jobs queued in Postgres?",
    "how do I run the tests?",
    "what do the invoice tests need?",
    "which Python versions do we support?",
)


@command("demo", examples=["helix demo", "helix demo --json"])
def demo_command(door: Door) -> Answer:
    """Take in a small made-up project and ask it questions, on a throw-away store.

    It has rules for agents, a decision record, one session of an agent and a git history.
    """
    from helix.app.facade import Helix
    from helix.connect.importing import git
    from helix.connect.importing.detecting import pieces
    from helix.connect.importing.workflow import Tally, take_in
    from helix.doors.cli import demo_project

    quiet = door.as_json
    with tempfile.TemporaryDirectory(prefix="helix-demo-") as place:
        folder = Path(place) / "tidepool"
        sources = demo_project.write(folder)
        with Helix.open(":demo:", scope="project:tidepool", background=False) as memory:
            tally = Tally()
            for path in sources:
                ref = str(path.relative_to(folder))
                take_in(memory, pieces(path, ref), path.suffix.lstrip("."), tally)
            if (folder / ".git").exists():
                history = git.pieces(git.commits(folder), git.reverted(folder), "tidepool")
                take_in(memory, history, "git", tally)
            kept = sum(tally.kept.values())
            if not quiet:
                parts = ", ".join(f"{number} {kind}" for kind, number in sorted(tally.kept.items()))
                click.echo(strong(f"Took in a made-up project, Tidepool: {parts}."))
            answers = [_asked(memory, each, quiet=quiet) for each in QUESTIONS]
    closing = "That store is gone now. In a repository of yours: helix init"
    return door.say(f"\n{closing}", {"kept": kept, "answers": answers})


def _asked(memory: object, question: str, *, quiet: bool) -> Answer:
    from helix.app.facade import Helix

    assert isinstance(memory, Helix)
    answer = memory.recall(question, limit=1)
    if not quiet:
        click.echo(f"\n{faint('$ ')}helix recall {question}")
        click.echo(rendering.recollection(answer))
    return documents.recollection(answer)
