"""Search over real vectors of which half are kept coarsely: what is found, and what is saved.

Twice: by the vectors as they are kept, and with those embedded again whose place is in doubt,
by the function that recall itself calls.
"""

from __future__ import annotations

import shutil
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.figures import Check, percentile, resident_bytes, stored_bytes
from benchmarks.living.filling import REALM, START
from benchmarks.recalling.sets import LOADERS
from benchmarks.showing import progress, table, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.model.changes import PutMemory
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Origin, Provenance, Source
from helix.model.question import Standpoint, View
from helix.model.types import Shape
from helix.ports.embedder import Embedder
from helix.ports.enrichment import Enriched
from helix.ports.projection import Stamp
from helix.recall.finding import POOL
from helix.recall.sharpening import sharpened
from helix.rules.policy import HELIX
from helix.rules.precision import COARSE_BITS, coarse, fine
from helix.rules.similarity import packed, unit

Rows = npt.NDArray[np.float32]

SOURCES = {
    "git": "git_history", "cosqa": "cosqa", "locomo": "locomo", "peps": "peps",
    "longmemeval-pooled": "longmemeval", "beam": "beam", "scifact": "scifact",
    "multihop": "multihop",
}  # fmt: skip
MODEL = "measured"
FOUND = 10
ENOUGH = 0.97
DOCUMENTED = {8: (3.9, 0.9999), 4: (7.6, 0.97), 2: (14.6, 0.59)}
LETTERS = 300
NOW = Standpoint(View.CURRENT, START)


def run(
    data: Path, count: int, questions: int, embedder: str | None
) -> tuple[dict[str, object], list[str]]:
    """Return fidelity per precision, and recall, disk and time per mixture.

    Recall among ten is that of the order by meaning alone, once those in doubt were embedded
    again ("as kept": before that). `POOL` is how many recall takes from it, to order them by
    everything else as well. "embedded" are the texts of a question that were, and "ms a text"
    what that cost, in processor time.
    """
    chosen = _embedder(embedder)
    texts, vectors, asked = _vectors(data, count, questions, chosen)
    fidelity, checks = _fidelity(vectors[:5000])
    true = _nearest(vectors, asked)
    rows: list[list[Any]] = []
    with TemporaryDirectory(prefix="helix-compression-") as folder:
        original = Path(folder) / "original.db"
        with closing(SqliteStore(original)) as store:
            _fill(store, vectors)
        for name, shares in _mixtures().items():
            path = Path(shutil.copyfile(original, Path(folder) / f"{len(rows)}.db"))
            _coarsened(path, [shares[n % len(shares)] for n in range(count)])
            found = _searched(path, asked, true, texts, chosen)
            rows.append([name, *found])
            checks += [
                Check(f"recall@{FOUND} with {name} >= {ENOUGH}", found[1], found[1] >= ENOUGH),
                Check(f"among the {POOL} put forward with {name} >= {ENOUGH}", found[2],
                      found[2] >= ENOUGH),
            ]  # fmt: skip
    head = [
        "kept",
        "as kept",
        f"recall@{FOUND}",
        f"among {POOL}",
        "embedded",
        "ms a text",
        "vector MB",
        "file MB",
        "index MB",
        "p50 ms",
        "p95 ms",
    ]
    lines = [
        *table(["bits", "bytes", "times smaller", "documented", "cosine", "worst", "documented "],
               fidelity),
        "", f"{len(vectors):,} vectors of {vectors.shape[1]} dimensions, {len(asked):,} questions",
        *table(head, rows), "", *verdicts(checks),
    ]  # fmt: skip
    findings: dict[str, object] = {
        "fidelity": fidelity,
        "rows": [dict(zip(head, row, strict=True)) for row in rows],
        "checks": [each.plain() for each in checks],
    }
    return findings, lines


def _mixtures() -> dict[str, tuple[int, ...]]:
    """Return, per mixture, the bits that every fourth vector in turn is kept with."""
    return {
        "all as they came": (16, 16, 16, 16),
        "half at 8 bits": (16, 8, 16, 8),
        # What default recall meets: two bits are for the archive.
        "half at 8 and 4 bits": (16, 8, 16, 4),
        "half at 4 bits": (16, 4, 16, 4),
        "half at 2 bits": (16, 2, 16, 2),
        "half at 8, 4 and 2 bits": (16, 8, 16, 4, 16, 2),
        "all at 8, 4 and 2 bits": (8, 4, 2),
    }


def _fidelity(vectors: Rows) -> tuple[list[list[Any]], list[Check]]:
    rows, checks = [], []
    for bits in COARSE_BITS:
        bodies = coarse(vectors, bits)
        back = unit(fine(bodies, bits, vectors.shape[1]))
        cosines = np.sum(back * unit(vectors), axis=1)
        times, documented = DOCUMENTED[bits]
        smaller, mean = 4 * vectors.shape[1] / len(bodies[0]), float(cosines.mean())
        rows.append(
            [
                bits,
                len(bodies[0]),
                smaller,
                times,
                f"{mean:.5f}",
                f"{cosines.min():.5f}",
                documented,
            ]
        )
        held = smaller >= times and mean >= documented
        checks.append(Check(f"{bits} bits: {times}x at {documented} or better", mean, held))
    return rows, checks


def _nearest(vectors: Rows, asked: Rows) -> list[set[int]]:
    found = []
    for question in asked:
        cosines = vectors @ question
        found.append(set(np.argpartition(-cosines, FOUND)[:FOUND].tolist()))
    return found


