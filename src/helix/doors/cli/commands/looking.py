"""`helix about`, `helix around`, `helix context`: looking around without a question."""

from __future__ import annotations

import click

from helix.doors import documents, views
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.moments import moment
from helix.doors.cli.reading import said


@command(
    "about", examples=["helix about src/app/main.py", "helix about Priya", "helix about E0502"]
)
@click.argument("name", nargs=-1)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, metavar="N", show_default=True)
def about_command(door: Door, name: tuple[str, ...], limit: int) -> Answer:
    """Show the neighbourhood of a person, file, package, command, error code or identifier.

    What is held comes before what merely happened. `helix enrich` finds the names in what
    was written lately; until then a name is looked for by its words.
    """
    asked = said(name, "name")
    with door.memory() as memory:
        found = memory.look.about(asked, limit)
    return door.say(views.neighbourhood(found), documents.neighbourhood(found))


@command(
    "around",
    examples=[
        "helix around 2026-03-01",
        "helix around '3 days ago'",
        "helix around ep_ran_tests_4f",
    ],
)
@click.argument("where", nargs=-1, metavar="MOMENT|ID")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, metavar="N", show_default=True)
def around_command(door: Door, where: tuple[str, ...], limit: int) -> Answer:
    """Show what happened around a moment, or around an episode, in the order of time."""
    asked = said(where, "moment or id")
    with door.memory() as memory:
        place = asked if asked.startswith(("ep_", "mem_")) else moment(asked)
        found = memory.look.around(place, limit)
        scope = memory.scope
    return door.say(views.story(scope, found), documents.listing(scope, found, None))


@command("context", examples=["helix context", "helix context --budget 300 --json"])
@click.option(
    "--budget",
    type=click.IntRange(min=46),
    default=800,
    metavar="TOKENS",
    show_default=True,
    help="Fit the briefing.",
)
def context_command(door: Door, budget: int) -> Answer:
    """Brief yourself or an agent on this project: who, conventions, decisions, the latest."""
    with door.memory() as memory:
        found = memory.look.briefing(budget)
    return door.say(views.briefing(found), documents.briefing(found))
