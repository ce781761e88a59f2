"""`python -m benchmarks meaning`: hybrid recall as one store grows, and how exact it stays."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Check, growth_exponent
from benchmarks.meaning.asking import Stage, measured
from benchmarks.meaning.filling import BLOCK, Filling
from benchmarks.meaning.likeness import EMBEDDED
from benchmarks.meaning.nearness import Nearness, compared
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import table, verdicts
from benchmarks.texts import KINDS
from helix.app.wiring import embedder_in_use, settings
from helix.ports.embedder import Embedder

P50_MS, P95_MS, RESIDENT_MB, AT = 25.0, 60.0, 400.0, 100_000
LARGE_P95_MS, LARGE = 200.0, 1_000_000
FOUND = 0.97

HOW_VECTORS_ARE_MADE = (
    f"{EMBEDDED:,} texts and every exact token's text were embedded; all other vectors are"
    " mixtures of two of these with noise"
)


def run(chosen: argparse.Namespace) -> tuple[dict[str, object], list[str]]:
    """Return the findings as JSON knows them and as lines to print."""
    embedder = embedder_in_use(settings()).embedder
    if embedder is None:
        raise Unavailable("no embedder is installed; `helix models install` brings one")
    stages = _stages(chosen, embedder) if chosen.sizes else []
    near = []
    if chosen.near:
        near = compared(embedder, chosen.near, chosen.real, chosen.seed, chosen.data)
    checks = [*_stage_checks(stages), *_near_checks(near)]
    findings: dict[str, object] = {
        "seed": chosen.seed,
        "questions": chosen.queries,
        "embedder": embedder.name,
        "vectors": HOW_VECTORS_ARE_MADE,
        "stages": [asdict(stage) for stage in stages],
        "growth_exponent_p50": growth_exponent([(s.size, s.recall.p50) for s in stages]),
        "nearness": [asdict(each) for each in near],
        "checks": [check.plain() for check in checks],
    }
    return findings, [*_lines(stages), *_near_lines(near), "", *verdicts(checks)]


def _stages(chosen: argparse.Namespace, embedder: Embedder) -> list[Stage]:
    stages = []
    with _folder(chosen.keep) as folder:
        filling = Filling(folder, chosen.seed, embedder)
        try:
            for size in sorted(chosen.sizes):
                filling.grow(size)
                if filling.size != size:
                    raise Unavailable(
                        f"{filling.path} holds {filling.size:,} memories; a size is a multiple"
                        f" of {BLOCK}, and a store that was kept only grows"
                    )
                stages.append(measured(filling, chosen.queries))
        finally:
            filling.close()
    return stages


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with TemporaryDirectory(prefix="helix-meaning-") as folder:
        yield Path(folder)


def _stage_checks(stages: Sequence[Stage]) -> Iterator[Check]:
    for stage in stages:
        at = f"at {stage.size:,}"
        if stage.size == AT:
            p50, p95 = stage.recall.p50, stage.recall.p95
            resident = stage.reader_bytes / 1e6
            yield Check(f"hybrid recall p50 ≤ {P50_MS:g} ms {at}", p50, p50 <= P50_MS)
            yield Check(f"hybrid recall p95 ≤ {P95_MS:g} ms {at}", p95, p95 <= P95_MS)
            yield Check(
                f"resident memory of a reader ≤ {RESIDENT_MB:g} MB {at}", round(resident, 1),
                0 < resident <= RESIDENT_MB,
            )  # fmt: skip
        if stage.size == LARGE:
            p95 = stage.recall.p95
            yield Check(f"hybrid recall p95 ≤ {LARGE_P95_MS:g} ms {at}", p95, p95 <= LARGE_P95_MS)
        share = round(stage.tokens_first / max(stage.tokens_asked, 1), 4)
        yield Check(f"exact tokens at rank 1 {at}", share, stage.tokens_first == stage.tokens_asked)


def _near_checks(near: Sequence[Nearness]) -> Iterator[Check]:
    for each in near:
        name = f"{each.size:,} {each.vectors}, {each.dimension} dimensions, {each.searched}"
        yield Check(
            f"10 nearest found ≥ {FOUND} of exact: {name}", each.found_10, each.found_10 >= FOUND
        )


def _lines(stages: Sequence[Stage]) -> list[str]:
    if not stages:
        return []
    return [
        f"hybrid recall in ms, warm ({HOW_VECTORS_ARE_MADE})",
        *table(
            ("memories", "first", "p50", "p95", "p99", "cpu p50", "cpu p95",
             *(f"{kind} p95" for kind in KINDS), "answered"),
            [_recall_row(stage) for stage in stages],
        ),
        "",
        "beside it, the same questions in turn: words alone, embedding the question, a numpy scan"
        " of all vectors, an exhaustive FTS5 query",
        *table(
            ("memories", "words p50", "words p95", "words p99", "embed p50", "scan p50",
             "scan p95", "fts5 p50", "fts5 p95"),
            [_beside_row(stage) for stage in stages],
        ),
        "",
        "size in MB (reader: a fresh process after asking the questions), and exact tokens",
        *table(
            ("memories", "file", "reader", "tokens asked", "at rank 1", "missed"),
            [
                [s.size, s.file_bytes / 1e6, s.reader_bytes / 1e6, s.tokens_asked, s.tokens_first,
                 ", ".join(f"{n} {kind}" for kind, n in s.tokens_missed.items()) or "none"]
                for s in stages
            ],
        ),
        "",
    ]  # fmt: skip


def _near_lines(near: Sequence[Nearness]) -> list[str]:
    if not near:
        return []
    return [
        "share of the truly nearest that the index finds; search and plain scan in ms",
        *table(
            ("vectors", "how many", "searched", "of 10", "of 60", "search p50", "search p95",
             "scan p50", "scan p95"),
            [
                [n.vectors, n.size, n.searched, n.found_10, n.found_60, n.search.p50,
                 n.search.p95, n.scan.p50, n.scan.p95]
                for n in near
            ],
        ),
    ]  # fmt: skip


def _recall_row(stage: Stage) -> list[object]:
    ours, cpu = stage.recall, stage.recall_cpu
    return [
        stage.size, stage.first_ms, ours.p50, ours.p95, ours.p99, cpu.p50, cpu.p95,
        *(stage.recall_by_kind[kind].p95 for kind in KINDS), stage.answered,
    ]  # fmt: skip


def _beside_row(stage: Stage) -> list[object]:
    words, scan, fts5 = stage.words_alone, stage.scan, stage.fts5
    return [
        stage.size, words.p50, words.p95, words.p99, stage.embedding.p50, scan.p50, scan.p95,
        fts5.p50, fts5.p95,
    ]  # fmt: skip
