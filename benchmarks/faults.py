"""Killing writers at random moments, and checking that nothing that was acknowledged is lost.

What dies is the process, not the machine: this shows that a killed agent costs nothing. That
a commit survives a power cut is SQLite's promise and the disk's, and not tested here.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.controls import caught
from benchmarks.examining import Findings, examine
from benchmarks.killable import acknowledged
from benchmarks.showing import progress

MEAN_DELAYS = (0.0002, 0.01, 0.3)
"""Seconds of work before a kill, on average: within the first write, the first few, or many."""

KILLED_WHILE_STARTING = 0.1
"""Share of the kills that may hit a writer while it is still opening the store."""

START_SECONDS = 0.3
LAST_OPERATIONS = 20
CONTROL_WRITERS, CONTROL_KILLS = 2, 6


class Slaughter:
    """A store, the writers on it, and what happened to them."""

    def __init__(self, folder: Path, writers: int, seed: int) -> None:
        """Take an empty folder for the store and the logs."""
        self.folder = folder
        self.store = folder / "memory.db"
        self.kills = 0
        self.errors: list[str] = []
        self._names = [f"w{number}" for number in range(writers)]
        self._seed = seed
        self._counting = threading.Lock()

    def run(self, kills: int) -> None:
        """Kill the writers this often in all, then let each come back and finish some writes."""
        tickets = count()
        with ThreadPoolExecutor(len(self._names)) as pool:
            for done in [pool.submit(self._kill, name, kills, tickets) for name in self._names]:
                done.result()
        for name in self._names:
            self.finish(name)

    def finish(self, name: str) -> None:
        """Let a writer come back, carry out some operations and end by itself."""
        self._ended(self._started(name, "--operations", str(LAST_OPERATIONS)))

    def hurry(self, name: str) -> None:
        """Let a writer acknowledge what it has not written yet, until it dies in between."""
        self._ended(self._started(name, "--acknowledge-early"))

    def promised(self) -> list[str]:
        """Return every mark that was acknowledged to any writer."""
        logs = [self._log(name) for name in self._names]
        return [mark for log in logs for mark in acknowledged(log)]

    def _kill(self, name: str, kills: int, tickets: count[int]) -> None:
        chance = random.Random(f"{self._seed} kills {name}")
        while next(tickets) < kills:
            process = self._started(name)
            if chance.random() < KILLED_WHILE_STARTING:
                time.sleep(chance.uniform(0, START_SECONDS))
            else:
                self._wait_until_ready(process)
                time.sleep(chance.expovariate(1 / chance.choice(MEAN_DELAYS)))
            process.kill()
            self._ended(process)
            progress(f"{self.kills} of {kills} kills")

    def _started(self, name: str, *options: str) -> subprocess.Popen[str]:
        arguments = (str(self.store), str(self._log(name)), name, str(self._seed), *options)
        return subprocess.Popen(
            [sys.executable, "-m", "benchmarks.killable", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _wait_until_ready(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        process.stdout.readline()  # empty if it ended instead, which `_ended` will tell

    def _ended(self, process: subprocess.Popen[str]) -> None:
        _, complaint = process.communicate()
        killed = process.returncode == -signal.SIGKILL
        with self._counting:
            self.kills += killed
            if complaint or (process.returncode and not killed):
                self.errors.append(complaint or f"ended with {process.returncode}")

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.acknowledged"


def run(kills: int, writers: int, seed: int) -> tuple[dict[str, object], list[str], bool]:
    """Return the findings as JSON knows them, as lines, and whether every promise was kept."""
    started = time.monotonic()
    with TemporaryDirectory(prefix="helix-faults-") as folder:
        slaughter = _slaughtered(Path(folder) / "main", writers, kills, seed)
        progress("checking")
        found = examine(slaughter.store, slaughter.promised())
        controls = control(Path(folder) / "control", seed)
    errors, caught_all = len(slaughter.errors), all(controls.values())
    findings: dict[str, object] = {
        "acknowledged": found.acknowledged,
        "lost": found.lost,
        "duplicated": found.duplicated,
        "errors": errors,
        "chain_ok": found.chain_ok,
        "rebuild_equal": found.rebuild_equal,
        "kills": slaughter.kills,
        "seconds": round(time.monotonic() - started, 1),
        "control_caught": caught_all,
    }
    lines = [f"{name:>14}  {value}" for name, value in findings.items()]
    lines += ["", "broken on purpose:"]
    lines += [f"  {'caught' if seen else 'MISSED'}  {name}" for name, seen in controls.items()]
    lines += slaughter.errors
    return findings, lines, found.sound and not errors and caught_all


def control(folder: Path, seed: int) -> dict[str, bool]:
    """Return whether the checks notice stores and a writer that are broken on purpose.

    The copies are of a small store that the same writers made, which must itself pass.
    """
    small = _slaughtered(folder / "sound", CONTROL_WRITERS, CONTROL_KILLS, seed)
    earlier = Path(shutil.copyfile(small.store, folder / "earlier.db"))
    small.finish("w0")
    promised = small.promised()
    found = {"(nothing broken: no alarm)": examine(small.store, promised).sound}
    found |= caught(small.store, promised, folder)
    found["a store without its last writes"] = examine(earlier, promised).lost == LAST_OPERATIONS
    hasty = examine_hasty_writer(folder / "hasty", seed)
    return found | {"a writer that acknowledges before it writes": hasty.lost > 0}


def examine_hasty_writer(folder: Path, seed: int) -> Findings:
    """Return what the checks say of a writer that breaks its word and dies."""
    folder.mkdir(parents=True)
    hasty = Slaughter(folder, 1, seed)
    hasty.hurry("w0")
    hasty.finish("w0")
    return examine(hasty.store, hasty.promised())


def _slaughtered(folder: Path, writers: int, kills: int, seed: int) -> Slaughter:
    folder.mkdir(parents=True)
    slaughter = Slaughter(folder, writers, seed)
    slaughter.run(kills)
    return slaughter
