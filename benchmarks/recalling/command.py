"""The command: its arguments, and one measurement from them."""

from __future__ import annotations

import argparse
from pathlib import Path

SETS = (
    "locomo", "longmemeval-pooled", "longmemeval-s500", "beam", "cosqa", "scifact",
    "multihop", "git", "peps", "mutable",
)  # fmt: skip


def add_arguments(way: argparse.ArgumentParser) -> None:
    """Add what `recall` takes."""
    way.add_argument("--set", required=True, choices=SETS, help="what to measure on")
    way.add_argument("--data", type=Path, metavar="PATH", help="the set's folder")
    way.add_argument("--part", help="beam: 100K, 500K; multihop: 2wiki, hotpot; git: a name")
    way.add_argument("--limit-questions", type=int, metavar="N", help="ask N, evenly spread")
    way.add_argument("--half", choices=("first", "second"), help="ask one half of the questions")
    way.add_argument("--ranker", help="evidence, three_factor or four_factor")
    way.add_argument("--no-ablations", action="store_true", help="only the chosen ranker")
    way.add_argument("--depth", type=int, default=50, help="answers asked for (default: 50)")
    way.add_argument("--embedder", metavar="NAME", help="an embedder, or none for words only")


def run(chosen: argparse.Namespace) -> tuple[dict[str, object], list[str]]:
    """Return the findings as JSON knows them and as lines to print."""
    from benchmarks.recalling import report, running
    from benchmarks.recalling.choosing import chosen as choose
    from benchmarks.recalling.sets import LOADERS
    from benchmarks.recalling.values import Unavailable
    from helix.recall.scoring import RANKERS

    ranker = chosen.ranker or RANKERS[0]
    try:
        if ranker not in RANKERS:
            raise Unavailable(f"there is no ranker {ranker!r} here; use {', '.join(RANKERS)}")
        if chosen.data is None and chosen.set != "mutable":
            raise Unavailable(f"--set {chosen.set} needs --data with the set's folder")
        loaded = LOADERS[chosen.set](chosen.data, chosen.part, chosen.seed)
        haystacks = choose(loaded, chosen.half, chosen.limit_questions)
        asking = running.run(
            haystacks,
            ranker=ranker,
            embedder=chosen.embedder,
            depth=chosen.depth,
            ablations=not chosen.no_ablations,
        )
    except Unavailable as error:
        raise SystemExit(str(error)) from error
    found = report.findings(chosen.set, chosen.part, ranker, asking)
    return found, report.lines(found)
