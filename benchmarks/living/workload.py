"""A year of a repository, and what its people ask in it: by week, from a seed.

Four kinds of question, each with the one commit that answers it:

- `repeated`: about a commit that was new once, asked again every other week for two months;
- `changing`: what last changed a file, where the answer moves on with every change;
- `fresh`: about something of last week, asked once;
- `old`: about something older than two months that nobody has asked about, asked once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.recalling.sets import reading
from helix.model.moment import as_moment

WEEK = timedelta(days=7)
WEEKS = 52
KEPT_WORDS = 0.6
"""Share of a subject's words that a question still has: people do not quote."""

SHOWN_FILES = 20
REPEATED, CHANGING, FRESH, OLD = 3, 8, 6, 4
"""Questions of each kind a week; a repeated one comes back four times."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One thing that happened."""

    id: str
    subject: str
    text: str
    when: datetime
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the commit that answers it."""

    kind: str
    text: str
    answer: str


@dataclass
class Week:
    """What happened in a week, and what is asked at its end."""

    end: datetime
    commits: list[Commit] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def weeks_of(path: Path, seed: int) -> list[Week]:
    """Return the busiest year of a history, week by week, with questions."""
    commits = sorted(map(_commit, reading.records(path)), key=lambda each: each.when)
    start = _busiest(commits)
    weeks = [Week(start + (number + 1) * WEEK) for number in range(WEEKS)]
    for commit in commits:
        number = (commit.when - start) // WEEK
        if 0 <= number < WEEKS:
            weeks[number].commits.append(commit)
    _ask(weeks, random.Random(seed))
    return weeks


def _commit(each: reading.Json) -> Commit:
    shown = [f"{change} {path}" for change, path in each["files"][:SHOWN_FILES]]
    text = "\n".join(filter(None, (each["subject"], each["body"][:1500], *shown)))
    files = tuple(path for _, path in each["files"] if path.isprintable())
    return Commit(each["sha"], each["subject"], text, as_moment(each["date"]), files)


def _busiest(commits: Sequence[Commit]) -> datetime:
    best, most, last = commits[0].when, 0, 0
    for first, commit in enumerate(commits):
        while last < len(commits) and commits[last].when < commit.when + WEEKS * WEEK:
            last += 1
        if last - first > most:
            best, most = commit.when, last - first
    return best


def _ask(weeks: list[Week], chance: random.Random) -> None:
    asked: set[str] = set()
    last_change: dict[str, Commit] = {}
    changed_often: dict[str, int] = {}
    for number, week in enumerate(weeks):
        for commit in week.commits:
            for file in commit.files:
                last_change[file] = commit
                changed_often[file] = changed_often.get(file, 0) + 1
        new = [each for each in week.commits if len(each.subject.split()) >= 4]
        chosen = chance.sample(new, min(len(new), REPEATED + FRESH))
        asked |= {each.id for each in chosen}
        week.questions += [_about(each, "fresh", chance) for each in chosen[REPEATED:]]
        for commit in chosen[:REPEATED]:
            question = _about(commit, "repeated", chance)
            for later in range(number, min(WEEKS, number + 9), 2):
                weeks[later].questions.append(question)
        often = sorted(file for file, times in changed_often.items() if times >= 3)
        for file in chance.sample(often, min(len(often), CHANGING)):
            answer = last_change[file].id
            week.questions.append(Question("changing", f"what last changed {file}?", answer))
        old = [
            commit
            for before in weeks[: max(0, number - 9)]
            for commit in before.commits
            if commit.id not in asked and len(commit.subject.split()) >= 4
        ]
        for commit in chance.sample(old, min(len(old), OLD)):
            asked.add(commit.id)
            week.questions.append(_about(commit, "old", chance))


def _about(commit: Commit, kind: str, chance: random.Random) -> Question:
    words = commit.subject.split()
    kept = sorted(chance.sample(range(len(words)), max(3, round(KEPT_WORDS * len(words)))))
    return Question(kind, " ".join(words[place] for place in kept), commit.id)