def _coarsened(path: Path, bits: list[int]) -> None:
    with closing(SqliteStore(path)) as store:
        coarser = {f"mem_{n}": wanted for n, wanted in enumerate(bits) if wanted < 16}
        names = list(coarser)
        for start in range(0, len(names), 2000):
            with store.writing() as work:
                part = {name: coarser[name] for name in names[start : start + 2000]}
                work.enrichment.coarsen(REALM, MODEL, part)


def _searched(
    path: Path, asked: Rows, true: list[set[int]], texts: list[str], embedder: Embedder
) -> list[float]:
    with closing(SqliteStore(path)) as store:
        before = resident_bytes()
        with store.reading() as work:
            work.enrichment.by_meaning(REALM, MODEL, asked[0], NOW, limit=FOUND)
            index = (resident_bytes() - before) / 2**20
            kept = sum(size for _, _, size in work.enrichment.precisions(REALM, MODEL))
            hits, sharp_hits, among, embedded, again = 0, 0, 0, 0, 0.0
            took = []
            for question, nearest in zip(asked, true, strict=True):
                started = time.monotonic()
                found = work.enrichment.by_meaning(REALM, MODEL, question, NOW, limit=POOL)
                took.append(time.monotonic() - started)
                cosines = {memory.id: cosine for memory, cosine in found}
                hits += len(nearest & _best(cosines))
                among += len(nearest & {_number(each) for each in cosines})
                held = work.enrichment.held_of(REALM, MODEL, list(cosines))
                started = time.process_time()
                sharp = sharpened(
                    {each: texts[_number(each)] for each in cosines}, held, question,
                    embedder.embed, places=FOUND, at_most=HELIX.embedded_again,
                )  # fmt: skip
                again += time.process_time() - started
                embedded += len(sharp)
                cosines |= {each: float(row @ question) for each, row in sharp.items()}
                sharp_hits += len(nearest & _best(cosines))
    took.sort()
    with closing(SqliteStore(path)) as store, store.reading() as work:
        work.connection.execute("COMMIT; VACUUM; BEGIN")
    size = stored_bytes(path) / 2**20
    all_of_them = FOUND * len(asked)
    return [
        hits / all_of_them, sharp_hits / all_of_them, among / all_of_them,
        embedded / len(asked), 1000 * again / embedded if embedded else 0.0, kept / 2**20, size,
        max(index, 0.0), 1000 * percentile(took, 0.5), 1000 * percentile(took, 0.95),
    ]  # fmt: skip


def _best(cosines: dict[str, float]) -> set[int]:
    order = sorted(cosines, key=lambda each: -cosines[each])
    return {_number(each) for each in order[:FOUND]}


def _number(memory_id: str) -> int:
    return int(memory_id[4:])


def _fill(store: SqliteStore, vectors: Rows) -> None:
    source = Provenance(Source("benchmark", Origin.AGENT_INGESTED), 0)
    belief = Belief(Status.ACTIVE, START, None, 0.6, 0, 0, START, provenance=(source,))
    like = Memory(
        "", "episode", Shape.EPISODIC, "", REALM, 0, START, "", 0.2, belief
    )  # fmt: skip
    for start in range(0, len(vectors), 5000):
        part = range(start, min(start + 5000, len(vectors)))
        with store.writing() as work:
            made = [PutMemory(replace(like, id=f"mem_{n}", content=f"memory {n}")) for n in part]
            work.projection.apply(REALM.tenant, made, Stamp(START, None))
            keys = [key for key, _ in work.enrichment.waiting(MODEL, len(part))]
            kept = [
                Enriched(key, packed(vectors[n]), ()) for key, n in zip(keys, part, strict=True)
            ]
            work.enrichment.keep(MODEL, vectors.shape[1], kept)
        progress(f"{part.stop:,} vectors written")


def _vectors(
    data: Path, count: int, questions: int, embedder: Embedder
) -> tuple[list[str], Rows, Rows]:
    wanted = count + questions
    texts = _texts(data, wanted)
    if len(texts) < wanted:
        raise SystemExit(f"only {len(texts):,} different texts in {data}; ask for fewer")
    rows = embedder.embed(texts, lambda done: progress(f"{done:,} texts embedded"))
    chosen = np.random.default_rng(1).permutation(len(rows))[:wanted]
    rows = np.asarray(rows[chosen], dtype=np.float32)
    return [texts[place] for place in chosen[:count]], rows[:count], rows[count:]


def _embedder(name: str | None) -> Embedder:
    from helix.app.wiring import embedder_in_use, settings

    chosen = settings() if name is None else replace(settings(), embedder={"model": name})
    embedder = embedder_in_use(chosen).embedder
    if embedder is None:
        raise SystemExit("no embedder is installed; see `helix models`")
    return embedder


def _texts(data: Path, count: int) -> list[str]:
    found: dict[str, None] = {}
    for name, folder in SOURCES.items():
        for haystack in LOADERS[name](data / folder, None, 1):
            for note in haystack.notes:
                # Long texts give several: what is compared is vectors, not documents.
                for start in range(0, min(len(note.text), 12 * LETTERS), LETTERS):
                    piece = note.text[start : start + LETTERS].strip()
                    if len(piece) > 40:
                        found[piece] = None
                if len(found) >= count:
                    return list(found)[:count]
    return list(found)
