"""What a question costs at one size: hybrid recall beside a plain scan and plain FTS5."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.figures import Spread, spread, stored_bytes
from benchmarks.meaning.filling import SCOPE, Filling
from benchmarks.meaning.tokens import QUESTIONS
from benchmarks.showing import progress
from benchmarks.texts import KINDS
from helix.model.recollection import Recollected
from helix.recall.scoring import Tuning
from helix.rules.similarity import Vectors, nearest_rows

WARM_UP = 12
"""Questions asked before the measured ones, so that every side has its pages."""

SHOWN = 10
MOST_TOKENS = 100
"""Exact tokens asked for at one size, each in every way."""

WORDS_ALONE = Tuning(switched_off=frozenset({"meaning"}))


@dataclass(frozen=True, slots=True)
class Stage:
    """What was measured when the store had reached a size."""

    size: int
    first_ms: float
    recall: Spread
    recall_cpu: Spread
    recall_by_kind: dict[str, Spread]
    answered: int
    words_alone: Spread
    embedding: Spread
    scan: Spread
    fts5: Spread
    tokens_asked: int
    tokens_first: int
    tokens_missed: dict[str, int]
    reader_bytes: int
    file_bytes: int


def measured(filling: Filling, count: int) -> Stage:
    """Ask the questions and return what this size costs."""
    asked = filling.questions(count + WARM_UP)
    matrix = filling.matrix()
    started = time.perf_counter()
    filling.memory.recall(asked[0][1])
    first = time.perf_counter() - started
    sides = _asked(filling, matrix, [question for _, question in asked])
    times, cpu = sides["recall"], sides["recall cpu"]
    kinds = [kind for kind, _ in asked[WARM_UP:]]
    by_kind = {
        kind: spread(s for s, k in zip(times, kinds, strict=True) if k == kind) for kind in KINDS
    }
    tokens, missed = _tokens(filling)
    return Stage(
        size=filling.size,
        first_ms=round(1000 * first, 1),
        recall=spread(times),
        recall_cpu=spread(cpu),
        recall_by_kind=by_kind,
        answered=int(sum(sides["answered"])),
        words_alone=spread(sides["words"]),
        embedding=spread(sides["embedding"]),
        scan=spread(sides["scan"]),
        fts5=spread(sides["fts5"]),
        tokens_asked=tokens,
        tokens_first=tokens - missed.total(),
        tokens_missed=dict(missed),
        reader_bytes=_reader(filling, [question for _, question in asked]),
        file_bytes=stored_bytes(filling.path),
    )


def _asked(filling: Filling, matrix: Vectors, questions: list[str]) -> dict[str, list[float]]:
    memory, embed, bare = filling.memory, filling.embedder.embed, filling.bare
    sides: dict[str, list[float]] = {}

    def note(side: str, call: Callable[[], object]) -> object:
        started, cpu = time.perf_counter(), time.thread_time()
        found = call()
        taken, on_cpu = time.perf_counter() - started, time.thread_time() - cpu
        sides.setdefault(side, []).append(taken)
        sides.setdefault(f"{side} cpu", []).append(on_cpu)
        return found

    for place, question in enumerate(questions):
        if place == WARM_UP:
            sides.clear()
        # In turn, so that a busy machine is unfair to all of them alike; what needs both cores
        # stands furthest from the scan, whose threads are slow to let go of them.
        answer = note("recall", lambda: memory.recall(question))  # noqa: B023 - called at once
        vector = embed([question])[0]
        note("scan", lambda: scanned(matrix, vector, SHOWN))  # noqa: B023
        note("words", lambda: memory.recall(question, tuning=WORDS_ALONE))  # noqa: B023
        note("fts5", lambda: bare.ask(question, SHOWN))  # noqa: B023
        note("embedding", lambda: embed([question]))  # noqa: B023
        sides.setdefault("answered", []).append(float(isinstance(answer, Recollected)))
        progress(f"{place:,} of {len(questions):,} questions asked at {filling.size:,}")
    return sides


def scanned(matrix: Vectors, asked: Vectors, count: int) -> list[int]:
    """Return the nearest rows by looking at every one of them, nearest first."""
    cosines = matrix @ asked
    rows = nearest_rows(-cosines, count)
    return [int(row) for row in rows[np.argsort(-cosines[rows], kind="stable")]]


def _tokens(filling: Filling) -> tuple[int, Counter[str]]:
    """Ask for every exact token; return how often that was, and where it was not at rank 1."""
    tokens = filling.tokens()
    asked, missed = 0, Counter[str]()
    for _, planted in tokens[:: max(1, len(tokens) // MOST_TOKENS)]:
        for form in QUESTIONS:
            answer = filling.memory.recall(form.format(planted.token), limit=1)
            asked += 1
            first = answer.remembered[0].memory.content if isinstance(answer, Recollected) else ""
            missed[planted.kind] += planted.token not in first
        progress(f"{asked:,} exact tokens asked at {filling.size:,}")
    return asked, +missed


def _reader(filling: Filling, questions: list[str]) -> int:
    """Return the resident memory of a process of its own that asked these questions."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.reader", str(filling.path), SCOPE, "hybrid"],
        input=json.dumps(questions),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(told.stdout)
