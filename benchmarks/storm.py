"""Many servers, hooks and commands on one store at once, and what became of what they wrote.

Hooks and commands never pause, and agents hardly do. Afterwards every capture that was
acknowledged must be there once, nobody may have failed, no process may be left, and the
servers must be as large as they were half-way.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import Check
from benchmarks.processes import SCOPE, Server, environment, helix, hook, use_of
from benchmarks.showing import progress

GROWTH = 1.15
"""A server may end with this much of the memory it had in the second quarter of the storm."""

SAMPLED_EVERY = 1.0
PAUSE = 0.5
"""Seconds an agent pauses between two calls: less than any agent does."""

CHAIN = 5
"""An agent asks a question after so many captures."""

SETTLED = 5.0
"""Seconds after the last server was told to end until nothing may be left."""


class Storm:
    """Rages for a while; then counts."""

    def __init__(self, home: Path, folder: Path, seconds: float) -> None:
        """Take the place of the store, an agent's folder, and how long to rage."""
        self._home, self._folder, self._seconds = home, folder, seconds
        self._end = 0.0
        self._guard = threading.Lock()
        self._acknowledged: set[str] = set()
        self._errors: list[str] = []
        self._counts: Counter[str] = Counter(calls=0, questions=0, hooks=0, commands=0)
        self._sizes: dict[int, list[int]] = {}
        self._servers: list[Server] = []

    def run(self, servers: int, storms: int, commands: int) -> dict[str, Any]:
        """Let so many of each rage, and return what was counted."""
        self._servers = [self._settled(number) for number in range(servers)]
        self._end = time.monotonic() + self._seconds
        kinds = ((self._agent, servers), (self._hooks, storms), (self._typed, commands))
        work = [(does, index) for does, number in kinds for index in range(number)]
        threads = [threading.Thread(target=self._safely, args=each) for each in work]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self._sample()
            time.sleep(SAMPLED_EVERY)
        for thread in threads:
            thread.join()
        for server in self._servers:
            self._safely(lambda _, each=server: each.end(), 0)  # type: ignore[misc]
        return self._counted()

    def _settled(self, number: int) -> Server:
        """Start a server and let it answer once: what it takes to start is not the storm."""
        progress(f"{number} servers are up")
        server = Server(self._home, self._folder)
        server.call("recall", question="what happened in word7?")
        return server

    # --- those who rage -------------------------------------------------------------------

    def _agent(self, index: int) -> None:
        server, number = self._servers[index], 0
        while time.monotonic() < self._end:
            number += 1
            name = f"storm-{index}-{number}"
            server.call("capture", content=f"Episode {name} of the storm", event_id=name)
            self._kept(name, "calls")
            if number % CHAIN == 0:
                server.call("recall", question=f"what happened in word{number % 500}?")
                self._count("questions")
            time.sleep(PAUSE)

    def _hooks(self, index: int) -> None:
        number = 0
        while time.monotonic() < self._end:
            number += 1
            if number % 10 == 1:
                self._hooked("SessionStart", "")
            use = f"hooks-{index}-{number}"
            self._hooked("PostToolUse", use)
            # It ends well whatever happens; one that gave up has left a line in the log.
            self._kept(use_of(use), "hooks")

    def _hooked(self, event: str, use: str) -> None:
        done = hook(self._home, self._folder, event, use)
        if done.returncode or done.stderr:
            raise RuntimeError(done.stderr.decode())

    def _typed(self, index: int) -> None:
        number = 0
        while time.monotonic() < self._end:
            number += 1
            name = f"typed-{index}-{number}"
            self._command("capture", f"Typed {name}", "--event-id", name, "--json")
            self._kept(name, "commands")
            if number % CHAIN == 0:
                self._command("recall", "--words-only", f"what is word{number % 500}?", "--json")
                self._count("questions")

    def _command(self, *args: str) -> None:
        done = subprocess.run(
            helix(*args), env=environment(self._home), cwd=self._folder,
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode not in (0, 1):  # 1: memory does not know
            raise RuntimeError(done.stderr.decode())

    def _kept(self, name: str, way: str) -> None:
        with self._guard:
            self._acknowledged.add(name)
            self._counts[way] += 1

    def _count(self, way: str) -> None:
        with self._guard:
            self._counts[way] += 1

    def _safely(self, does: Callable[[int], None], index: int) -> None:
        try:
            does(index)
        except Exception as error:  # noqa: BLE001 - counted, and shown
            with self._guard:
                self._errors.append(f"{does.__name__}: {error!r}"[:300])

    # --- what is looked at ----------------------------------------------------------------

    def _sample(self) -> None:
        for index, server in enumerate(self._servers):
            if size := server.resident_kib():
                self._sizes.setdefault(index, []).append(size)
        left = self._end - time.monotonic()
        progress(f"{max(0, left):.0f} s left, {len(self._acknowledged):,} acknowledged")

    def _counted(self) -> dict[str, Any]:
        faults = _lines(self._home / "hooks.log")
        left = self._left()
        there, sound = self._looked_up()
        growths = [grown(each) for each in self._sizes.values()]
        return {
            **self._counts,
            "acknowledged": len(self._acknowledged),
            "missing": len(self._acknowledged - there),
            "sound": sound,
            "errors": len(self._errors),
            "hook_faults": len(faults),
            "first_errors": (self._errors + faults)[:5],
            "left": len(left),
            "growth": round(max(growths, default=0.0), 3),
            "resident_mib": round(max((s[-1] for s in self._sizes.values()), default=0) / 1024),
        }

    def _left(self) -> list[int]:
        """Return what still runs on this store, whoever started it."""
        until = time.monotonic() + SETTLED
        while (left := processes_of(self._home)) and time.monotonic() < until:
            time.sleep(0.1)
        return left

    def _looked_up(self) -> tuple[set[str], bool]:
        from helix import Helix
        from helix.ledger.verifying import Sound

        with Helix.open(self._home / "memory.db", scope=SCOPE, background=False) as memory:
            there = {name for name in self._acknowledged if memory.by_event(name) is not None}
            return there, isinstance(memory.upkeep.verify(), Sound)


def storm_checks(counted: Mapping[str, Any]) -> list[Check]:
    """Return what must be so after a storm."""
    return [
        Check("no error", counted["errors"], counted["errors"] == 0),
        Check("no hook gave up", counted["hook_faults"], counted["hook_faults"] == 0),
        Check("every acknowledged capture is there", counted["missing"], counted["missing"] == 0),
        Check("every seal verifies", float(counted["sound"]), counted["sound"]),
        Check("no process is left", counted["left"], counted["left"] == 0),
        Check(f"memory grows at most {GROWTH} times", counted["growth"],
              0 < counted["growth"] <= GROWTH),
        Check("everybody got to work", min(_each(counted)), min(_each(counted)) > 0),
    ]  # fmt: skip


def grown(sizes: Sequence[int]) -> float:
    """Return the memory in the last quarter as a multiple of that in the second."""
    quarter = len(sizes) // 4
    if not quarter:
        return 0.0
    return median(sizes[-quarter:]) / median(sizes[quarter : 2 * quarter])


def processes_of(home: Path) -> list[int]:
    """Return the processes, beside this one, that were started with this home."""
    wanted = f"HELIX_HOME={home}".encode()
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            given = (place / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if wanted in given and int(place.name) != os.getpid():
            found.append(int(place.name))
    return found


def _each(counted: Mapping[str, Any]) -> list[int]:
    return [counted[way] for way in ("calls", "hooks", "commands")]


def _lines(log: Path) -> list[str]:
    if not log.exists():
        return []
    told = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return [f"{each['event']}: {each['fault']} after {each['ms']} ms" for each in told]
