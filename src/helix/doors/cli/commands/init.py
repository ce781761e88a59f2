"""`helix init`: create the store; in a repository, connect agents and take in what is there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from helix.doors.cli.calling import as_typed
from helix.doors.cli.door import Answer, Door, command
from helix.doors.neutral import one_line
from helix.doors.reports import place
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.facade import Helix


SLEEPS_FOR = 30.0
"""Seconds at most: somebody waits for it."""


@command("init", examples=["helix init", "helix init --yes", "helix init --store ./memory.db"])
@click.option("--yes", is_flag=True, help="Connect and import without asking.")
@click.option("--no", "refuse", is_flag=True, help="Only create the store.")
def init_command(door: Door, *, yes: bool, refuse: bool) -> Answer:
    """Create the store if there is none, and show its path and the scope of this folder.

    In a repository it asks one question: whether to tell the agents it finds about this
    memory and to take in what is there already (rules, decision records, sessions, git
    history). Then it sleeps once, for half a minute at most, and shows one thing it knows.
    Running it again changes nothing.
    """
    path = door.store_path()
    created = not path.exists()
    with door.memory(begins=True) as memory:
        scope, reason = memory.scope, memory.context.scope_reason
        what = "created" if created else "was there already"
        lines = [f"store  {one_line(str(path))} ({what})", f"scope  {place(scope, reason)}"]
        document: Answer = {"scope": scope, "scope_reason": reason, "store": str(path)}
        document["created"] = created
        if not refuse and scope != "global":
            if not door.as_json:
                click.echo("\n".join(lines))
                lines = []
            document |= _begin(door, memory, lines, yes=yes)
    from helix.doors.cli.commands.connect import other_store

    following = _next(as_typed())
    if other_store(door):
        following = [each for each in following if not each.endswith(" connect")]
    elif titles := _connected():
        lines += ["", f"Start {titles} in this folder, and ask what it remembers."]
        following = [each for each in following if not each.endswith(" connect")]
    document["next"] = following
    lines += ["", "What to type next:", *(f"  {each}" for each in following)]
    return door.say("\n".join(lines), document)


def _begin(door: Door, memory: Helix, lines: list[str], *, yes: bool) -> Answer:
    """Connect and import, if the user wants it; return what was done."""
    from helix.app.homes import user_home
    from helix.connect.agents import installed
    from helix.connect.connecting import reached
    from helix.connect.importing.looking import sources
    from helix.doors.cli.commands.connect import other_store, program, state
    from helix.doors.cli.commands.importing import project, taken

    connections, places = state()
    agents = [each for each in installed(places) if each.name not in connections.connected()]
    if agents and other_store(door):
        agents = []
        lines.append("agents     left alone: they use this store only if HELIX_STORE names it")
    found = sources(project(), user_home())
    if not (agents or found) or not _wanted(door, agents, found, yes=yes):
        return {}
    outcomes = [
        outcome for agent in agents for outcome in connections.connect(agent, places, program())
    ]
    refused = [each for each in outcomes if each.state == "refused"]
    agents = [each for each in agents if each.name in reached(outcomes)]
    lines += [f"connected  {each.title}" for each in agents]
    lines += [f"  left alone: {one_line(str(each.path))}: {one_line(each.why)}" for each in refused]
    kept = 0
    for source in found:
        tally = taken(memory, source)
        kept += sum(tally.kept.values())
    memory.upkeep.enrich()
    lines.append(
        f"took in    {how_many(kept, 'memory')} from " + ", ".join(each.says for each in found)
    )
    concluded = _slept(memory)
    if concluded:
        lines.append(f"concluded  {concluded:,} more while it slept; `helix runs` shows them")
    learned = _learned(memory)
    if learned:
        lines += ["", "One thing it knows now:", f"  {learned}"]
    names = [each.name for each in agents]
    return {
        "connected": names, "imported": kept, "concluded": concluded, "learned": learned,
    }  # fmt: skip


def _slept(memory: Helix) -> int:
    """Sleep once over what was taken in; return how many memories it concluded."""
    from datetime import timedelta

    before = _held(memory)
    # Whether it came to its end or not: what is left stays owed, and another will do it.
    memory.sleeping.sleep(budget=timedelta(seconds=SLEEPS_FOR))
    return max(0, _held(memory) - before)


def _held(memory: Helix) -> int:
    return sum(number for *_, state, number in memory.upkeep.status().counts if state == "active")


def _connected() -> str:
    """Return the agents that know about this memory, as one names them."""
    from helix.connect.agents import AGENTS
    from helix.doors.cli.commands.connect import state

    connections, _ = state()
    titles = [AGENTS[name].title for name in connections.connected() if name in AGENTS]
    return " or ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)


def _wanted(door: Door, agents: object, found: object, *, yes: bool) -> bool:
    if yes:
        return True
    if door.as_json or not sys.stdin.isatty():
        return False
    assert isinstance(agents, list)
    assert isinstance(found, list)
    parts = []
    if agents:
        parts.append("tell " + ", ".join(each.title for each in agents) + " about this memory")
    if found:
        parts.append("take in " + ", ".join(each.says for each in found))
    return click.confirm(f"Shall I {' and '.join(parts)}?", default=True)


def _learned(memory: Helix) -> str:
    """Return one thing that is held, with where it comes from."""
    for kind in ("convention", "decision", "fact"):
        held = memory.list(types=[kind], limit=50)
        if held:
            best = max(held, key=lambda each: each.importance)
            ref = best.belief.provenance[0].source.ref if best.belief.provenance else ""
            return one_line(best.content)[:200] + (f" ({one_line(ref)})" if ref else "")
    return ""


def _next(name: str) -> list[str]:
    return [
        f'{name} remember "This repo uses pnpm, not npm" --type convention',
        f"{name} recall which package manager do we use",
        f"{name} connect",
    ]
