"""The processes that the doors' benchmark starts: agents' servers, hooks, a resident server."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MEMORIES = 2_000
SCOPE = "project:github.com/acme/shop"
SESSION = "bench"


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return kept | {"HOME": str(home), "HELIX_HOME": str(home), "LANG": "C.UTF-8"}


def helix(*args: str) -> list[str]:
    return [sys.executable, "-m", "helix", *args]


def repository(folder: Path) -> None:
    (folder / ".git").mkdir(parents=True)
    remote = '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n'
    (folder / ".git" / "config").write_text(remote)


def filled(home: Path, folder: Path) -> None:
    from helix import Helix

    chance = random.Random(1)
    words = [f"word{number}" for number in range(500)]
    with Helix.open(home / "memory.db", folder=folder, by_folder_alone=True) as memory:
        for number in range(MEMORIES):
            text = " ".join(chance.choices(words, k=12))
            if number % 10 == 0:
                memory.remember(f"Decision {number}: {text}", type="decision")
            else:
                memory.capture(f"Step {number}: {text}", session=f"s{number // 50}")
        # Otherwise the first hook would start somebody who sleeps, beside what is measured.
        memory.sleeping.drain()


def use_of(use: str) -> str:
    """Return the event id under which a hook keeps one use of a tool."""
    return f"hook:{SESSION}:{use}"


def hook(home: Path, folder: Path, event: str, use: str) -> subprocess.CompletedProcess[bytes]:
    """Run one hook, as an agent does, to its end."""
    said = {
        "session_id": SESSION, "cwd": str(folder), "tool_name": "Bash", "tool_use_id": use,
        "tool_input": {"command": f"make {use}"}, "tool_response": {"stdout": "done"},
        "prompt": f"what about word{len(use)} and word7 now?",
    }  # fmt: skip
    return subprocess.run(
        helix("hook", event), input=json.dumps(said).encode(), env=environment(home),
        capture_output=True, check=False,
    )  # fmt: skip


def hooked(home: Path, folder: Path, event: str, number: int) -> float:
    """Return how long a hook took."""
    use = f"use-{event}-{number}-{time.monotonic_ns()}"
    started = time.perf_counter()
    done = hook(home, folder, event, use)
    took = time.perf_counter() - started
    if done.returncode or done.stderr:
        raise RuntimeError(done.stderr.decode())
    return took


def asked(home: Path, folder: Path, *args: str | int) -> float:
    """Return how long `helix recall` took; the last argument tells questions apart."""
    *options, number = args
    question = f"what about word{number} and word{int(number) + 7}?"
    started = time.perf_counter()
    done = subprocess.run(
        helix("recall", *map(str, options), question), env=environment(home), cwd=folder,
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    took = time.perf_counter() - started
    if done.returncode not in (0, 1):  # 1: memory does not know
        raise RuntimeError(done.stderr.decode())
    return took


@contextmanager
def serving(home: Path) -> Iterator[None]:
    process = subprocess.Popen(
        helix("serve", "--port=0", "--json"), env=environment(home), stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(1.0)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


class Server:
    """One agent's server, spoken to by hand."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.process = subprocess.Popen(
            helix("mcp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment(home), cwd=folder,
        )  # fmt: skip
        self._number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {},
                 "clientInfo": {"name": "bench", "version": "1"}}  # fmt: skip
        self.ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self.process.stdout is not None
        while True:
            told: dict[str, Any] = json.loads(self.process.stdout.readline())
            if told.get("id") == self._number:
                return told

    def call(self, tool: str, **arguments: object) -> str:
        told = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "error" in told or told["result"].get("isError"):
            raise RuntimeError(json.dumps(told))
        return str(told["result"]["content"][0]["text"])

    def resident_kib(self) -> int:
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:  # it has ended, or this system does not tell
            return 0
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) if found else 0

    def end(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=15)
        self.process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def connected(home: Path, folder: Path) -> Iterator[None]:
    """Keep an agent's server running that does the work of hooks."""
    from helix.doors.resident import socket_beside

    server = Server(home, folder)
    server.ask("tools/list", {})
    until = time.monotonic() + 30
    while not Path(socket_beside(home / "memory.db")).exists():
        if time.monotonic() > until:
            raise RuntimeError("the agent's server does not listen")
        time.sleep(0.05)
    time.sleep(1.0)
    try:
        yield
    finally:
        server.end()
