"""Facts that change: eight of them, six versions each, over forty-eight sessions.

Generated from a seed; nothing is read. Each session brings one fact up to date, by
`remember` the first time and by `correct` afterwards, among episodes that speak of the
same things without giving a value. Two facts return to an earlier value, once in the same
words and once in others. Questions are asked when all is told:

- `current` (80): what is so now; the values that no longer hold are stale;
- `as of` (40): what was so on a day, with the day given as a moment.

The latter are asked once more with the day in the words only, and reported aside.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.recalling.values import Asked, Haystack, Note

VERSIONS = 6
SESSIONS = 48
CURRENT_PER_FACT = 10
AS_OF_PER_FACT = 5
EPISODES_PER_SESSION = 4
START = datetime(2025, 1, 6, 9, tzinfo=UTC)
BETWEEN_SESSIONS = timedelta(days=3)
IN_WORDS = "as_of_in_words@1"


@dataclass(frozen=True, slots=True)
class Fact:
    """A thing that changes: what it is called, how it is put, its values, its questions."""

    subject: str
    statements: tuple[str, str, str]
    values: tuple[str, ...]
    questions: tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Version:
    """A value that a fact had from a moment on."""

    note: str
    value: str
    since: datetime


FACTS = (
    Fact(
        "the staging database",
        (
            "The staging database listens on port {value}",
            "Staging's database is reached at port {value}",
            "Port {value} belongs to the database on staging",
        ),
        ("5432", "5433", "6543", "5440", "15432", "5999"),
        (
            "which port does the staging database listen on?",
            "what port is the database on staging?",
            "how do I reach the staging database, which port?",
            "the port of the staging database",
            "on staging, what is the database's port number?",
        ),
    ),
    Fact(
        "the production database",
        (
            "The production database listens on port {value}",
            "Production's database is reached at port {value}",
            "Port {value} belongs to the database in production",
        ),
        ("7432", "7433", "8543", "7440", "17432", "7999"),
        (
            "which port does the production database listen on?",
            "what port is the database in production?",
            "how do I reach the production database, which port?",
            "the port of the production database",
            "in production, what is the database's port number?",
        ),
    ),
    Fact(
        "the web app's dependencies",
        (
            "The web app installs its packages with {value}",
            "{value} is the package manager of the web app",
            "For packages of the web app we use {value}",
        ),
        ("npm", "yarn", "pnpm", "bun", "cnpm", "deno"),
        (
            "which package manager does the web app use?",
            "what do we install the web app's packages with?",
            "package manager of the web app",
            "how are packages installed in the web app?",
            "for the web app, which package manager is it?",
        ),
    ),
    Fact(
        "the API's tests",
        (
            "The API's tests run under {value}",
            "{value} is the test runner of the API",
            "To test the API we run {value}",
        ),
        ("unittest", "nose2", "pytest", "ward", "behave", "tox"),
        (
            "which test runner does the API use?",
            "what do the API's tests run under?",
            "test runner of the API",
            "how do I run the tests of the API?",
            "for the API, which test runner is it?",
        ),
    ),
    Fact(
        "the production cluster",
        (
            "The production cluster runs in the region {value}",
            "{value} is the region of the production cluster",
            "Production is deployed to the region {value}",
        ),
        ("eu-west-1", "eu-central-1", "us-east-2", "eu-north-1", "us-west-2", "eu-south-1"),
        (
            "in which region does the production cluster run?",
            "what region is production deployed to?",
            "region of the production cluster",
            "where is the production cluster deployed, which region?",
            "for production, which region is it?",
        ),
    ),
    Fact(
        "the staging cluster",
        (
            "The staging cluster runs in the region {value}",
            "{value} is the region of the staging cluster",
            "Staging is deployed to the region {value}",
        ),
        ("ap-south-1", "ap-east-1", "sa-east-1", "ca-west-1", "me-south-1", "af-south-1"),
        (
            "in which region does the staging cluster run?",
            "what region is staging deployed to?",
            "region of the staging cluster",
            "where is the staging cluster deployed, which region?",
            "for staging, which region is it?",
        ),
    ),
    Fact(
        "the billing service",
        (
            "The billing service is owned by {value}",
            "{value} owns the billing service",
            "Questions about the billing service go to its owner {value}",
        ),
        ("Amara", "Bruno", "Chiara", "Dmitri", "Edith", "Farouk"),
        (
            "who owns the billing service?",
            "who is the owner of the billing service?",
            "owner of the billing service",
            "whom do I ask about the billing service, who owns it?",
            "for the billing service, who is the owner?",
        ),
    ),
    Fact(
        "the search service",
        (
            "The search service is owned by {value}",
            "{value} owns the search service",
            "Questions about the search service go to its owner {value}",
        ),
        ("Greta", "Hideo", "Ines", "Jonas", "Keiko", "Lorenzo"),
        (
            "who owns the search service?",
            "who is the owner of the search service?",
            "owner of the search service",
            "whom do I ask about the search service, who owns it?",
            "for the search service, who is the owner?",
        ),
    ),
)

RETURNING = {2: (3, 0), 6: (4, 2)}
"""Facts that return: at which version, to the value of which. Statements rotate by three,
so the first comes back in the same words and the second in others."""

NOW_FRAMES = ("{question}", "right now, {question}")

CHATTER = (
    "Looked at {subject} because of an alert; it had cleared by itself",
    "Wrote a page about {subject} for the handbook",
    "A flaky check around {subject} was run again and passed",
    "Reviewed a change near {subject}; two comments, nothing serious",
    "The dashboard for {subject} got a new colour",
    "Cleaned up old logs of {subject}, about {number} MB",
    "Talked about the budget of {subject} for the next quarter",
    "Someone asked for access to {subject}; sent them to the form",
    "Upgraded a dependency used by {subject} to {number}.{minor}",
    "Measured {subject}: {number} ms at the median, no change",
)


def load(folder: Path | None, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack; the folder is not looked at."""
    chance = random.Random(seed)
    notes: list[Note] = []
    versions: list[list[Version]] = [[] for _ in FACTS]
    for session, number in enumerate(_order(chance)):
        begins = START + session * BETWEEN_SESSIONS
        name = f"session {session + 1}"
        notes += _chatter(name, begins, chance)
        told = begins + timedelta(hours=2)
        notes.append(_told(number, versions[number], name, told))
        versions[number].append(Version(notes[-1].id, _value(number, len(versions[number])), told))
    end = START + SESSIONS * BETWEEN_SESSIONS
    asked = [*_current(versions, end), *_as_of(versions, end, chance)]
    return [Haystack("changes", tuple(notes), tuple(asked))]


