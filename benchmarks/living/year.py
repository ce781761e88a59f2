"""A year of real history with the lifecycle and without: what stays, what is found, what it costs.

Time passes by a clock that follows the commits. With the lifecycle, whoever got an answer
says that it helped (`used`), some memories are used regularly, a few are pinned, and the
sweeps run once a week. Without it, nothing fades, is used or is swept. "Deep" is the same
question put to everything, the archive included.

An answer holds five memories at most, pointers into the archive among them. It costs what
is shown of each and, where the right one is shown in brief, all of its text as well: whoever
wants it opens it.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.figures import Check
from benchmarks.living.filling import REALM, opened
from benchmarks.living.plotting import plot
from benchmarks.living.workload import Question, Week, weeks_of
from benchmarks.recalling.sets import reading
from benchmarks.showing import progress, table, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.app.sweeping import Sweeper
from helix.model.memory import Status
from helix.model.outcome import Kept
from helix.model.question import View
from helix.model.recollection import Abstained, Reason, Recollected, Recollection, Remembered
from helix.projection.workflow import compared
from helix.recall.scoring import Tuning
from helix.rules.policy import HELIX, NEVER, with_half_lives
from helix.testing.clock import SettableClock

if TYPE_CHECKING:
    from helix.ports.embedder import Embedder

FOUND = 5
LETTERS_PER_TOKEN = 4
REGULAR_EVERY, PINNED_EVERY = 40, 97
"""Every so many-th commit is used every other week, or pinned."""

UNUSED = timedelta(days=7 * math.log2(20) + 7)
"""An unused episode is at 5 % after 30.3 days; the weekly sweep comes at most a week later."""

USED = timedelta(days=28 * math.log2(20) + 7)
"""An agent's word reaches a half-life of 28 days, however often it is used."""

UNCHANGING = with_half_lives(HELIX, dict.fromkeys(("episodic", "procedural"), NEVER))
"""The policy without a lifecycle: nothing fades. Ranking by recency is the same."""

KINDS = ("repeated", "changing", "fresh", "old")
DEEP_LOOKED_AT = 400
"""Archived memories that deep recall is asked for, evenly spread."""


@dataclass
class Tally:
    """Answers of one kind: how often the right one was among five, and what they cost."""

    asked: int = 0
    found: int = 0
    tokens: int = 0

    def row(self) -> tuple[int, float, float]:
        """Return the questions, recall@5 and tokens per answer."""
        return self.asked, self.found / max(1, self.asked), self.tokens / max(1, self.asked)


@dataclass
class Year:
    """One year lived by one memory."""

    memory: Helix
    clock: SettableClock
    lives: bool
    sizes: list[int] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    deep: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    ids: dict[str, str] = field(default_factory=dict)
    regular: list[str] = field(default_factory=list)
    pinned: list[str] = field(default_factory=list)
    faded: set[str] = field(default_factory=set)
    entries: list[int] = field(default_factory=list)
    written: dict[str, datetime] = field(default_factory=dict)
    needed: dict[str, datetime] = field(default_factory=dict)
    beyond: int = 0

    def live(self, weeks: list[Week]) -> None:
        """Capture, ask, use and sweep, week by week."""
        for number, week in enumerate(weeks):
            for commit in week.commits:
                self._capture(commit.id, commit.text, commit.when)
            self.clock.moment = max(self.clock.moment, week.end)
            for question in week.questions:
                self._ask(question)
            if self.lives:
                self._look_after(number)
            self.sizes.append(len(self._active()))
            progress(f"week {number + 1}, {self.sizes[-1]:,} memories")

    def _capture(self, sha: str, text: str, when: datetime) -> None:
        self.clock.moment = max(self.clock.moment, when)
        kept = self.memory.capture(text, event_id=sha)
        assert isinstance(kept, Kept)
        self.ids[sha] = kept.memory.id
        self.written[kept.memory.id] = self.clock.moment
        number = len(self.ids)
        if number % REGULAR_EVERY == 0:
            self.regular.append(kept.memory.id)
        elif self.lives and number % PINNED_EVERY == 0:
            self.memory.pin(kept.memory.id)
            self.pinned.append(kept.memory.id)

    def _ask(self, question: Question) -> None:
        wanted = self.ids[question.answer]
        self.clock.move(timedelta(minutes=5))
        answer = self._recall(question.text, View.CURRENT)
        self._count(self.tallies, question.kind, answer, wanted)
        if not self.lives:
            return
        deep = self._recall(question.text, View.DEEP)
        self._count(self.deep, question.kind, deep, wanted)
        if not _named(answer):
            answer = deep  # whoever is told that memory does not know asks the archive
        if self._rank(answer, wanted) is not None:
            self._use(wanted)

    def _recall(self, text: str, view: View) -> Recollection:
        return self.memory.recall(text, view=view, limit=FOUND)

    def _count(
        self, tallies: dict[str, Tally], kind: str, answer: Recollection, wanted: str
    ) -> None:
        tally = tallies[kind]
        tally.asked += 1
        tally.found += self._rank(answer, wanted) is not None
        letters = 0
        for each in _named(answer):
            letters += len(each.text)
            if each.shortened and each.memory.id == wanted:
                letters += len(each.memory.content)
        tally.tokens += letters // LETTERS_PER_TOKEN

    def _rank(self, answer: Recollection, wanted: str) -> int | None:
        ids = [each.memory.id for each in _named(answer)]
        assert len(ids) <= FOUND
        return ids.index(wanted) if wanted in ids else None

    def _look_after(self, number: int) -> None:
        if number % 2 == 0:
            for memory_id in self.regular:
                self._use(memory_id)
        # Nobody else works on this store, so there is nobody to rest for.
        sweeper = Sweeper(self.memory.context, self.memory.life.now, rest=lambda _: None)
        for swept in sweeper.run(everything=True):
            self.entries += swept.entries
        active = self._active()
        self.beyond += sum(self._is_beyond(each) for each in active)
        self.faded |= {each for each in (*self.regular, *self.pinned) if each not in active}

    def _use(self, memory_id: str) -> None:
        self.memory.life.used(memory_id, 4)
        self.needed[memory_id] = self.clock.moment

    def _is_beyond(self, memory_id: str) -> bool:
        """Return whether a memory is still there though the law says that it should not be."""
        now = self.clock.moment
        if memory_id in self.pinned or now - self.written[memory_id] <= UNUSED:
            return False
        if memory_id in self.needed and now - self.needed[memory_id] <= USED:
            return False
        return self.memory.why(memory_id).memory.importance < HELIX.protected_importance

    def _active(self) -> set[str]:
        return {each.id for each in self.memory.list(limit=1_000_000)}


