"""Fuzzing: input into every parser and every way in, for as long as is asked.

A target may refuse what it is given in Helix's own words; anything else that is raised, and
any input that takes unreasonably long, is a finding. Three engines make inputs: mutation of
seeds, Hypothesis (which also shrinks what it finds), and atheris (which follows coverage, where
it is installed). Time is processor time: on a busy machine, ten minutes are ten minutes.
"""

from __future__ import annotations

import random
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.integrity import fuzz_times
from benchmarks.integrity.fuzz_targets import targets
from benchmarks.integrity.fuzz_times import Finding, Times, Tried
from benchmarks.integrity.mutating import LONGEST, mutated, pool
from benchmarks.integrity.shaping import Target
from benchmarks.showing import progress, verdicts
from helix.model.errors import HelixError

SLOW_SECONDS = 1.0
"""Processor time for one input of at most `LONGEST` letters that counts as a finding."""

MOST_FINDINGS = 5
"""Of one target; then it is left, and the next is tried."""

LONG_ENOUGH = 600.0
SLICE = 200.0
"""Processor seconds after which what a target came to is kept. To begin one takes seven."""

ENGINES = ("mutation", "hypothesis", "atheris")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is fuzzed how: `names` in this order (none: all), of those the `share`, I of N."""

    seconds: float
    seed: int = 1
    engine: str = "mutation"
    names: Sequence[str] = ()
    share: tuple[int, int] = (1, 1)
    keep: Path | None = None


@dataclass
class _Trying:
    """One target while it is tried."""

    name: str
    budget: float
    inputs: int = 0
    slowest: float = 0.0
    findings: dict[str, Finding] = field(default_factory=dict)
    started: float = field(default_factory=time.process_time)

    def goes_on(self) -> bool:
        """Return whether another input is tried; one always is, however slow the machine."""
        if len(self.findings) >= MOST_FINDINGS:
            return False
        return not self.inputs or self.spent() < self.budget

    def spent(self) -> float:
        return time.process_time() - self.started

    def one(self, target: Target, given: str) -> Finding | None:
        took, broke = judged(self.name, target, given)
        self.inputs += 1
        self.slowest = max(self.slowest, took)
        if broke:
            self.findings.setdefault(broke.break_, broke)
        return broke

    def came_to(self) -> Tried:
        found = tuple(self.findings.values())
        return Tried(self.name, self.inputs, self.spent(), self.slowest, None, found)


Engine = Callable[[str, Target, float, str], Tried]
"""Tries a target for so many processor seconds, with the chance that a text decides on."""


def run(asked: Asked) -> tuple[dict[str, object], list[str]]:
    """Return what was found in each target's time, and the lines that tell it.

    With a file to keep it in, a target that has had its time, at whatever commit, gets no more.
    """
    times = Times.kept_in(asked.keep)
    with tempfile.TemporaryDirectory() as place, targets(Path(place)) as known:
        names = _chosen(list(known), asked)
        for name in names:
            for tried in _in_slices(name, known[name], asked, times):
                times.add(tried)
    return reported(times, names, asked.seconds)


def report(asked: Asked) -> tuple[dict[str, object], list[str]]:
    """Return what a file of earlier runs holds, without trying anything."""
    with tempfile.TemporaryDirectory() as place, targets(Path(place)) as known:
        names = _chosen(list(known), asked)
    return reported(Times.kept_in(asked.keep), names, asked.seconds)


def reported(
    times: Times, names: Sequence[str], seconds: float
) -> tuple[dict[str, object], list[str]]:
    """Return the findings on these targets, and the lines that tell them."""
    rows = [row for name in names for row in times.of(name)]
    findings = [finding for row in rows for finding in row.findings]
    had = {name: times.seconds(name) for name in names}
    least = min(had.values(), default=0.0)
    enough = sum(each >= LONG_ENOUGH for each in had.values())
    checks = [
        Check("inputs that broke or stalled something", len(findings), not findings),
        Check("processor seconds for each target, at least 600", least, least >= LONG_ENOUGH),
        Check(f"targets with that much time, of {len(names)}", enough, enough == len(names)),
    ]
    document: dict[str, object] = {
        "benchmark": "fuzz",
        "seconds": seconds,
        "inputs": {name: sum(each.inputs for each in times.of(name)) for name in names},
        "processor_seconds": had,
        "slowest_ms": {row.name: 1000 * row.slowest for row in rows},
        "edges": {row.name: row.edges for row in rows if row.edges is not None},
        "commits": sorted({row.commit for row in rows}),
        "findings": [
            {"target": each.target, "how": each.how, "given": each.given} for each in findings
        ],
        "checks": [each.plain() for each in checks],
    }
    return document, [*fuzz_times.told(rows, names), "", *verdicts(checks)]


def _chosen(known: Sequence[str], asked: Asked) -> list[str]:
    unknown = [each for each in asked.names if each not in known]
    if unknown:
        raise SystemExit(f"there is no target {', '.join(unknown)}; known: {', '.join(known)}")
    own, shares = asked.share
    return list(asked.names or known)[own - 1 :: shares]


def _in_slices(name: str, target: Target, asked: Asked, times: Times) -> Iterator[Tried]:
    """Yield what a target comes to, slice by slice, until it has had its time."""
    engine = _engines(asked)[asked.engine]
    commit = fuzz_times.commit()
    found: set[str] = set()
    while (left := asked.seconds - times.seconds(name)) > 0 and len(found) < MOST_FINDINGS:
        before = sum(each.inputs for each in times.of(name))
        progress(f"{name}: {times.seconds(name):.0f} s, {before:,} inputs")
        tried = engine(name, target, min(SLICE, left), f"{asked.seed} {name} {before}")
        found |= {each.break_ for each in tried.findings}
        yield replace(tried, commit=commit, engine=asked.engine)


def _engines(asked: Asked) -> dict[str, Engine]:
    def by_coverage(name: str, target: Target, seconds: float, chance: str) -> Tried:
        from benchmarks.integrity import following_coverage

        del target  # it is made again in a process of its own
        return following_coverage.tried(name, seconds, chance, asked.keep)

    return {"mutation": by_mutation, "hypothesis": by_hypothesis, "atheris": by_coverage}


def judged(name: str, target: Target, given: str) -> tuple[float, Finding | None]:
    """Return how long a target took for an input, and what it broke, if anything."""
    started = time.process_time()
    broke = None
    try:
        target(given)
    except HelixError:
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        steps = traceback.extract_tb(error.__traceback__)
        ours = [each for each in steps if "helix" in Path(each.filename).parts]
        where = (ours or steps)[-1]
        how = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
        broke = Finding(name, how[:300], given)
    took = time.process_time() - started
    if took > SLOW_SECONDS and broke is None:
        broke = Finding(name, f"took {took:.1f} s", given)
    return took, broke


def by_mutation(name: str, target: Target, seconds: float, chance: str) -> Tried:
    """Try inputs that grow out of seeds, and out of one another."""
    drawn = random.Random(chance)
    grown = pool()
    trying = _Trying(name, seconds)
    while trying.goes_on():
        given = mutated(grown, drawn)
        trying.one(target, given)
        if drawn.random() < 0.02:
            grown.append(given[:500])
            grown = grown[-400:] if len(grown) > 600 else grown
    return trying.came_to()


def by_hypothesis(name: str, target: Target, seconds: float, chance: str) -> Tried:
    """Try what Hypothesis draws, round after round; what breaks is shrunk."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    trying = _Trying(name, seconds)
    texts = st.one_of(
        st.text(max_size=LONGEST),
        st.lists(st.sampled_from(pool()), min_size=1, max_size=6).map("".join),
        st.lists(st.one_of(st.sampled_from(pool()), st.text(max_size=60)), max_size=12).map(
            " ".join
        ),
        st.tuples(st.text(min_size=1, max_size=8), st.integers(1, 600)).map(lambda t: t[0] * t[1]),
    )
    first = random.Random(chance).randrange(2**31)
    rounds = 0
    while trying.goes_on():
        rounds += 1
        broken: list[Finding] = []

        @seeded(first + rounds)
        @settings(
            max_examples=200, database=None, deadline=None, suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        )  # fmt: skip
        @given(texts)
        def one(text: str) -> None:
            if not trying.goes_on():
                return
            took, broke = judged(name, target, text[:LONGEST])
            trying.inputs += 1
            trying.slowest = max(trying.slowest, took)
            if broke:
                broken.append(broke)  # noqa: B023 - as above
                raise AssertionError(broke.how.split(" (")[-1])

        try:
            one()
        except (AssertionError, ExceptionGroup):
            # The last that broke is the smallest.
            trying.findings |= {each.break_: each for each in broken[-1:]}
    return trying.came_to()
