"""Fuzzing: input into every parser and every way in, for as long as is asked.

A target may refuse what it is given in Helix's own words; anything else that is raised, and
any input that takes unreasonably long, is a finding. Three engines make inputs: mutation of
seeds, Hypothesis (which also shrinks what it finds), and atheris (which follows coverage, where
it is installed).
"""

from __future__ import annotations

import random
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.integrity.fuzz_targets import Target, targets
from benchmarks.integrity.mutating import LONGEST, mutated, pool
from benchmarks.showing import progress, table, verdicts
from helix.model.errors import HelixError

SLOW_SECONDS = 1.0
"""Processor time for one input of at most `LONGEST` letters that counts as a finding."""

MOST_FINDINGS = 5
"""Of one target; then it is left, and the next is tried."""

ENGINES = ("mutation", "hypothesis", "atheris")


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that broke a target, and how."""

    target: str
    how: str
    given: str


@dataclass
class Tried:
    """What became of one target."""

    name: str
    inputs: int = 0
    slowest: float = 0.0
    findings: list[Finding] = field(default_factory=list)


Engine = Callable[[str, Target, float, int], Tried]


def run(
    seconds: float, seed: int, only: str = "", engine: str = "mutation"
) -> tuple[dict[str, object], list[str]]:
    """Return what was found in `seconds` for each target, and the lines that tell it."""
    tried = list(_all(seconds, seed, only, engine))
    findings = [finding for each in tried for finding in each.findings]
    checks = [
        Check("inputs that broke or stalled something", len(findings), not findings),
        Check("seconds for each target, at least 600", seconds, seconds >= 600),
    ]
    document: dict[str, object] = {
        "benchmark": "fuzz",
        "engine": engine,
        "seconds": seconds,
        "inputs": {each.name: each.inputs for each in tried},
        "slowest_ms": {each.name: 1000 * each.slowest for each in tried},
        "findings": [
            {"target": each.target, "how": each.how, "given": each.given} for each in findings
        ],
        "checks": [each.plain() for each in checks],
    }
    rows = [[each.name, each.inputs, 1000 * each.slowest] for each in tried]
    told = table(["target", "inputs", "slowest ms"], rows)
    told += [f"{each.target}: {each.how}\n  {each.given[:300]!r}" for each in findings]
    return document, [*told, "", *verdicts(checks)]


def _all(seconds: float, seed: int, only: str, engine: str) -> Iterator[Tried]:
    if engine == "atheris":
        from benchmarks.integrity import following_coverage

        yield from following_coverage.run(seconds, seed, only)
        return
    engines: dict[str, Engine] = {"mutation": by_mutation, "hypothesis": by_hypothesis}
    with tempfile.TemporaryDirectory() as place:
        for name, target in targets(Path(place)).items():
            if only in {"", name}:
                yield engines[engine](name, target, seconds, seed)


def judged(name: str, target: Target, given: str) -> tuple[float, Finding | None]:
    """Return how long a target took for an input, and what it broke, if anything."""
    started = time.process_time()
    broke = None
    try:
        target(given)
    except HelixError:
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        where = traceback.extract_tb(error.__traceback__)[-1]
        how = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
        broke = Finding(name, how[:300], given)
    took = time.process_time() - started
    if took > SLOW_SECONDS and broke is None:
        broke = Finding(name, f"took {took:.1f} s", given)
    return took, broke


def _goes_on(tried: Tried, until: float) -> bool:
    """Return whether another input is tried; one always is, however slow the machine."""
    if len(tried.findings) >= MOST_FINDINGS:
        return False
    return not tried.inputs or time.monotonic() < until


def by_mutation(name: str, target: Target, seconds: float, seed: int) -> Tried:
    """Try inputs that grow out of seeds, and out of one another."""
    chance = random.Random(f"{seed} {name}")
    grown = pool()
    tried = Tried(name)
    until = time.monotonic() + seconds
    while _goes_on(tried, until):
        given = mutated(grown, chance)
        took, broke = judged(name, target, given)
        tried.slowest = max(tried.slowest, took)
        tried.inputs += 1
        tried.findings += [broke] if broke else []
        if tried.inputs % 500 == 0:
            progress(f"{name}: {tried.inputs:,} inputs")
        if chance.random() < 0.02:
            grown.append(given[:500])
            grown = grown[-400:] if len(grown) > 600 else grown
    return tried


def by_hypothesis(name: str, target: Target, seconds: float, seed: int) -> Tried:
    """Try what Hypothesis draws, round after round; what breaks is shrunk."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    tried = Tried(name)
    until = time.monotonic() + seconds
    texts = st.one_of(
        st.text(max_size=LONGEST),
        st.lists(st.sampled_from(pool()), min_size=1, max_size=6).map("".join),
        st.lists(st.one_of(st.sampled_from(pool()), st.text(max_size=60)), max_size=12).map(
            " ".join
        ),
        st.tuples(st.text(min_size=1, max_size=8), st.integers(1, 600)).map(lambda t: t[0] * t[1]),
    )
    rounds = 0
    while _goes_on(tried, until):
        rounds += 1
        broken: list[Finding] = []

        @seeded(seed * 100_000 + rounds)
        @settings(
            max_examples=200, database=None, deadline=None, suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        )  # fmt: skip
        @given(texts)
        def one(text: str) -> None:
            if not _goes_on(tried, until):
                return
            took, broke = judged(name, target, text[:LONGEST])
            tried.inputs += 1
            tried.slowest = max(tried.slowest, took)
            if broke:
                broken.append(broke)  # noqa: B023 - as above
                raise AssertionError(broke.how.split(" (")[-1])

        try:
            one()
        except (AssertionError, ExceptionGroup):
            # The last that broke is the smallest.
            tried.findings += broken[-1:]
        progress(f"{name}: {tried.inputs:,} inputs")
    return tried
