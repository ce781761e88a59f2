"""`python -m benchmarks scale|meaning|cold|faults|writers|recall`: repeat the measurements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.recalling.command import add_arguments
from benchmarks.showing import finish

if TYPE_CHECKING:
    Ways = argparse._SubParsersAction[argparse.ArgumentParser]
Run = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark; 0 if every target was held."""
    chosen = _parser().parse_args(arguments)
    result: int = chosen.run(chosen)
    return result


def _scale(chosen: argparse.Namespace) -> int:
    from benchmarks import scale

    findings, lines = scale.run(chosen.sizes, chosen.queries, chosen.seed)
    return _finished(findings, lines, chosen)


def _meaning(chosen: argparse.Namespace) -> int:
    from benchmarks.meaning import command

    findings, lines = command.run(chosen)
    return _finished(findings, lines, chosen)


def _cold(chosen: argparse.Namespace) -> int:
    from benchmarks import cold

    findings, lines = cold.run(chosen.starts, chosen.memories, chosen.seed)
    return _finished(findings, lines, chosen)


def _faults(chosen: argparse.Namespace) -> int:
    from benchmarks import faults

    findings, lines, held = faults.run(chosen.kills, chosen.writers, chosen.seed)
    finish(findings, lines, as_json=chosen.json, out=chosen.out)
    return 0 if held else 1


def _writers(chosen: argparse.Namespace) -> int:
    from benchmarks import writers

    findings, lines = writers.run(chosen.processes, chosen.seconds, chosen.seed)
    return _finished(findings, lines, chosen)


def _recall(chosen: argparse.Namespace) -> int:
    from benchmarks.recalling import command

    findings, lines = command.run(chosen)
    finish(findings, lines, as_json=chosen.json, out=chosen.out)
    return 0


def _finished(findings: dict[str, object], lines: list[str], chosen: argparse.Namespace) -> int:
    finish(findings, lines, as_json=chosen.json, out=chosen.out)
    checks = findings["checks"]
    assert isinstance(checks, list)  # every benchmark lists its targets
    return 0 if all(check["held"] for check in checks) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    ways: Ways = parser.add_subparsers(required=True)
    scale = _way(ways, "scale", _scale, "captures and questions as one store grows")
    scale.add_argument(
        "--sizes", type=_sizes, default=[1_000, 10_000, 100_000], metavar="N,N,…",
        help="numbers of memories at which to measure (default: 1000,10000,100000)",
    )  # fmt: skip
    scale.add_argument("--queries", type=int, default=200, help="questions asked at each size")
    meaning = _way(ways, "meaning", _meaning, "questions by words and by meaning as a store grows")
    meaning.add_argument(
        "--sizes", type=_sizes, default=[1_000, 10_000, 100_000], metavar="N,N,…",
        help="numbers of memories at which to measure; empty for none",
    )  # fmt: skip
    meaning.add_argument("--queries", type=int, default=200, help="questions asked at each size")
    meaning.add_argument("--keep", type=Path, metavar="FOLDER", help="fill a store there, go on")
    meaning.add_argument(
        "--near", type=int, default=100_000, metavar="N",
        help="vectors drawn to compare the index with exact search; 0 for no comparison",
    )  # fmt: skip
    meaning.add_argument("--real", type=int, default=20_000, help="real texts to compare with")
    meaning.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="where real texts may be"
    )
    cold = _way(ways, "cold", _cold, "a question to a store by a process that just began")
    cold.add_argument("--starts", type=int, default=20, help="processes started for each way")
    cold.add_argument("--memories", type=int, default=1_000, help="what the store holds")
    faults = _way(ways, "faults", _faults, "processes killed while they write")
    faults.add_argument("--kills", type=int, default=200, help="SIGKILLs in all")
    faults.add_argument("--writers", type=int, default=4, help="processes that write at once")
    writers = _way(ways, "writers", _writers, "processes that capture as fast as they can")
    writers.add_argument("--processes", type=int, default=8)
    writers.add_argument("--seconds", type=float, default=30.0)
    recall = _way(ways, "recall", _recall, "what is found on public sets, beside plain search")
    add_arguments(recall)
    return parser


def _way(ways: Ways, name: str, run: Run, saying: str) -> argparse.ArgumentParser:
    way = ways.add_parser(name, help=saying, description=saying)
    way.add_argument("--seed", type=int, default=1, help="the chance everything is drawn from")
    way.add_argument("--json", action="store_true", help="print one JSON document")
    way.add_argument("--out", type=Path, help="keep the JSON document in a file as well")
    way.set_defaults(run=run)
    return way


def _sizes(text: str) -> list[int]:
    return [int(size.replace("_", "")) for size in text.split(",") if size]


if __name__ == "__main__":
    sys.exit(main())
