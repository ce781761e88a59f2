"""`python -m benchmarks NAME`: repeat the measurements."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.recalling.command import add_arguments
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import finish

if TYPE_CHECKING:
    Ways = argparse._SubParsersAction[argparse.ArgumentParser]
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
Run = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark; 0 if every target was held, 1 if not, 2 if it cannot be run here."""
    chosen = _parser().parse_args(arguments)
    try:
        result: int = chosen.run(chosen)
    except Unavailable as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    return result


def _scale(chosen: argparse.Namespace) -> int:
    from benchmarks import scale

    findings, lines = scale.run(chosen.sizes, chosen.queries, chosen.seed)
    return _finished(findings, lines, chosen)


def _meaning(chosen: argparse.Namespace) -> int:
    # After the scan beside us, BLAS's threads would keep a core busy for some 30 ms, and whoever
    # comes next would be measured with one core less. Read when numpy is loaded.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
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


def _sweeps(chosen: argparse.Namespace) -> int:
    if chosen.kills:
        from benchmarks.living import kills

        return _finished(*kills.run(chosen.kills, chosen.seed), chosen)
    from benchmarks.living import sweeps

    return _finished(*sweeps.run(chosen.sizes, chosen.seconds, chosen.seed), chosen)


def _compression(chosen: argparse.Namespace) -> int:
    from benchmarks.living import compression

    found = compression.run(chosen.data, chosen.vectors, chosen.questions, chosen.embedder)
    return _finished(*found, chosen)


def _life(chosen: argparse.Namespace) -> int:
    from benchmarks.living import year

    found = year.run(chosen.data, chosen.part, chosen.embedder, chosen.plot, chosen.seed)
    return _finished(*found, chosen)


def _recall(chosen: argparse.Namespace) -> int:
    from benchmarks.recalling import command

    findings, lines = command.run(chosen)
    finish(findings, lines, as_json=chosen.json, out=chosen.out)
    return 0


def _switch(chosen: argparse.Namespace) -> int:
    from benchmarks import switching

    findings, lines = switching.run(chosen.memories, chosen.first, chosen.second, chosen.seed)
    return _finished(findings, lines, chosen)


def _relations(chosen: argparse.Namespace) -> int:
    from benchmarks.sleeping import relations

    findings, lines = relations.run(chosen.pairs, chosen.seed, chosen.data)
    return _finished(findings, lines, chosen)


def _sleep(chosen: argparse.Namespace) -> int:
    from benchmarks.sleeping import real

    findings, lines = real.run(chosen.data, chosen.seed, chosen.sample)
    return _finished(findings, lines, chosen)


def _sleep_scale(chosen: argparse.Namespace) -> int:
    from benchmarks.sleeping import scale

    findings, lines = scale.run(chosen.sizes, chosen.seed)
    return _finished(findings, lines, chosen)


def _sleep_kills(chosen: argparse.Namespace) -> int:
    from benchmarks.sleeping import kills

    findings, lines = kills.run(chosen.kills, chosen.size, chosen.seed)
    return _finished(findings, lines, chosen)


