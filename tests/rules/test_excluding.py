"""Which statements exclude each other, and which only look as if they did."""

from __future__ import annotations

import pytest

from helix.rules.relations import Relation, relation, replaces

APART = [
    # Another subject.
    ("The API listens on port 8080", "The admin panel listens on port 9090"),
    ("The upload cache is enabled", "The download cache is disabled"),
    ("Priya owns the billing module", "Priya owns the search module"),
    # Another purpose, place or time.
    ("The timeout for uploads is 30 seconds", "The timeout for downloads is 60 seconds"),
    ("We use Redis for caching", "We use Redis for queues"),
    ("We use pytest for unit tests", "We use Playwright for browser tests"),
    ("Use black for formatting", "Use ruff for linting"),
    ("Use tabs in Makefiles", "Use spaces in Python files"),
    ("Use tabs in Makefiles", "Use tabs in Dockerfiles"),
    ("The cache is enabled in production", "The cache is enabled in staging"),
    ("We deploy to Fly on Mondays", "We deploy to Fly on Thursdays"),
    # Acts that can both be done, and things that are both forbidden.
    ("Always run lint before pushing", "Always run tests before pushing"),
    ("Always check the port before releasing", "Always check the version before releasing"),
    ("Never deploy on Fridays", "Never deploy on Sundays"),
    # One choice, told twice.
    ("Use pnpm, not npm", "Use pnpm"),
    ("Chose Postgres over Mongo for billing", "Chose Postgres over MySQL for billing"),
    # One order, told from both ends.
    ("Run migrations after the backup", "Take the backup before running migrations"),
    # Another purpose under a denial.
    ("We never use npm for publishing", "We use npm for building"),
    # Lines of one list.
    ("Deprecated: as_tuple.", "Deprecated: total_seconds."),
    # What is used or needed beside another.
    ("Use docstrings", "Use generators"),
    ("The build needs Java", "The build needs Docker"),
    # Tools of different trades.
    ("The backend uses Python", "The backend uses Postgres"),
    ("The frontend uses React", "The frontend uses TypeScript"),
]

EXCLUSIVE = [
    ("The API listens on port 8080", "The API listens on port 9090"),
    ("The timeout for uploads is 30 seconds", "The timeout for uploads is 2 minutes"),
    ("Use Poetry for dependencies", "Use uv for dependencies"),
    ("We use npm", "We use pnpm"),
    ("Users are stored in users.db", "Users are stored in people.db"),
    ("We keep backups for 30 days", "We keep backups for 60 days"),
    ("The frontend is written in TypeScript", "The frontend is written in Elm"),
    ("The build needs Java", "The build needs Rust"),
    ("Favourite colour: purple", "Favourite colour: cyan"),
    ("The team lead is Anna", "The team lead is Tom"),
    ("Anna owns billing", "Tom owns billing"),
    ("Run lint before pushing", "Run lint after pushing"),
    # The same two, the other way round.
    ("Use pnpm, not npm", "Use npm, not pnpm"),
    ("Use pnpm instead of npm", "Use npm instead of pnpm"),
    ("Use pnpm rather than npm", "Use npm, not pnpm"),
    ("Chose Postgres over Mongo", "Chose Mongo over Postgres"),
    ("Chose Google Cloud over AWS for hosting", "Chose AWS over Google Cloud for hosting"),
    ("Use pnpm, not npm", "Use npm"),
    ("Use pnpm instead of npm", "Use npm"),
    ("Run lint before tests", "Run tests before lint"),
    ("The worker must run after the web server", "The web server must run after the worker"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_can_both_hold_is_not_flagged(one, other):
    """Another subject, purpose or act is another matter, whatever else the words share."""
    excluding = {Relation.CONTRADICTS, Relation.UPDATES}
    assert not excluding & {relation(one, other), relation(other, one)}


@pytest.mark.parametrize(("one", "other"), EXCLUSIVE)
def test_what_cannot_both_hold_is_flagged(one, other):
    """The same subject and purpose with another value, or the same two values swapped."""
    excluding = {Relation.CONTRADICTS, Relation.UPDATES}
    assert {relation(one, other), relation(other, one)} <= excluding


def test_before_and_after_the_other_way_round_say_the_same():
    """ "A before B" is "B after A"."""
    one = "The worker must run before the web server"
    other = "The web server must run after the worker"
    assert relation(one, other) is relation(other, one) is Relation.DUPLICATE
    forbidden = ("Never push before running lint", "Never run lint after pushing")
    assert relation(*forbidden) is Relation.NEW


@pytest.mark.parametrize(
    ("new", "held"),
    [
        ("We use pnpm", "We use npm"),
        ("We use postgres 15", "We use postgres 14"),
        ("Use ruff for formatting", "Use black for formatting"),
        ("The API listens on port 9090", "The API listens on port 8080"),
        ("Never squash merges", "Always squash merges"),
        ("We no longer use npm", "We use npm"),
        ("Use pnpm instead of npm", "Use npm"),
        ("We deploy to Fly", "We deploy to Hetzner"),
    ],
)
def test_only_another_value_in_the_same_slot_replaces(new, held):
    """What takes another's place says the same of the same thing, but for the value."""
    assert replaces(new, held)


@pytest.mark.parametrize(
    ("new", "held"),
    [
        *APART,
        ("We use Redis", "We use Zorbit"),
        ("The frontend uses Tailwind", "The frontend uses React"),
        ("Do not use npm for publishing", "Use npm"),
    ],
)
def test_what_may_stand_beside_the_other_replaces_nothing(new, held):
    """Whether two tools fill one place, or an exception ends a rule, only a person knows."""
    assert not replaces(new, held)
