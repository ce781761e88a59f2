"""One Helix store and one bare one that grow together, and what they cost at a size."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.bare import Bare
from benchmarks.figures import Spread, log_bytes, resident_bytes, spread, stored_bytes
from benchmarks.opening import words_only
from benchmarks.showing import progress
from benchmarks.texts import KINDS, Author
from helix.model.recollection import Recollected

BLOCK = 200
"""Captures before the other side takes its turn: short, so that noise hits both alike."""

WARM_UP = 8
"""Questions asked before the measured ones, so that both sides have their pages."""

MARKS_PER_DECADE = 8
"""Points of the cumulative time that the growth exponent is fitted to."""

SCOPE = "project:benchmark"


@dataclass(frozen=True, slots=True)
class Stage:
    """What was measured when the store had reached a size."""

    size: int
    capture: Spread
    capture_cpu_p50: float
    bare_capture: Spread
    capture_ratio_p50: float
    capture_seconds_so_far: float
    bare_seconds_so_far: float
    recall: Spread
    recall_cpu: Spread
    bare_recall: Spread
    recall_by_kind: dict[str, Spread]
    answered: int
    process_bytes: int
    reader_bytes: int
    file_bytes: int
    log_bytes: int
    bytes_per_memory: float
    bare_file_bytes: int


@dataclass(slots=True)
class Side:
    """The durations of one side: those of the present window, and all of them summed up.

    Time on the clock is what a caller feels and what the targets are about. Time on the
    processor is noted beside it, because a busy machine only stretches the former.
    """

    window: array[float] = field(default_factory=lambda: array("d"))
    cpu_window: array[float] = field(default_factory=lambda: array("d"))
    total: float = 0.0
    cpu_total: float = 0.0

    def note(self, call: Callable[[str], object], text: str) -> object:
        """Make a call, keep what it took, and return what it returned."""
        started, cpu_started = time.perf_counter(), time.thread_time()
        returned = call(text)
        cpu, seconds = time.thread_time() - cpu_started, time.perf_counter() - started
        self.window.append(seconds)
        self.cpu_window.append(cpu)
        self.total += seconds
        self.cpu_total += cpu
        return returned

    def closed(self) -> tuple[Spread, Spread]:
        """Return the window's distribution, on the clock and on the processor; begin a new one."""
        found = spread(self.window), spread(self.cpu_window)
        self.window, self.cpu_window = array("d"), array("d")
        return found


class Mark(NamedTuple):
    """What all captures up to a size had taken."""

    size: int
    seconds: float
    cpu_seconds: float
    bare_seconds: float


class Growth:
    """One Helix store and one bare one, fed the same texts in turn."""

    def __init__(self, folder: Path, seed: int, questions: int) -> None:
        self.path, self.bare_path = folder / "memory.db", folder / "bare.db"
        self.helix = words_only(self.path, SCOPE)
        self.bare = Bare(self.bare_path)
        self.author = Author(seed)
        self.asked = questions
        self.ours, self.theirs = Side(), Side()
        self.size = 0
        self.marks: list[Mark] = []

    def grow(self, size: int) -> None:
        """Capture until the store holds `size` episodes."""
        while self.size < size:
            texts = [self.author.episode() for _ in range(min(BLOCK, size - self.size))]
            for text in texts:
                self.ours.note(self.helix.capture, text)
            for text in texts:
                self.theirs.note(self.bare.keep, text)
            self.bare.settle()
            self.size += len(texts)
            self._mark()
            progress(f"{self.size:,} of {size:,} captured")

    def measured(self) -> Stage:
        """Ask the questions and return what this size costs."""
        size = self.size
        captures, captures_cpu = self.ours.closed()
        bare_captures, _ = self.theirs.closed()
        asked = self.author.questions(self.asked + WARM_UP)
        ours, theirs, answered = self._ask([question for _, question in asked])
        by_kind = {
            kind: spread(
                s for s, (k, _) in zip(ours.window, asked[WARM_UP:], strict=True) if k == kind
            )
            for kind in KINDS
        }
        recalls, recalls_cpu = ours.closed()
        file_bytes = stored_bytes(self.path)
        return Stage(
            size=size,
            capture=captures,
            capture_cpu_p50=captures_cpu.p50,
            bare_capture=bare_captures,
            capture_ratio_p50=round(captures.p50 / bare_captures.p50, 2),
            capture_seconds_so_far=round(self.ours.total, 3),
            bare_seconds_so_far=round(self.theirs.total, 3),
            recall=recalls,
            recall_cpu=recalls_cpu,
            bare_recall=theirs.closed()[0],
            recall_by_kind=by_kind,
            answered=answered,
            process_bytes=resident_bytes(),
            reader_bytes=self._reader([question for _, question in asked]),
            file_bytes=file_bytes,
            log_bytes=log_bytes(self.path),
            bytes_per_memory=round(file_bytes / size, 1),
            bare_file_bytes=stored_bytes(self.bare_path),
        )

    def close(self) -> None:
        self.helix.close()
        self.bare.close()

    def _ask(self, questions: Sequence[str]) -> tuple[Side, Side, int]:
        ours, theirs, answered = Side(), Side(), 0
        for question in questions[:WARM_UP]:
            self.helix.recall(question)
            self.bare.ask(question)
        for place, question in enumerate(questions[WARM_UP:]):
            answered += isinstance(ours.note(self.helix.recall, question), Recollected)
            theirs.note(self.bare.ask, question)
            progress(f"{place:,} of {len(questions):,} questions asked at {self.size:,}")
        return ours, theirs, answered

    def _mark(self) -> None:
        # Equally far apart in the logarithm, or the last decade would be the whole fit.
        if not self.marks or self.size >= self.marks[-1].size * 10 ** (1 / MARKS_PER_DECADE):
            self.marks.append(
                Mark(self.size, self.ours.total, self.ours.cpu_total, self.theirs.total)
            )

    def _reader(self, questions: Sequence[str]) -> int:
        """Return the resident memory of a process of its own that asked these questions."""
        told = subprocess.run(
            [sys.executable, "-m", "benchmarks.reader", str(self.path), SCOPE],
            input=json.dumps(questions),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return int(told.stdout)