def _order(chance: random.Random) -> Iterator[int]:
    """Yield which fact each session is about: all eight in every round, in any order."""
    for _ in range(VERSIONS):
        yield from chance.sample(range(len(FACTS)), len(FACTS))


def _value(number: int, version: int) -> str:
    at, back_to = RETURNING.get(number, (None, 0))
    return FACTS[number].values[back_to if version == at else version]


def _told(number: int, before: Sequence[Version], session: str, when: datetime) -> Note:
    fact, version = FACTS[number], len(before)
    # Which wording holds in the end differs from fact to fact: none is easier to find.
    statement = fact.statements[(number + version) % len(fact.statements)]
    return Note(
        id=f"fact {number + 1}, version {version + 1}",
        text=statement.format(value=_value(number, version)),
        session=session,
        when=when,
        type="fact",
        supersedes=(before[-1].note,) if before else (),
    )


def _chatter(session: str, begins: datetime, chance: random.Random) -> Iterator[Note]:
    for place, form in enumerate(chance.sample(CHATTER, EPISODES_PER_SESSION)):
        text = form.format(
            subject=chance.choice(FACTS).subject,
            number=chance.randrange(20, 900),
            minor=chance.randrange(10),
        )
        when = begins + timedelta(minutes=10 * place)
        yield Note(f"{session}, episode {place + 1}", text, session, when)


def _current(versions: Sequence[Sequence[Version]], end: datetime) -> Iterator[Asked]:
    for fact, history in zip(FACTS, versions, strict=True):
        gold, stale = _told_apart(history, history[-1].value)
        for frame in NOW_FRAMES:
            for question in fact.questions:
                text = frame.format(question=question)
                yield Asked(text, gold, "current", asked_at=end, stale=stale)


def _as_of(
    versions: Sequence[Sequence[Version]], end: datetime, chance: random.Random
) -> Iterator[Asked]:
    for fact, history in zip(FACTS, versions, strict=True):
        for place, question in enumerate(fact.questions):
            version, following = history[place], history[place + 1]
            days = (following.since - version.since).days
            day = (version.since + timedelta(days=chance.randrange(1, days))).replace(hour=12)
            gold, stale = _told_apart(history, version.value)
            text = f"{question} on {day.day} {day:%B %Y}"
            yield Asked(text, gold, "as of", asked_at=end, stale=stale, as_of=day)
            yield Asked(text, gold, asked_at=end, aside=IN_WORDS)


def _told_apart(history: Sequence[Version], value: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the notes that give this value, and those that give another."""
    gold = frozenset(version.note for version in history if version.value == value)
    return gold, frozenset(version.note for version in history) - gold
