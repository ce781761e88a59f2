"""A procedure says what its own runs did: no run's value stands for those of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import pytest
from tests.consolidation.nights import concluded, night_of

from helix.consolidation.procedures import proceed
from helix.model.memory import Memory
from helix.model.night import Night
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock
from helix.testing.reference_store import ReferenceStore


def a_night_of(sessions: Iterable[Sequence[str | tuple[str, int]]]) -> Night:
    clock = SettableClock()
    memory = open_memory(ReferenceStore(), HERE, clock=clock)
    for number, commands in enumerate(sessions):
        for each in commands:
            command, status = each if isinstance(each, tuple) else (each, 0)
            clock.move(timedelta(minutes=1))
            memory.capture(command, session=f"s{number}", tool="bash", exit_status=status)
    return night_of(memory)


def cited(night: Night, procedure: Memory) -> set[str]:
    told = {each.position: each.content for each in night.episodes}
    return {told[each.position] for each in procedure.belief.provenance}


def test_a_value_with_enough_runs_of_its_own_is_a_procedure_of_its_own():
    """Three runs on staging say nothing of the one on production, and do not cite it."""
    hosts = ("prod-db", "staging-db", "staging-db", "staging-db")
    night = a_night_of([f"psql -h '{host}' -f drop.sql", "make seed"] for host in hosts)
    (procedure,) = concluded(proceed(night))
    assert procedure.content == (
        "To `make seed`: 1. `psql -h 'staging-db' -f drop.sql` 2. `make seed`"
    )
    assert cited(night, procedure) == {"psql -h 'staging-db' -f drop.sql", "make seed"}
    assert len(procedure.belief.provenance) == 6
    assert procedure.attributes["succeeded"] == 3


@pytest.mark.parametrize(
    ("step", "values", "told"),
    [
        ("kubectl scale --replicas={} deploy/web", "20 50 50 10", "--replicas=<replicas> deploy"),
        ("psql -h '{}' -f drop.sql", "prod-db staging-db other-db", "-h <host> -f drop.sql"),
        ("ssh -p {} web make stop", "2222 3333 3333", "ssh -p <port> web make stop"),
        ("PORT={} npm run dev", "3000 3001 8080", "PORT=<port> npm"),
        ("curl localhost:{}/health", "3000 3001 8080", "localhost:<port>/health"),
        ("pip install flask=={}", "2.3.1 3.0.2 3.0.3", "flask==<version>"),
        ("kill -9 {}", "4711 815 1234", "kill -9 <pid>"),
        ("git checkout {}", "1a2b3c4 9f8e7d6c5b 00aa11bb", "git checkout <hash>"),
        ("tar xf /tmp/{}.tar", "a1 b2 c3", "tar xf <temporary path>"),
        ("make backup-{}", "2026-05-14T10:32 2026-05-15T11:00 2026-05-16", "backup-<time>"),
        ("gh pr create --title '{}'", "one two three", "--title <title>"),
    ],
)
def test_what_differs_between_runs_is_shown_as_a_place_to_fill(step, values, told):
    """Where no value has enough runs, none of them is told as if all had used it."""
    night = a_night_of([step.format(value), "make check"] for value in values.split())
    (procedure,) = concluded(proceed(night))
    assert told in procedure.content
    assert not any(value in procedure.content for value in values.split())
    assert "…" not in procedure.content


def test_a_value_that_all_runs_share_is_told():
    """Only what differs is a place to fill; a port that is always the same stays."""
    night = a_night_of(
        [f"ssh -p 2222 web make stop --grace={grace}", "ssh -p 2222 web make start"]
        for grace in (10, 20, 30)
    )
    (procedure,) = concluded(proceed(night))
    assert procedure.attributes["steps"] == [
        "ssh -p 2222 web make stop --grace=<grace>",
        "ssh -p 2222 web make start",
    ]


def test_the_trigger_names_no_single_runs_value_either():
    """Where the last step differs, it is what the procedure leads to that has the place."""
    night = a_night_of(["make build", f"make deploy PORT={port}"] for port in (3000, 3001, 3002))
    (procedure,) = concluded(proceed(night))
    assert procedure.attributes["trigger"] == "To `make deploy PORT=<port>`"


def test_another_script_is_another_step():
    """What an interpreter is handed is the step itself, not a value of it."""
    night = a_night_of(
        [f'psql -c "{script}"', "make seed"]
        for script in ("DROP TABLE users", "VACUUM", "ANALYZE users")
    )
    assert concluded(proceed(night)) == []


def test_another_value_does_not_mend_a_failure():
    """That the same command went well elsewhere says nothing of where it failed."""
    night = a_night_of(
        [("psql -p 5432 -f seed.sql", 1), "make db-up", "psql -p 6432 -f seed.sql"]
        for _ in range(3)
    )
    assert not [each for each in concluded(proceed(night)) if each.content.startswith("When")]


def test_what_mends_a_failure_is_told_without_one_runs_value():
    """The failing command and what mended it both show a place where runs differ."""
    night = a_night_of(
        [
            (f"psql -p {port} -f seed.sql\nconnection refused", 1),
            "make db-up",
            f"psql -p {port} -f seed.sql",
        ]
        for port in (5432, 5433, 5434)
    )
    (procedure,) = concluded(proceed(night))
    assert procedure.content == (
        "When `psql -p <port> -f seed.sql` fails with connection refused: "
        "1. `make db-up` 2. `psql -p <port> -f seed.sql`"
    )


def test_a_gap_that_somebody_wrote_is_no_value():
    """Commands that were shortened by hand are not taken for others with a value there."""
    night = a_night_of([f"deploy {what} now", "make check"] for what in ("42", "\u2026", "43"))
    assert concluded(proceed(night)) == []
