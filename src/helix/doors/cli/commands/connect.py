"""`helix connect` and `helix disconnect`: tell agents about this memory, or no longer."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from helix.doors.cli.door import Answer, Door, command
from helix.doors.error_mapping import EXIT_CODES
from helix.doors.neutral import neutral, one_line
from helix.doors.rendering import faint, strong
from helix.model.errors import BadInput, Conflict

if TYPE_CHECKING:
    from helix.connect.agents import Agent, Places
    from helix.connect.connecting import Connections, Outcome

_SAYS = {
    "written": "added",
    "unchanged": "there already",
    "refused": "left alone",
    "restored": "put back as it was",
    "taken_out": "taken out",
}
_WOULD = _SAYS | {"written": "would be added", "restored": "would be put back",
                  "taken_out": "would be taken out"}  # fmt: skip


@command(
    "connect",
    examples=["helix connect --dry-run", "helix connect", "helix connect claude-code --no-hooks"],
)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--no-hooks", is_flag=True, help="Leave the agent's hooks alone.")
@click.option("--no-words", is_flag=True, help="Leave CLAUDE.md, AGENTS.md and the like alone.")
@click.option("--list", "listing", is_flag=True, help="List the agents Helix knows.")
def connect_command(
    door: Door,
    agents: tuple[str, ...],
    *,
    dry_run: bool,
    no_hooks: bool,
    no_words: bool,
    listing: bool,
) -> Answer:
    """Tell the agents on this machine about this memory.

    Without AGENT, all that are found. Adds the MCP server, hooks where the agent has them,
    and a short marked block to the file with the user's words for the agent. Every other
    byte of those files stays as it is; `helix disconnect` puts them back.
    """
    from helix.app.homes import expanded
    from helix.doors.cli.commands.mcp import check_installed

    connections, places = state()
    if listing:
        return _listed(door, places, connections)
    if other_store(door):
        raise BadInput(
            "agents start Helix without --store, and would write elsewhere",
            code="store_not_for_agents",
            remedy="name the store in HELIX_STORE where the agent starts, or in settings.toml",
        )
    expanded("~")  # where there is no home, nothing is written below the working folder
    if not dry_run:
        check_installed()
    chosen = _chosen(agents, places)
    left_out = [*(["hooks"] if no_hooks else []), *(["words for the agent"] if no_words else [])]
    outcomes = [
        outcome
        for agent in chosen
        for outcome in connections.connect(
            agent, places, program(), dry_run=dry_run, leave_out=left_out
        )
    ]
    answer = _told(door, chosen, outcomes, dry_run=dry_run, done="connected")
    if chosen and not _reached(outcomes):
        # Whoever runs this in a script learns that no agent can reach the memory.
        raise click.exceptions.Exit(EXIT_CODES[Conflict.family])
    return answer


@command("disconnect", examples=["helix disconnect", "helix disconnect cursor --dry-run"])
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
def disconnect_command(door: Door, agents: tuple[str, ...], *, dry_run: bool) -> Answer:
    """Put the agents' files back as they were before `helix connect`.

    A file that was changed since keeps the changes; only what was added is taken out. The
    memory itself is not touched.
    """
    from helix.connect.agents import AGENTS, installed

    connections, places = state()
    noted = [AGENTS[each] for each in connections.connected() if each in AGENTS]
    # What was noted may be lost, with the store; what stands in the files is looked for too.
    found = [each for each in installed(places) if each not in noted]
    chosen = _chosen(agents, places) if agents else [*noted, *found]
    outcomes = [
        outcome
        for agent in chosen
        for outcome in connections.disconnect(agent, places, program(), dry_run=dry_run)
    ]
    touched = {each.agent for each in outcomes}
    chosen = [each for each in chosen if each.name in touched]
    answer = _told(door, chosen, outcomes, dry_run=dry_run, done="disconnected")
    if any(each.state == "refused" for each in outcomes):
        raise click.exceptions.Exit(EXIT_CODES[Conflict.family])
    return answer


def other_store(door: Door) -> bool:
    """Return whether a store was named that agents would not use."""
    from helix.app.wiring import settings

    return door.store_path().absolute() != settings().store.absolute()


def elsewhere() -> list[str]:
    """Return a warning if agents that lack this shell's variables would use another store."""
    named = [each for each in ("HELIX_STORE", "HELIX_HOME") if os.environ.get(each)]
    if not named:
        return []
    return [
        "",
        f"{' and '.join(named)} is set here. An agent that starts without it, as from a desktop,"
        " uses another store: set it for the agent too, or name the store in settings.toml.",
    ]


