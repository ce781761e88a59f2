"""A process that writes through the public API, acknowledges what was kept, and expects to die.

    python -m benchmarks.killable STORE LOG NAME SEED [--operations N] [--acknowledge-early]

Its work is a fixed sequence: the n-th operation of a name and seed is always the same, so
a writer that was killed finds its place by its log and repeats the operation it cannot
know the outcome of. Every operation bears a mark in its text, by which it is found again.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.texts import Author
from helix import Helix
from helix.model.errors import Conflict
from helix.model.outcome import Skipped

SCOPE = "project:faults"
READY = "ready"
KINDS = ("capture", "remember", "correct", "forget")
WEIGHTS = (80, 10, 6, 4)
DIES_AT = 5
"""The operation at which a writer that acknowledges early dies before it has written."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One write: what is done, to which earlier statement, and the mark it bears."""

    number: int
    mark: str
    kind: str
    target: Operation | None = None


def operations(name: str, seed: int) -> Iterator[Operation]:
    """Yield the endless work of a writer."""
    chance = random.Random(f"{seed} {name}")
    open_statements: list[Operation] = []
    number = 0
    while True:
        kind = chance.choices(KINDS, WEIGHTS)[0]
        if kind in ("correct", "forget") and not open_statements:
            kind = "remember"
        # A statement is corrected or forgotten once: doing either twice is a conflict, which
        # tells a writer that came back that its last attempt had been kept.
        target = open_statements.pop(0) if kind in ("correct", "forget") else None
        mark = f"mark_{name}_{number}"
        operation = Operation(number, mark, kind, target)
        if kind == "remember":
            open_statements.append(operation)
        yield operation
        number += 1


class Writer:
    """Carries operations out on an open memory."""

    def __init__(self, memory: Helix) -> None:
        self._memory = memory
        self._author = Author(0)

    def carry_out(self, operation: Operation) -> None:
        """Do it, or find that it was done before the last death."""
        match operation.kind:
            case "capture":
                session = operation.mark.rpartition("_")[0]
                self._memory.capture(
                    self._text(operation), event_id=operation.mark, session=session
                )
            case "remember":
                self._statement(operation)
            case "correct":
                _once(lambda: self._memory.correct(self._target(operation), self._text(operation)))
            case "forget":
                _once(lambda: self._memory.forget(self._target(operation), operation.mark))

    def _text(self, operation: Operation) -> str:
        self._author.begin_anew(operation.mark)
        return f"{operation.mark}: {self._author.episode()}"

    def _statement(self, operation: Operation) -> str:
        outcome = self._memory.remember(self._text(operation), event_id=operation.mark)
        assert not isinstance(outcome, Skipped)  # nothing here is ever erased
        return outcome.memory.id

    def _target(self, operation: Operation) -> str:
        # Saying it again under the same event id changes nothing and tells the memory's id.
        assert operation.target is not None
        return self._statement(operation.target)


def _once(act: Callable[[], object]) -> None:
    try:
        act()
    except Conflict as conflict:
        if conflict.code != "step_not_allowed":
            raise


def acknowledged(log: Path) -> list[str]:
    """Return the marks in a log; a line that was cut off by death does not count."""
    if not log.exists():
        return []
    return [line[:-1] for line in log.read_text().splitlines(keepends=True) if line[-1] == "\n"]


def write(chosen: argparse.Namespace) -> None:
    """Go on where the log ends, until killed or until enough is done."""
    done = len(acknowledged(chosen.log))
    log = os.open(chosen.log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    with Helix.open(chosen.store, scope=SCOPE, agent=chosen.name) as memory:
        writer = Writer(memory)
        os.write(1, f"{READY}\n".encode())
        for operation in operations(chosen.name, chosen.seed):
            if operation.number < done:
                continue
            if chosen.operations is not None and operation.number >= done + chosen.operations:
                return
            if chosen.acknowledge_early:
                _early(log, operation)
            writer.carry_out(operation)
            if not chosen.acknowledge_early:
                os.write(log, f"{operation.mark}\n".encode())


def _early(log: int, operation: Operation) -> None:
    """Promise before keeping the promise, as no store may; then die in between, once."""
    os.write(log, f"{operation.mark}\n".encode())
    if operation.number == DIES_AT:
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> int:
    """Write; whatever goes wrong besides death is an error, told on stderr."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killable")
    parser.add_argument("store", type=Path)
    parser.add_argument("log", type=Path)
    parser.add_argument("name")
    parser.add_argument("seed", type=int)
    parser.add_argument("--operations", type=int)
    parser.add_argument("--acknowledge-early", action="store_true")
    try:
        write(parser.parse_args())
    except Exception:  # noqa: BLE001 - every fault is a finding, whatever it is
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
