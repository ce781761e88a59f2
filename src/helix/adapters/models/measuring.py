"""How fast, how large and how exact the local embedders are on this machine.

Texts are Python's own language reference, which every interpreter carries: prose with code
in it, cut into pieces of 20 and of 200 words. Each figure comes from a fresh process. Speed
is the best of some rounds, because other work on the machine only ever slows one down; a
second of processor time is the figure to compare on a machine that is not idle.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from helix.adapters.models import locating
from helix.adapters.models.onnx_minilm import OnnxMiniLM
from helix.adapters.models.recipes import (
    MINILM_FP32,
    MINILM_INT8,
    RECIPES,
    STATIC_256,
    TOKENIZER,
    VECTORS,
)
from helix.adapters.models.static_vectors import StaticVectors
from helix.ports.embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SHORT_WORDS, LONG_WORDS = 20, 200
_ROUNDS = 3
_SHORT_TEXTS, _LONG_TEXTS = 128, 24
_COMPARED = 400
_COMPARED_WORDS = (2, 6, 20, 100)


_COLUMNS = (
    ("short", "20 words, texts/s", ".0f"),
    ("short_cpu", "per CPU s", ".0f"),
    ("long", "200 words, texts/s", ".0f"),
    ("long_cpu", "per CPU s", ".0f"),
    ("load", "cold load, ms", ".0f"),
    ("question", "question, ms", ".1f"),
    ("memory", "memory, MB", ".0f"),
)


def main(arguments: Sequence[str], models: Path) -> int:
    """Print a table, or as a child process the figures of one model."""
    if arguments:
        sys.stdout.write(json.dumps(_figures(arguments[0], int(arguments[1]), models)) + "\n")
        return 0
    sys.stdout.write(_row("model", "threads", *(title for _, title, _ in _COLUMNS)))
    sys.stdout.write("|---" * (len(_COLUMNS) + 2) + "|\n")
    for name, threads in _measured(models):
        found = _in_a_fresh_process(name, threads)
        figures = (format(found[key], form) for key, _, form in _COLUMNS)
        sys.stdout.write(_row(name, str(threads), *figures))
        sys.stdout.flush()
    sys.stdout.write("\n" + _exactness(models))
    return 0


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _measured(models: Path) -> list[tuple[str, int]]:
    there = [recipe.name for recipe in RECIPES.values() if locating.built(recipe, models)]
    return [(name, threads) for name in there for threads in (1, 2) if (name, threads) != _ALIKE]


_ALIKE = (STATIC_256.name, 2)
"""Static vectors use one thread, whatever is asked."""


def _in_a_fresh_process(name: str, threads: int) -> dict[str, float]:
    command = [sys.executable, "-m", "helix.adapters.models", "measure", name, str(threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _figures(name: str, threads: int, models: Path) -> dict[str, float]:
    start = time.perf_counter()
    embedder = _embedder(name, threads, models)
    embedder.embed(["where do we deploy?"])
    load = time.perf_counter() - start
    question = min(_seconds(embedder, ["where did we decide to deploy?"]) for _ in range(20))
    short, long = prose(SHORT_WORDS)[:_SHORT_TEXTS], prose(LONG_WORDS)[:_LONG_TEXTS]
    return {
        "load": load * 1000,
        "question": question * 1000,
        "short": _per_second(embedder, short, time.perf_counter),
        "short_cpu": _per_second(embedder, short, time.process_time),
        "long": _per_second(embedder, long, time.perf_counter),
        "long_cpu": _per_second(embedder, long, time.process_time),
        "memory": _resident_megabytes(),
    }


def _exactness(models: Path) -> str:
    if not locating.built(MINILM_FP32, models):
        return "(build minilm-l6-fp32 as well to compare precisions)\n"
    full, eight = (_embedder(r.name, 2, models) for r in (MINILM_FP32, MINILM_INT8))
    lines = [f"{MINILM_INT8.name} against {MINILM_FP32.name}, {_COMPARED} texts each:\n"]
    for words in _COMPARED_WORDS:
        pieces = prose(words)
        texts = pieces[:: len(pieces) // _COMPARED][:_COMPARED]
        exact, rough = full.embed(texts), eight.embed(texts)
        cosines = (exact * rough).sum(axis=1)
        kept = (_neighbours(exact) == _neighbours(rough)).mean()
        lines.append(
            f"{words:3} words: cosine {cosines.mean():.4f}, least {cosines.min():.4f}, "
            f"nearest neighbour kept {kept:.3f}\n"
        )
    return "".join(lines)


def prose(words: int) -> list[str]:
    """Return Python's language reference in pieces of so many words."""
    from pydoc_data.topics import topics

    all_words = " ".join(topics[name] for name in sorted(topics)).split()
    return [" ".join(all_words[at : at + words]) for at in range(0, len(all_words), words)]


def _neighbours(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    import numpy as np

    nearness = rows @ rows.T
    np.fill_diagonal(nearness, -1)
    return np.asarray(nearness.argmax(axis=1))


def _per_second(embedder: Embedder, texts: Sequence[str], clock: Callable[[], float]) -> float:
    return len(texts) / min(_seconds(embedder, texts, clock) for _ in range(_ROUNDS))


def _seconds(
    embedder: Embedder, texts: Sequence[str], clock: Callable[[], float] = time.perf_counter
) -> float:
    start = clock()
    embedder.embed(texts)
    return clock() - start


def _embedder(name: str, threads: int, models: Path) -> Embedder:
    folder = models / name
    if name == STATIC_256.name:
        return StaticVectors(name, folder / VECTORS, folder / TOKENIZER)
    return OnnxMiniLM(name, folder, threads)


def _resident_megabytes() -> float:
    """Return what the process holds now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
