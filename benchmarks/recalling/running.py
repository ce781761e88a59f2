"""The loop: fill a store, ask every question of every system, keep a row for each answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.recalling import judging, metrics
from benchmarks.recalling.abstaining import Said
from benchmarks.recalling.baselines import Embed, Plain, remembering
from benchmarks.recalling.helix_system import DEPTH, HelixSystem, embedding
from benchmarks.recalling.judging import Row
from benchmarks.recalling.values import Answer, Asked, Haystack
from benchmarks.showing import progress
from helix.recall.scoring import RANKERS, SIGNALS

BAR = 24


@dataclass(frozen=True, slots=True)
class Way:
    """One way of asking Helix: by a ranker, without some signals."""

    ranker: str = RANKERS[0]
    switched_off: frozenset[str] = frozenset()
    depth: int = DEPTH


@dataclass(slots=True)
class Asking:
    """Everything that was found out. Rows of all systems stand in the order of asking."""

    embedder: str = "none"
    depth: int = DEPTH
    rows: list[Row] = field(default_factory=list)
    plain: dict[str, list[Row]] = field(default_factory=dict)
    ablated: dict[str, list[Row]] = field(default_factory=dict)
    ranked: dict[str, list[Row]] = field(default_factory=dict)
    asides: dict[str, list[float]] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)
    notes: int = 0
    haystacks: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    def spend(self, step: str, since: float) -> float:
        """Add to what a step took; returns the present moment."""
        now = time.perf_counter()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - since
        return now


def run(
    haystacks: Sequence[Haystack],
    *,
    ranker: str | None = None,
    embedder: str | None = None,
    ablations: bool = True,
    depth: int = DEPTH,
) -> Asking:
    """Ask every question of every haystack, of Helix and of plain search."""
    name, embed = embedding(embedder)
    asking = Asking(embedder=name, haystacks=len(haystacks), depth=depth)
    total = sum(len(each.questions) for each in haystacks)
    remembered = remembering(embed) if embed is not None else None
    with TemporaryDirectory(prefix="helix-recall-") as folder:
        for number, haystack in enumerate(haystacks):
            room = Path(folder) / str(number)
            room.mkdir()
            _ask_plain(haystack, remembered, asking)
            with HelixSystem(haystack, room, embedder) as helix:
                main = Way(ranker or RANKERS[0], depth=depth)
                ways = _Ways(main, ablations=ablations)
                _ask_helix(haystack, helix, ways, asking, total)
    return asking


class _Ways:
    """The chosen way of asking, and those it is compared with."""

    def __init__(self, main: Way, *, ablations: bool) -> None:
        self.main = main
        self.ablated: dict[str, Way] = {}
        self.ranked: dict[str, Way] = {}
        if ablations:
            self.ablated = {each: replace(main, switched_off=frozenset({each})) for each in SIGNALS}
            self.ranked = {each: replace(main, ranker=each) for each in RANKERS}
            del self.ranked[main.ranker]


def _ask_plain(haystack: Haystack, embed: Embed | None, asking: Asking) -> None:
    started = time.perf_counter()
    systems = {"plain_bm25": Plain(haystack)}
    if embed is not None:
        systems["plain_dense"] = Plain(haystack, embed)
    started = asking.spend("plain indexing", started)
    session_of = haystack.session_of
    for question in haystack.questions:
        if not question.answerable or question.aside:
            continue
        for name, system in systems.items():
            answer, sessions = system.notes(question), system.sessions(question)
            row = judging.row(question, answer, session_of, sessions)
            asking.plain.setdefault(name, []).append(row)
            if sessions is not None:
                by_note = judging.row(question, answer, session_of)
                asking.plain.setdefault(f"{name} by best note", []).append(by_note)
    asking.spend("plain asking", started)


def _ask_helix(
    haystack: Haystack, helix: HelixSystem, ways: _Ways, asking: Asking, total: int
) -> None:
    started = time.perf_counter()
    helix.fill(_filling(haystack, asking))
    asking.notes += len(haystack.notes)
    started = asking.spend("filling", started)
    _asked(helix, haystack.questions[0], ways.main)  # warm-up
    for question in haystack.questions:
        answer = _asked(helix, question, ways.main)
        asking.recalls.append(answer.seconds)
        progress(_bar(len(asking.recalls), total))
        if question.aside:
            first = metrics.hit_at(answer.ranked, question.gold, 1)
            asking.asides.setdefault(question.aside, []).append(first)
            continue
        asking.said.append(_said(question, answer))
        if question.answerable:
            asking.rows.append(_row(question, answer, haystack, helix, ways.main))
            _compare(question, haystack, helix, ways, asking)
    asking.spend("asking", started)


def _compare(
    question: Asked, haystack: Haystack, helix: HelixSystem, ways: _Ways, asking: Asking
) -> None:
    for gathered, others in ((asking.ablated, ways.ablated), (asking.ranked, ways.ranked)):
        for name, way in others.items():
            answer = _asked(helix, question, way)
            row = _row(question, answer, haystack, helix, way)
            gathered.setdefault(name, []).append(row)


def _row(question: Asked, answer: Answer, haystack: Haystack, helix: HelixSystem, way: Way) -> Row:
    session_of = haystack.session_of
    if not haystack.by_session:
        return judging.row(question, answer, session_of)
    # Sessions are asked for as such, as they are of plain search.
    sessions = helix.sessions(question, session_of, way.switched_off, way.ranker, way.depth)
    return judging.row(question, answer, session_of, sessions)


def _asked(helix: HelixSystem, question: Asked, way: Way) -> Answer:
    return helix.ask(question, way.switched_off, way.ranker, way.depth)


def _said(question: Asked, answer: Answer) -> Said:
    sure = answer.confidence if answer.confidence is not None else 1.0
    return Said(question.answerable, answer.abstained, sure)


def _filling(haystack: Haystack, asking: Asking) -> Callable[[int], None]:
    def tell(written: int) -> None:
        if written % 100 == 0:
            progress(f"{haystack.name}: {written:,} of {len(haystack.notes):,} notes kept")

    return tell


def _bar(done: int, total: int) -> str:
    full = BAR * done // max(total, 1)
    return f"[{'#' * full}{'.' * (BAR - full)}] {done:,} of {total:,} questions"
