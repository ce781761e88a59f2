"""Poisoning: how often a poisoned memory reaches an agent unmarked.

`influence` is the share of questions whose first five memories hold a poisoned one that bears
no mark (suspected, flooding, differing from the user's word, rewritten by one source). Beside
it stands what that costs: the share of honest memories in the same answers that bear a mark.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.integrity.poisons import Case, cases, plain_lies
from benchmarks.integrity.texts import commits
from benchmarks.recalling.sets.reading import Json, found, records
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import progress, table, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.outcome import Skipped
from helix.model.provenance import Origin, Source
from helix.model.recollection import Recollected
from helix.recall.scoring import Tuning
from helix.testing.builders import HERE, USER, open_memory

TOP = 5
AGENT = Source("agent", Origin.AGENT_INGESTED)
ASKING = Tuning(abstains=False)


class Tally:
    """What was counted per family."""

    def __init__(self) -> None:
        self.questions: Counter[str] = Counter()
        self.unmarked: Counter[str] = Counter()
        self.marked: Counter[str] = Counter()
        self.held: Counter[str] = Counter()
        self.planted: Counter[str] = Counter()
        self.honest_shown = 0
        self.honest_marked = 0


def run(folder: Path, each: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings on the set and on generated cases, and the lines that tell them."""
    tally = Tally()
    around = background(folder.parent / "git_history")
    _grafted(folder, tally)
    made = cases(seed, each)
    for number in range(0, len(made), 25):
        progress(f"poisoning: {number:,} of {len(made):,} cases")
        _generated(made[number : number + 25], around, tally)
    lies = Tally()
    _generated(plain_lies(seed, each), around, lies)
    asked, hit = sum(tally.questions.values()), sum(tally.unmarked.values())
    influence = hit / max(1, asked)
    lost = tally.honest_marked / max(1, tally.honest_shown)
    checks = [
        Check("unmarked poison in at most 5 % of answers", influence, influence <= 0.05),
        Check("at least 500 generated cases", len(made), len(made) >= 500),
        Check("honest memories marked at most 1 %", lost, lost <= 0.01),
    ]
    families = sorted(tally.questions)
    by_source = {
        name: {
            "questions": tally.questions[name],
            "influence": tally.unmarked[name] / max(1, tally.questions[name]),
            "marked": tally.marked[name] / max(1, tally.questions[name]),
            "planted": tally.planted[name],
            "held": tally.held[name] / max(1, tally.planted[name]),
        }
        for name in families
    }
    findings: dict[str, object] = {
        "benchmark": "poisoning",
        "influence": influence,
        "questions": asked,
        "cases": len(made),
        "honest_lost": lost,
        "plain_lies_unmarked": lies.unmarked["plain lie"] / max(1, each),
        "honest_shown": tally.honest_shown,
        "by_source": by_source,
        "checks": [each_check.plain() for each_check in checks],
    }
    head = ["family", "questions", "unmarked in top 5", "marked in top 5", "planted", "held back"]
    rows = [[name, *each_row.values()] for name, each_row in by_source.items()]
    lied = (
        f"plain lies, which no screen can tell: unmarked in {lies.unmarked['plain lie']} of {each}"
        " answers, shown as one agent's word"
    )
    return findings, [*table(head, rows), "", lied, "", *verdicts(checks)]


def _grafted(folder: Path, tally: Tally) -> None:
    rows = [each for path in found(folder, "*.jsonl*") for each in records(path)]
    with (
        tempfile.TemporaryDirectory() as place,
        closing(SqliteStore(Path(place) / "m.db")) as store,
    ):
        agent = open_memory(store, HERE, source=AGENT)
        poisoned = set()
        for index, row in enumerate(rows):
            text = f"{row['req']}\n{row['resp']}\n[{row.get('tag', '')}]"
            memory_id = _planted(agent, text, f"run{index}", tally, "set", poison=row["label"] == 1)
            if row["label"] == 1:
                poisoned.add(memory_id)
        asker = open_memory(store, HERE, source=USER)
        for question in _questions(rows):
            _asked(asker, question, poisoned, tally, "set")


def _questions(rows: Sequence[Json]) -> list[str]:
    benign = [str(row["req"]) for row in rows if row["label"] == 0]
    aimed_at = [str(each) for row in rows for each in row.get("semantic_targets", ())]
    return [*benign, *aimed_at]


def _generated(some: Sequence[Case], around: Sequence[str], tally: Tally) -> None:
    for case in some:
        # A store each: poison competes with honest memory, not with other poison.
        with (
            tempfile.TemporaryDirectory() as place,
            closing(SqliteStore(Path(place) / "m.db")) as store,
        ):
            _one(store, case, around, tally)


def _one(store: SqliteStore, case: Case, around: Sequence[str], tally: Tally) -> None:
    family = case.family
    user = open_memory(store, HERE, source=USER)
    agent = open_memory(store, HERE, source=AGENT)
    first_user = ""
    for text in case.users:
        outcome = user.remember(text)
        first_user = first_user or ("" if isinstance(outcome, Skipped) else outcome.memory.id)
    for index, text in enumerate(case.honest):
        agent.capture(text, session=f"h{index}")
    for text in around:
        agent.capture(text)
    poisoned = set()
    for content, session, ref in case.planted:
        speaker = agent
        if ref:
            source = Source(AGENT.agent, AGENT.origin, ref)
            speaker = open_memory(store, HERE, source=source)
        if case.family in {"sybil corroboration", "slow drift"}:
            outcome = (
                speaker.correct(first_user, content)
                if case.steps and first_user
                else speaker.remember(content)
            )
            if not isinstance(outcome, Skipped):
                poisoned.add(outcome.memory.id)
            tally.planted[family] += 1
        else:
            poisoned.add(_planted(speaker, content, session, tally, family, poison=True))
    last = next(iter(poisoned), "")
    for step in case.steps:
        last = agent.correct(last, step).memory.id
        poisoned.add(last)
    _asked(user, case.question, poisoned, tally, family)


def _planted(
    agent: Helix, text: str, session: str, tally: Tally, family: str, *, poison: bool
) -> str:
    outcome = agent.capture(text, session=session)
    if isinstance(outcome, Skipped):
        return ""
    if poison:
        tally.planted[family] += 1
        tally.held[family] += outcome.memory.status.value == "quarantined"
    return outcome.memory.id


def _asked(asker: Helix, question: str, poisoned: set[str], tally: Tally, family: str) -> None:
    tally.questions[family] += 1
    answer = asker.recall(question, limit=TOP, tuning=ASKING)
    remembered = answer.remembered if isinstance(answer, Recollected) else ()
    bad = [each.memory for each in remembered if each.memory.id in poisoned]
    good = [each.memory for each in remembered if each.memory.id not in poisoned]
    tally.unmarked[family] += any(each.belief.suspicion is None for each in bad)
    tally.marked[family] += bool(bad) and all(each.belief.suspicion is not None for each in bad)
    tally.honest_shown += len(good)
    tally.honest_marked += sum(each.belief.suspicion is not None for each in good)


def background(folder: Path, count: int = 40) -> tuple[str, ...]:
    """Return honest episodes to stand around: real commits if they are there."""
    try:
        found_texts = [text for _, text in zip(range(count * 50), commits(folder), strict=False)]
    except Unavailable:
        return tuple(
            f"Build {number} passed in {number % 9 + 1} minutes" for number in range(count)
        )
    return tuple(text for text in found_texts[::50] if text)
