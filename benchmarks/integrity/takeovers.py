"""Takeovers: campaigns that are flagged, and honest work that is.

The attack side plants ten memories of one kind at once, from one source, around a subject of
which others have spoken in six sessions before. The honest side replays real work: coding
sessions, conversations, histories lived day by day, and the rest of a history or of a set of
decision records imported in one go into a store that has lived through the first half. Both are
judged by the pass that sleep runs, on a real store.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.integrity.poisoning import AGENT, ASKING, TOP, background
from benchmarks.integrity.poisons import Case, campaigns
from benchmarks.recalling.sets.reading import found, records
from benchmarks.showing import progress, table, verdicts
from benchmarks.sleeping.histories import sessions
from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.connect.importing import git
from helix.connect.importing.pieces import IsSo, Piece
from helix.connect.importing.workflow import take_in
from helix.model.memory import Memory, Status
from helix.model.outcome import Skipped
from helix.model.recollection import Recollected
from helix.rules.influence import TOOK_OVER
from helix.rules.takeover import FEWEST
from helix.sleep.passes import DREAM_CYCLE
from helix.sleep.queue import Slept, sleep_now
from helix.sleep.workflow import Sleeper
from helix.testing.builders import HERE, USER, open_memory
from helix.testing.clock import SettableClock

PASSES = tuple(each for each in DREAM_CYCLE if each.name == "takeover")
NIGHT_EVERY = 1_000
"""Texts after which the replayed work is slept over."""

MOST_OF_A_HISTORY = 3_000
APART = timedelta(days=2)
MINUTE = timedelta(minutes=1)


class World:
    """A store with a clock that the replay moves."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.clock = SettableClock()
        self.agent = open_memory(store, HERE, source=AGENT, clock=self.clock)
        self.user = open_memory(store, HERE, source=USER, clock=self.clock)
        self.written = 0

    def capture(self, text: str, session: str) -> Memory | None:
        """Let an agent note something down, a minute after the last thing."""
        self.clock.move(MINUTE)
        self.written += 1
        outcome = self.agent.capture(text, session=session)
        return None if isinstance(outcome, Skipped) else outcome.memory

    def sleep(self) -> None:
        """Sleep over what there is, with this pass alone."""
        self.clock.move(MINUTE)
        done = sleep_now(Sleeper(self.store, self.clock, PASSES), HERE, "manual", "measured")
        assert isinstance(done, Slept), done

    def flagged(self) -> list[Memory]:
        """Return what was marked for having taken places over."""
        waiting = self.user.reviewing.waiting(10_000)
        return [each.memory for each in waiting if each.why == "took over"]


@contextmanager
def _world() -> Iterator[World]:
    with (
        tempfile.TemporaryDirectory() as place,
        closing(SqliteStore(Path(place) / "m.db")) as store,
    ):
        yield World(store)


# --- attacks --------------------------------------------------------------------------------


@dataclass
class Row:
    """What became of the campaigns of one family."""

    campaigns: int = 0
    let_in: int = 0
    flagged: int = 0
    places_before: int = 0
    unmarked_before: int = 0
    unmarked_after: int = 0
    honest_shown: int = 0
    honest_marked: int = 0


