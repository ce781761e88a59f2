"""What happens in a hook: read the event, do it, answer; and never later than its deadline."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from helix.doors.hooks import events
from helix.doors.hooks.events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes a tenth of a hook
    from helix.app.facade import Helix

GUARD = "HELIX_HOOK"
"""Set in whatever Helix starts: an agent that works for Helix must not be remembered."""

PATIENCE = "HELIX_HOOK_SECONDS"
LONGEST = 60.0
MOST_READ = 1 << 22
LARGEST_LOG = 1 << 18
UNKNOWN = "unknown"
"""Stands in the log for a name that is none of ours: somebody else chose its words."""


def run(args: Sequence[str]) -> int:
    """Do what one hook asks; always 0, and at its deadline the process ends where it is."""
    started = time.monotonic()
    name = args[0] if args else ""
    kind = events.NAMES.get(name)
    if kind is None or os.environ.get(GUARD):
        if kind is None:
            _log(name, "unknown_event", started)
        return 0
    os.environ[GUARD] = "1"
    watch = threading.Timer(_deadline(kind), _give_up, (name, started))
    watch.daemon = True
    watch.start()
    gc.disable()  # a process of a tenth of a second collects nothing
    try:
        if store := _option(args, "--store"):
            os.environ["HELIX_STORE"] = store  # for whoever runs already as well
        _do(kind, name, _option(args, "--agent") or events.USUAL_AGENT)
    except BaseException as error:  # noqa: BLE001 - fail open, whatever it is
        _log(name, getattr(error, "code", None) or type(error).__name__, started)
    # Nothing is left to tidy up; leaving Python the long way costs a tenth of a hook.
    os._exit(0)


def _do(kind: str, name: str, agent: str) -> None:
    from helix.doors.hooks.handing_over import handed_over

    raw = sys.stdin.buffer.read(MOST_READ) or b"{}"
    answer = handed_over(name, agent, raw)
    if answer is not None:
        _tell(name, answer)
        return
    from helix.doors.hooks.after import sleep_if_owed
    from helix.doors.hooks.dialects import common
    from helix.doors.hooks.steps import taken

    said = json.loads(raw)
    event = Event(kind, name, common(name, said if isinstance(said, dict) else {}))

    held: list[Helix] = []

    def opened() -> Helix:
        held.append(_opened(event, agent))
        return held[0]

    try:
        told = False
        for text in taken(event, agent, opened):
            _tell(name, text)
            told = True
        if not told:
            _tell(name, "")
        for memory in held:
            sleep_if_owed(event, memory)
    finally:
        for memory in held:
            memory.close()


def _tell(name: str, text: str) -> None:
    from helix.doors.hooks.replying import answer

    if said := answer(name, text):
        sys.stdout.write(said)
        sys.stdout.flush()


def _opened(event: Event, agent: str) -> Helix:
    """Open the memory of the folder the agent works in; words only, so that no model loads."""
    from dataclasses import replace

    from helix.app.facade import Helix

    folder = event.text("cwd")
    opened = Helix.open(folder=folder or None, agent=agent, by_folder_alone=True, background=False)
    return Helix(replace(opened.context, embedder=lambda: None))


def _deadline(kind: str) -> float:
    """Return the seconds a hook may take: its own, or what the user allows on a slow machine."""
    try:
        return min(float(os.environ[PATIENCE]), LONGEST)
    except (KeyError, ValueError):
        return events.DEADLINES[kind]


def _option(args: Sequence[str], name: str) -> str:
    """Return what an option says, `--agent=NAME` or `--agent NAME`; nothing if it is left out."""
    for place, each in enumerate(args):
        if each.startswith(f"{name}="):
            return each[len(name) + 1 :]
        if each == name and place + 1 < len(args):
            return args[place + 1]
    return ""


def _give_up(name: str, started: float) -> None:
    _log(name, "deadline", started)
    os._exit(0)


def _log(name: str, fault: str, started: float) -> None:
    """Write one line on what went wrong; never what was said."""
    with suppress(Exception):
        from helix.app.homes import expanded
        from helix.app.private_files import appended

        home = expanded(os.environ.get("HELIX_HOME") or "~/.helix")
        if not home.is_dir():
            return
        path = home / "hooks.log"
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "event": name if name in events.NAMES else UNKNOWN,
            "fault": fault[:100],
            "ms": round((time.monotonic() - started) * 1000),
        }
        with appended(path) as file:
            file.write(json.dumps(line) + "\n")
