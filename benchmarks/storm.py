"""Many servers, hooks and commands on one store at once, and what became of what they wrote."""

from __future__ import annotations

import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.processes import SCOPE, Server, environment, helix, hooked


class Storm:
    """Rages until a moment; then counts."""

    def __init__(self, home: Path, folder: Path, end: float) -> None:
        self._home, self._folder, self._end = home, folder, end
        self._half = (time.monotonic() + end) / 2
        self._guard = threading.Lock()
        self._acknowledged: set[str] = set()
        self._errors: list[str] = []
        self._counts: Counter[str] = Counter(calls=0, hooks=0, commands=0)
        self._memory: dict[int, list[int]] = {}
        self._servers: list[Server] = []

    def run(self, servers: int, storms: int, commands: int) -> dict[str, Any]:
        """Let so many of each rage, and return what was counted."""
        self._servers = [Server(self._home, self._folder) for _ in range(servers)]
        kinds = ((self._agent, servers), (self._hooks, storms), (self._typed, commands))
        work = [(does, index) for does, number in kinds for index in range(number)]
        threads = [threading.Thread(target=self._safely, args=each) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for server in self._servers:
            server.end()
        return self._counted()

    def _agent(self, index: int) -> None:
        server, number = self._servers[index], 0
        sizes = self._memory.setdefault(index, [])
        while time.monotonic() < self._end:
            number += 1
            name = f"storm-{index}-{number}"
            server.call("capture", content=f"Episode {name} of the storm", event_id=name)
            self._kept(name, "calls")
            if number % 5 == 0:
                server.call("recall", question=f"what happened in word{number % 500}?")
            if not sizes and time.monotonic() > self._half:
                sizes.append(server.resident_kib())
            time.sleep(0.05)
        sizes.append(server.resident_kib())

    def _hooks(self, index: int) -> None:
        number = 0
        while time.monotonic() < self._end:
            number += 1
            hooked(self._home, self._folder, "PostToolUse", 1_000_000 * (index + 1) + number)
            with self._guard:
                self._counts["hooks"] += 1

    def _typed(self, index: int) -> None:
        number = 0
        while time.monotonic() < self._end:
            number += 1
            name = f"typed-{index}-{number}"
            done = subprocess.run(
                helix("capture", f"Typed {name}", "--event-id", name, "--json"),
                env=environment(self._home), cwd=self._folder, capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode:
                raise RuntimeError(done.stderr.decode())
            self._kept(name, "commands")

    def _kept(self, name: str, way: str) -> None:
        with self._guard:
            self._acknowledged.add(name)
            self._counts[way] += 1

    def _safely(self, does: Callable[[int], None], index: int) -> None:
        try:
            does(index)
        except Exception as error:  # noqa: BLE001 - counted, and shown
            self._errors.append(f"{does.__name__}: {error}"[:300])

    def _counted(self) -> dict[str, Any]:
        log = self._home / "hooks.log"
        faults = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        sizes = list(self._memory.values())
        return {
            **self._counts,
            "acknowledged": len(self._acknowledged),
            "missing": len(self._acknowledged - self._there()),
            "errors": len(self._errors) + len(faults),
            "first_errors": (self._errors + faults)[:3],
            "left": sum(each.process.poll() is None for each in self._servers),
            "growth": round(max(each[-1] / max(each[0], 1) for each in sizes), 3),
            "resident_mib": round(max(each[-1] for each in sizes) / 1024),
        }

    def _there(self) -> set[str]:
        from helix import Helix

        with Helix.open(self._home / "memory.db", scope=SCOPE) as memory:
            return {name for name in self._acknowledged if memory.by_event(name) is not None}