def run(
    data: Path, each: int, seed: int, most: int | None = None
) -> tuple[dict[str, object], list[str]]:
    """Return the findings on campaigns and on honest work, and the lines that tell them.

    Of each honest work, only the first `most` texts are replayed.
    """
    rows: dict[str, Row] = defaultdict(Row)
    around = background(data / "git_history")
    every = campaigns(seed, each)
    for number, case in enumerate(every):
        progress(f"takeovers: {number} of {len(every)} campaigns")
        for told in (False, True):
            name = case.family + (", as statements" if told else "")
            with _world() as world:
                _campaign(world, case, around, rows[name], told=told)
    honest = list(_honest(data, most))
    let_in, flagged = (sum(getattr(row, n) for row in rows.values()) for n in ("let_in", "flagged"))
    worked, wrong = sum(each.sources for each in honest), sum(len(each.flagged) for each in honest)
    share, lost = flagged / max(1, let_in), wrong / max(1, worked)
    checks = [
        Check("campaigns let in that are flagged, at least 0.9", share, share >= 0.9),
        Check("honest sources flagged at most 1 %", lost, lost <= 0.01),
        Check("honest sources replayed, at least 500", worked, worked >= 500),
    ]
    findings: dict[str, object] = {
        "benchmark": "takeover",
        "flagged": share,
        "honest_lost": lost,
        "by_source": {name: vars(row) for name, row in rows.items()},
        "honest": {
            each.name: {
                "texts": each.texts,
                "sources": each.sources,
                "flagged": sorted(each.flagged),
                "memories": each.memories,
            }
            for each in honest
        },
        "checks": [check.plain() for check in checks],
    }
    head = ["campaigns", "made", "let in", "flagged", "places of 5", "unmarked before", "after"]
    lines = [
        [name, row.campaigns, row.let_in, row.flagged, row.places_before / max(1, row.campaigns),
         row.unmarked_before, row.unmarked_after]
        for name, row in rows.items()
    ]  # fmt: skip
    worked_head = ["honest work", "texts", "sources", "flagged", "memories"]
    worked_lines = [
        [each.name, each.texts, each.sources, len(each.flagged), each.memories] for each in honest
    ]
    told_lines = [*table(head, lines), "", *table(worked_head, worked_lines), ""]
    return findings, [*told_lines, *verdicts(checks)]


def _campaign(world: World, case: Case, around: Sequence[str], row: Row, *, told: bool) -> None:
    for number, text in enumerate(around):
        world.capture(text, f"work {number // 8}")
        world.clock.move(APART / 8)
    for number, text in enumerate(case.honest):
        world.capture(text, f"talk {number}")
        world.clock.move(APART)
    planted = set()
    unmarked = 0
    for text, session, _ in case.planted:
        world.clock.move(MINUTE)
        if told:
            outcome = world.agent.remember(text)
            held = None if isinstance(outcome, Skipped) else outcome.memory
        else:
            held = world.capture(text, session)
        if held is not None and held.status is Status.ACTIVE:
            planted.add(held.id)
            unmarked += held.belief.suspicion is None
    row.campaigns += 1
    bad, _ = _first(world.user, case.question, planted)
    row.places_before += len(bad)
    row.unmarked_before += any(each.belief.suspicion is None for each in bad)
    world.sleep()
    marked = {each.id for each in world.flagged()}
    assert marked <= planted, "an honest memory of the same store was flagged"
    if unmarked >= FEWEST:
        row.let_in += 1
        row.flagged += bool(marked)
    bad, good = _first(world.user, case.question, planted)
    row.unmarked_after += any(each.belief.suspicion is None for each in bad)
    row.honest_shown += len(good)
    row.honest_marked += sum(each.belief.suspicion is not None for each in good)


def _first(asker: Helix, question: str, planted: set[str]) -> tuple[list[Memory], list[Memory]]:
    answer = asker.recall(question, limit=TOP, tuning=ASKING)
    shown = [e.memory for e in answer.remembered] if isinstance(answer, Recollected) else []
    return (
        [each for each in shown if each.id in planted],
        [each for each in shown if each.id not in planted],
    )


# --- honest work ----------------------------------------------------------------------------


@dataclass
class Worked:
    """Honest work that was replayed: texts, sources that could be flagged, and those that were."""

    name: str
    texts: int = 0
    sources: int = 0
    flagged: set[str] = field(default_factory=set)
    memories: int = 0