def _secrets(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import secrets

    return _finished(*secrets.run(chosen.data, chosen.step), chosen)


def _injection(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import injection

    return _finished(*injection.run(chosen.data, chosen.step), chosen)


def _poisoning(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import poisoning

    return _finished(*poisoning.run(chosen.data, chosen.cases, chosen.seed), chosen)


def _erasure(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import erasure

    found = erasure.run(chosen.data, chosen.erasures, chosen.lived, chosen.seed)
    return _finished(*found, chosen)


def _takeover(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import takeovers

    return _finished(*takeovers.run(chosen.data, chosen.campaigns, chosen.seed), chosen)


def _audit(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import audit

    return _finished(*audit.run(chosen.osv, Path(__file__).parents[1]), chosen)


def _fuzz(chosen: argparse.Namespace) -> int:
    from benchmarks.integrity import fuzzing

    names = tuple(each for each in chosen.only.split(",") if each)
    asked = fuzzing.Asked(
        chosen.seconds, chosen.seed, chosen.engine, names, chosen.share, chosen.keep
    )
    found = fuzzing.report(asked) if chosen.report else fuzzing.run(asked)
    return _finished(*found, chosen)


def _doors(chosen: argparse.Namespace) -> int:
    from benchmarks import doors

    if chosen.part == "storm":
        counts = (chosen.servers, chosen.storms, chosen.commands)
        return _finished(*doors.storm(*counts, chosen.seconds), chosen)
    return _finished(*doors.starts(chosen.starts), chosen)


def _import(chosen: argparse.Namespace) -> int:
    from benchmarks.starting import importing

    return _finished(*importing.run(chosen.data, chosen.history, chosen.most), chosen)


def _own_history(chosen: argparse.Namespace) -> int:
    from benchmarks.starting import asking

    return _finished(*asking.run(), chosen)


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
    _add_asking(ways)
    faults = _way(ways, "faults", _faults, "processes killed while they write")
    faults.add_argument("--kills", type=int, default=200, help="SIGKILLs in all")
    faults.add_argument("--writers", type=int, default=4, help="processes that write at once")
    writers = _way(ways, "writers", _writers, "processes that capture as fast as they can")
    writers.add_argument("--processes", type=int, default=8)
    writers.add_argument("--seconds", type=float, default=30.0)
    sweeps = _way(ways, "sweeps", _sweeps, "sweeps over a store that grows, and killed sweeps")
    sweeps.add_argument(
        "--sizes", type=_sizes, default=[10_000, 100_000], metavar="N,N,…",
        help="numbers of memories at which to measure (default: 10000,100000)",
    )  # fmt: skip
    sweeps.add_argument(
        "--seconds", type=float, default=20.0, help="of captures and recalls beside a sweep"
    )
    sweeps.add_argument("--kills", type=int, default=0, help="instead: SIGKILLs per sweep")
    compression = _way(ways, "compression", _compression, "search over vectors kept coarsely")
    compression.add_argument("--data", type=Path, required=True, help="the folder of all sets")
    compression.add_argument("--vectors", type=int, default=100_000)
    compression.add_argument("--questions", type=int, default=500)
    compression.add_argument("--embedder", metavar="NAME", help="if not the one in use")
    life = _way(ways, "life", _life, "a year of real history, with and without the lifecycle")
    life.add_argument("--data", type=Path, required=True, help="the folder of git histories")
    life.add_argument("--part", default="", help="only histories whose name contains this")
    life.add_argument("--embedder", metavar="NAME", help="an embedder; words only without")
    life.add_argument("--plot", type=Path, metavar="FILE", help="write the year as a picture")
    recall = _way(ways, "recall", _recall, "what is found on public sets, beside plain search")
    add_arguments(recall)
    _add_switch(ways)
    _sleep_ways(ways)
    secrets = _way(ways, "secrets", _secrets, "secrets found in labelled lines, honest text kept")
    _from_set(secrets)
    injection = _way(ways, "injection", _injection, "orders recognised, honest text lost")
    _from_set(injection)
    poisoning = _way(ways, "poisoning", _poisoning, "how often poison reaches an agent unmarked")
    _from_set(poisoning)
    poisoning.add_argument("--cases", type=int, default=100, help="generated cases of each family")
    takeover = _way(ways, "takeover", _takeover, "campaigns that are flagged, and honest work")
    takeover.add_argument("--data", type=Path, default=DATA, help="where the public sets are")
    takeover.add_argument("--campaigns", type=int, default=20, help="of each family")
    erasure = _way(ways, "erasure", _erasure, "what is left in any file after erasing")
    erasure.add_argument("--data", type=Path, help="a folder of commits to live through first")
    erasure.add_argument("--erasures", type=int, default=1_000)
    erasure.add_argument("--lived", type=int, default=2_000, help="texts taken in beforehand")
    _add_fuzz(ways)
    _add_audit(ways)
    _add_doors(ways)
    return parser


def _add_doors(ways: Ways) -> None:
    doors = _way(ways, "doors", _doors, "greeting an agent, hooks, and many of both at once")
    doors.add_argument("part", nargs="?", choices=("starts", "storm"), default="starts")
    doors.add_argument("--starts", type=int, default=20, help="cold processes of each kind")
    doors.add_argument("--servers", type=int, default=20, help="agents' servers in the storm")
    doors.add_argument("--storms", type=int, default=4, help="hooks that never pause")
    doors.add_argument("--commands", type=int, default=2, help="command lines that never pause")
    doors.add_argument("--seconds", type=float, default=300.0, help="of storm")
    _way(ways, "own-history", _own_history, "ten questions to this project's own history")
    full = _way(ways, "import", _import, "a long history, killed half-way, resumed, repeated")
    full.add_argument("--data", type=Path, default=DATA, help="where the evaluation sets are")
    full.add_argument("--history", default="fastapi", help="how the history's name begins")
    full.add_argument("--most", type=int, help="of its commits (default: all)")


def _add_audit(ways: Ways) -> None:
    audit = _way(ways, "audit", _audit, "known vulnerabilities of the locked packages, offline")
    audit.add_argument("--osv", type=Path, required=True, help="the OSV database's PyPI archive")


def _add_fuzz(ways: Ways) -> None:
    fuzz = _way(ways, "fuzz", _fuzz, "mutated input into every parser and way in")
    fuzz.add_argument(
        "--seconds", type=float, default=600.0, help="of processor time for each target"
    )
    fuzz.add_argument("--only", default="", help="targets by name, with commas, in their order")
    fuzz.add_argument(
        "--share", type=_share, default=(1, 1), metavar="I/N",
        help="every N-th target, beginning with the I-th",
    )  # fmt: skip
    fuzz.add_argument(
        "--keep", type=Path, metavar="FILE",
        help="note there which target has had its time, and go on from it",
    )  # fmt: skip
    fuzz.add_argument("--report", action="store_true", help="show the file, and try nothing")
    fuzz.add_argument("--engine", choices=("mutation", "hypothesis", "atheris"), default="mutation")


def _share(text: str) -> tuple[int, int]:
    own, _, shares = text.partition("/")
    if not (own.isdigit() and shares.isdigit() and 1 <= int(own) <= int(shares)):
        raise argparse.ArgumentTypeError(f"{text!r} is no share: use 1/3 for the first of three")
    return int(own), int(shares)


def _add_switch(ways: Ways) -> None:
    switch = _way(ways, "switch", _switch, "another embedder, killed half-way, under questions")
    switch.add_argument("--memories", type=int, default=50_000)
    switch.add_argument(
        "--from", dest="first", default="openai:word-bags",
        help="the first model; by default, words counted by a server started here",
    )  # fmt: skip
    switch.add_argument("--to", dest="second", default="static-256", help="the model to switch to")


def _sleep_ways(ways: Ways) -> None:
    relations = _way(ways, "relations", _relations, "what is merged, and which denials are noticed")
    relations.add_argument("--pairs", type=int, default=200, help="pairs that differ in one value")
    relations.add_argument("--data", type=Path, default=DATA, help="where the public sets are")
    sleep = _way(ways, "sleep", _sleep, "what sleep makes of real histories, without a model")
    sleep.add_argument("--data", type=Path, default=DATA, help="where the public sets are")
    growing = _way(ways, "sleep-scale", _sleep_scale, "how long sleep takes, and who waits for it")
    growing.add_argument("--sizes", type=_sizes, default=[10_000, 100_000], metavar="N,N,…")
    dying = _way(ways, "sleep-kills", _sleep_kills, "processes killed while they sleep")
    dying.add_argument("--kills", type=int, default=100, help="SIGKILLs at random moments")
    dying.add_argument("--size", type=int, default=2_000, help="episodes slept over")
    sleep.add_argument("--sample", type=Path, help="write 100 conclusions to judge by hand")


def _add_asking(ways: Ways) -> None:
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


def _way(ways: Ways, name: str, run: Run, saying: str) -> argparse.ArgumentParser:
    way = ways.add_parser(name, help=saying, description=saying)
    way.add_argument("--seed", type=int, default=1, help="the chance everything is drawn from")
    way.add_argument("--json", action="store_true", help="print one JSON document")
    way.add_argument("--out", type=Path, help="keep the JSON document in a file as well")
    way.set_defaults(run=run)
    return way


def _from_set(way: argparse.ArgumentParser) -> None:
    way.add_argument("--data", type=Path, required=True, help="the folder with the set's files")
    way.add_argument(
        "--step", type=int, default=1, metavar="N", help="take every Nth text of the sets beside it"
    )


def _sizes(text: str) -> list[int]:
    return [int(size.replace("_", "")) for size in text.split(",") if size]


if __name__ == "__main__":
    sys.exit(main())