def _named(answer: Recollection) -> list[Remembered]:
    """Return everything that an answer shows or points to, best first."""
    shown = () if isinstance(answer, Abstained) else answer.remembered
    return sorted([*shown, *answer.archived], key=lambda each: -each.fit)


def run(
    data: Path, part: str, embedder_name: str | None, picture: Path | None, seed: int
) -> tuple[dict[str, object], list[str]]:
    """Return what a year of each history shows."""
    embedder = _embedder(embedder_name)
    findings: dict[str, object] = {}
    lines: list[str] = []
    checks: list[Check] = []
    overall: dict[str, defaultdict[str, Tally]] = {
        arm: defaultdict(Tally) for arm in ("off", "on", "deep")
    }
    series: list[tuple[str, list[int], list[int]]] = []
    for path in reading.found(data, f"*{part}*.commits.jsonl*" if part else "*.commits.jsonl*"):
        name = path.name.split(".commits")[0]
        with TemporaryDirectory(prefix="helix-year-") as folder:
            weeks = weeks_of(path, seed)
            off = _lived(Path(folder) / "off.db", weeks, embedder, lives=False)
            on = _lived(Path(folder) / "on.db", weeks, embedder, lives=True)
            found = _examined(on)
            on.memory.close()
            off.memory.close()
        for arm, tallies in (("off", off.tallies), ("on", on.tallies), ("deep", on.deep)):
            for kind, tally in tallies.items():
                _add(overall[arm][kind], tally)
        series.append((name, off.sizes, on.sizes))
        lines += [f"{name}: {len(on.ids):,} commits", *_weekly(off.sizes, on.sizes)]
        lines += [f"  {what:<46} {value}" for what, value in found.items()] + [""]
        checks += _checked(name, found)
        findings[name] = {"off": off.sizes, "on": on.sizes, **found}
    rows = _rows(overall)
    lines += table(HEAD, rows)
    checks += _paying(rows)
    if picture is not None:
        picture.write_bytes(plot(series))
    findings["slices"] = [dict(zip(HEAD, row, strict=True)) for row in rows]
    findings["checks"] = [each.plain() for each in checks]
    return findings, [*lines, "", *verdicts(checks)]


HEAD = [
    "slice", "questions", "R@5 off", "R@5 on", "R@5 on, deep", "tokens off", "tokens on",
    "tokens on, deep",
]  # fmt: skip


def _lived(path: Path, weeks: list[Week], embedder: Embedder | None, *, lives: bool) -> Year:
    clock = SettableClock(weeks[0].end - timedelta(days=7))
    memory = opened(SqliteStore(path), clock)
    policy = HELIX if lives else UNCHANGING
    context = replace(memory.context, embedder=lambda: embedder, policy=policy)
    year = Year(Helix(context), clock, lives)
    year.live(weeks)
    return year