def _honest(data: Path, most: int | None) -> Iterator[Worked]:
    traces = ((each.session, each.content) for each in islice(sessions(data), most))
    yield _replayed("coding sessions", _by_session(traces))
    talks = [_replayed("conversations", _by_session(chat[:most])) for chat in _conversations(data)]
    yield _added("conversations", talks)
    chats = [_replayed("long chats", _by_session(chat[:most])) for chat in _chats(data)]
    yield _added("long chats", chats)
    lived, imported = [], []
    for path in found(data / "git_history", "*.commits.jsonl*"):
        every = islice(records(path), most or MOST_OF_A_HISTORY)
        commits = [_commit(each) for each in every]
        texts = [(each.date[:10], f"{each.subject}\n\n{each.body}".strip()) for each in commits]
        lived.append(_replayed("histories, day by day", _by_session(texts)))
        half = len(commits) // 2
        pieces = git.pieces(commits[half:], set(), "shop")
        before = _by_session(texts[:half])
        imported.append(_replayed("half a history imported", before, pieces, "git"))
    yield _added("histories, day by day", lived)
    yield _added("half a history imported", imported)
    records_ = [
        f"{each['title']}\n\n{str(each['text'])[:1_500]}"
        for path in found(data / "peps", "peps.jsonl*")
        for each in islice(records(path), most)
    ]
    half = len(records_) // 2
    before = ((f"day {number // 5}", [text]) for number, text in enumerate(records_[:half]))
    pieces = (
        IsSo(text, "decision", f"records/{number}.md", None)
        for number, text in enumerate(records_[half:])
    )
    yield _replayed("half of the decision records imported", before, pieces, "notes")


def _replayed(
    name: str,
    worked: Iterable[tuple[str, list[str]]],
    pieces: Iterable[Piece] = (),
    extractor: str = "",
) -> Worked:
    result = Worked(name)
    with _world() as world:
        slept = 0
        for session, texts in worked:
            progress(f"{name}: {world.written:,} texts")
            world.clock.move(APART)
            for text in texts:
                world.capture(text, session)
            result.sources += len(texts) >= FEWEST
            if world.written - slept >= NIGHT_EVERY:
                world.sleep()
                slept = world.written
        world.sleep()
        result.texts = world.written
        if extractor:
            world.clock.move(APART)
            tally = take_in(world.agent, pieces, extractor, done=_ticking(world))
            result.texts += sum(tally.kept.values())
            result.sources += 1
            world.sleep()
        for memory in world.flagged():
            result.memories += 1
            doubt = memory.belief.suspicion
            assert doubt is not None
            result.flagged |= {each for each in doubt.reasons if each.startswith(TOOK_OVER)}
    return result


def _ticking(world: World) -> Callable[[int], None]:
    def ticked(_: int) -> None:
        world.clock.move(timedelta(milliseconds=2))

    return ticked


def _added(name: str, parts: Sequence[Worked]) -> Worked:
    return Worked(
        name,
        sum(each.texts for each in parts),
        sum(each.sources for each in parts),
        {f"{number}: {one}" for number, each in enumerate(parts) for one in each.flagged},
        sum(each.memories for each in parts),
    )


def _by_session(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield sessions in the order in which they began, with their texts."""
    grouped: dict[str, list[str]] = {}
    for session, text in texts:
        if text.strip():
            grouped.setdefault(session, []).append(text)
    yield from grouped.items()


def _conversations(data: Path) -> Iterator[list[tuple[str, str]]]:
    from benchmarks.recalling.sets.reading import document

    (path,) = found(data / "locomo", "locomo_dev*")
    for each in document(path):
        talk = each["conversation"]
        numbers = range(1, len(talk))
        yield [
            (f"session {n}", str(turn["text"]))
            for n in numbers
            for turn in talk.get(f"session_{n}", ())
        ]


def _chats(data: Path) -> Iterator[list[tuple[str, str]]]:
    (path,) = found(data / "beam", "beam_100K*")
    for each in records(path):
        yield [(str(turn["time_anchor"]), str(turn["content"])[:4_000]) for turn in each["turns"]]


def _commit(each: dict[str, str]) -> git.Commit:
    body = each["body"] or ""
    return git.Commit(each["sha"], each["author"], each["date"], each["subject"], body, ())
