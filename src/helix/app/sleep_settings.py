"""The `[sleep]` table of the settings: how often, by whom, and what the connected agent may do.

[sleep]
every_hours = 6                 # what waits this long is slept over by a resident; 0: never
in_background = true            # residents (`helix serve`, `helix mcp`) take up owed work
by_hooks = true                 # hooks start a process that does, where no resident runs
look_seconds = 30               # how often a resident looks whether something is owed
ask_agent = false               # over MCP, the connected agent's model may be asked to think
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeGuard

EVERY_HOURS = 6.0
LOOK_SECONDS = 30.0
MOST_HOURS = 1_000_000
SHORTEST_LOOK = 0.1


@dataclass(frozen=True, slots=True)
class SleepSettings:
    """When and by whom owed work is taken up without being asked for."""

    every_hours: float = EVERY_HOURS
    in_background: bool = True
    by_hooks: bool = True
    look_seconds: float = LOOK_SECONDS
    ask_agent: bool = False

    @property
    def every(self) -> timedelta | None:
        """How long something may wait; None if time alone owes nothing."""
        return timedelta(hours=self.every_hours) if self.every_hours else None


AS_USUAL = SleepSettings()


def sleep_of(given: object) -> tuple[SleepSettings, list[str]]:
    """Return what a `[sleep]` table asks for, and every fault in it."""
    if not isinstance(given, Mapping):
        return AS_USUAL, ["'sleep' must be a table; see docs/sleep.md"]
    switches = ("in_background", "by_hooks", "ask_agent")
    known = {"every_hours", "look_seconds", *switches}
    faults = [f"'sleep.{name}' is not a setting" for name in sorted(given.keys() - known)]
    hours = given.get("every_hours", EVERY_HOURS)
    if not _number(hours) or not 0 <= hours <= MOST_HOURS:
        faults.append("'sleep.every_hours' must be a number of hours; 0 for never")
    seconds = given.get("look_seconds", LOOK_SECONDS)
    if not _number(seconds) or not SHORTEST_LOOK <= seconds <= MOST_HOURS:
        faults.append(f"'sleep.look_seconds' must be a number, {SHORTEST_LOOK} or more")
    faults += [
        f"'sleep.{name}' must be true or false"
        for name in switches
        if not isinstance(given.get(name, False), bool)
    ]
    if faults:
        return AS_USUAL, faults
    return (
        SleepSettings(
            every_hours=float(hours),
            in_background=given.get("in_background", True),
            by_hooks=given.get("by_hooks", True),
            look_seconds=float(seconds),
            ask_agent=given.get("ask_agent", False),
        ),
        [],
    )


def _number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