def program() -> list[str]:
    """Return how agents start this program, wherever they are."""
    here = Path(sys.argv[0]).absolute()
    if here.stem == "helix" and here.is_file() and os.access(here, os.X_OK):
        return [str(here)]
    return [sys.executable, "-m", "helix"]


def state() -> tuple[Connections, Places]:
    """Return what was connected, and where this user's things are."""
    from helix.app.homes import user_home
    from helix.app.wiring import settings
    from helix.connect.agents import Places
    from helix.connect.connecting import Connections

    places = Places(user_home(), sys.platform, os.environ)
    return Connections(settings().home / "connect"), places


def _chosen(names: Sequence[str], places: Places) -> Sequence[Agent]:
    from helix.connect.agents import AGENTS, installed

    unknown = [each for each in names if each not in AGENTS]
    if unknown:
        raise BadInput(
            f"Helix does not know the agent {unknown[0]!r}",
            code="unknown_agent",
            remedy="use one of: " + ", ".join(AGENTS),
        )
    return [AGENTS[each] for each in names] if names else installed(places)


def _listed(door: Door, places: Places, connections: Connections) -> Answer:
    from helix.connect.agents import AGENTS, installed

    there = {each.name for each in installed(places)}
    connected = set(connections.connected())
    rows = [
        {
            "agent": each.name,
            "title": each.title,
            "installed": each.name in there,
            "connected": each.name in connected,
        }
        for each in AGENTS.values()
    ]
    lines = [
        f"{row['agent']:<15} {row['title']:<15} "
        + ("connected" if row["connected"] else "installed" if row["installed"] else "-")
        for row in rows
    ]
    return door.say("\n".join(lines), {"agents": rows})


def _told(
    door: Door, agents: Sequence[Agent], outcomes: Sequence[Outcome], *, dry_run: bool, done: str
) -> Answer:
    document: Answer = {
        "dry_run": dry_run,
        "agents": [each.name for each in agents],
        "files": [
            {
                "agent": each.agent,
                "path": str(each.path),
                "what": each.what,
                "state": each.state,
                "why": each.why or None,
                "difference": each.difference or None,
            }
            for each in outcomes
        ],
    }
    return door.say("\n".join(_lines(agents, outcomes, dry_run=dry_run, done=done)), document)


def _reached(outcomes: Sequence[Outcome]) -> set[str]:
    from helix.connect.connecting import reached

    return reached(outcomes)


def _lines(
    agents: Sequence[Agent], outcomes: Sequence[Outcome], *, dry_run: bool, done: str
) -> list[str]:
    if not agents:
        return [f"No agent to be {done} was found. `helix connect --list` shows those Helix knows."]
    says = _WOULD if dry_run else _SAYS
    lines = []
    for agent in agents:
        lines.append(strong(agent.title) + (faint(f"  ({agent.note})") if agent.note else ""))
        for each in (outcome for outcome in outcomes if outcome.agent == agent.name):
            why = f": {one_line(each.why)}" if each.why else ""
            lines.append(f"  {one_line(str(each.path))}: {each.what} {says[each.state]}{why}")
            if dry_run and each.difference:
                lines += [f"    {line}" for line in neutral(each.difference).splitlines()]
    if dry_run:
        return [*lines, "", "Nothing was written."]
    if done == "connected" and _reached(outcomes):
        lines += [
            *elsewhere(),
            "",
            "Start the agent anew and ask it what it remembers about this project.",
        ]
    return lines