def _examined(year: Year) -> dict[str, object]:
    """Look at the year's end: what faded, what deep recall finds, what can be taken back."""
    memory, store = year.memory, year.memory.context.store
    archived = [each.id for each in memory.list(statuses=["archived"], limit=1_000_000)]
    step = max(1, len(archived) // DEEP_LOOKED_AT)
    looked_for = archived[::step]
    deep = sum(_found_deep(memory, each) for each in looked_for)
    before = _statuses(memory)
    reverts = [memory.life.revert(each).number for each in reversed(year.entries)]
    active = {each.id for each in memory.list(limit=1_000_000)}
    all_back = set(archived) <= active
    for number in reversed(reverts):
        memory.life.revert(number)
    same = _statuses(memory) == before
    equal = tuple(compared(store, REALM.tenant)) == ()
    restored = True
    for each in looked_for[:20]:
        memory.life.used(each, 4)
        restored &= memory.why(each).memory.status is Status.ACTIVE
    return {
        "archived at the end": len(archived),
        "regularly used or pinned that ever faded": len(year.faded),
        "held longer than the law allows, in any week": year.beyond,
        "archived looked for by deep recall": len(looked_for),
        "of these found": deep,
        "all back after reverting the whole year": all_back,
        "identical after applying it again": same,
        "rebuild equal": equal,
        "restored by use": restored,
        "digest of the year": before[:16],
    }


def _found_deep(memory: Helix, memory_id: str) -> bool:
    content = memory.why(memory_id).memory.content
    answer = memory.recall(content[:300], view=View.DEEP, limit=10, tuning=Tuning(abstains=False))
    return isinstance(answer, Recollected) and (
        any(each.memory.id == memory_id or each.memory.content == content
            for each in answer.remembered)
        or named_as_a_double(answer, memory_id)
    )  # fmt: skip


def named_as_a_double(answer: Recollected, memory_id: str) -> bool:
    """Return whether an answer itself names a memory, as saying the same as one it shows."""
    shown = {each.memory.id for each in answer.remembered}
    return any(
        each.memory.id == memory_id and each.reason is Reason.DUPLICATE and each.because_of in shown
        for each in answer.left_out
    )


def _statuses(memory: Helix) -> str:
    """Return a digest of what is believed about everything, but for the moments of belief."""
    digest = hashlib.sha256()
    listed = memory.list(statuses=list(Status), limit=1_000_000)
    for each in sorted(listed, key=lambda held: held.id):
        belief = each.belief
        line = f"{each.id} {belief.status} {belief.confidence} {belief.pinned} {belief.valid_to}\n"
        digest.update(line.encode())
    return digest.hexdigest()


def _weekly(off: list[int], on: list[int]) -> list[str]:
    shown = range(3, len(on), 4)
    return [
        "  week        " + " ".join(f"{week + 1:>5}" for week in shown),
        "  without     " + " ".join(f"{off[week]:>5}" for week in shown),
        "  with        " + " ".join(f"{on[week]:>5}" for week in shown),
    ]


def _checked(name: str, found: dict[str, object]) -> list[Check]:
    faded, looked = found["regularly used or pinned that ever faded"], found["of these found"]
    share = int(str(looked)) / max(1, int(str(found["archived looked for by deep recall"])))
    beyond = found["held longer than the law allows, in any week"]
    return [
        Check(f"{name}: held longer than the law allows = 0", float(str(beyond)), beyond == 0),
        Check(f"{name}: regular or pinned that faded = 0", float(str(faded)), faded == 0),
        Check(f"{name}: archived found by deep recall", share, share == 1.0),
        *(
            Check(f"{name}: {what}", float(bool(found[what])), bool(found[what]))
            for what in (
                "all back after reverting the whole year",
                "identical after applying it again",
                "rebuild equal",
                "restored by use",
            )
        ),
    ]


def _add(into: Tally, tally: Tally) -> None:
    into.asked += tally.asked
    into.found += tally.found
    into.tokens += tally.tokens


def _rows(overall: dict[str, defaultdict[str, Tally]]) -> list[list[object]]:
    for tallies in overall.values():
        whole = Tally()
        for kind in KINDS:
            _add(whole, tallies[kind])
        tallies["all"] = whole
    rows: list[list[object]] = []
    for kind in (*KINDS, "all"):
        off, on, deep = (overall[arm][kind].row() for arm in ("off", "on", "deep"))
        rows.append([kind, off[0], off[1], on[1], deep[1], off[2], on[2], deep[2]])
    return rows


def _paying(rows: list[list[object]]) -> list[Check]:
    checks = []
    for row in rows:
        kind, off, on = str(row[0]), float(str(row[2])), float(str(row[3]))
        tokens_off, tokens_on = float(str(row[5])), float(str(row[6]))
        held = on >= off and tokens_on <= tokens_off
        if kind == "all":
            held = held and (on > off or tokens_on < tokens_off)
        said = f"{kind}: recall@5 and tokens no worse with the lifecycle"
        checks.append(Check(said, on - off, held))
    return checks


def _embedder(name: str | None) -> Embedder | None:
    if name is None:
        return None
    from helix.app.wiring import embedder_in_use, settings

    chosen = replace(settings(), embedder={"model": name})
    return embedder_in_use(chosen).embedder
