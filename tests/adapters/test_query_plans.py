"""No statement that runs while somebody waits reads a whole table.

Two nets. The first takes every SQL constant and every statement builder of the adapter, so
that a new one is tested without anybody thinking of it. The second listens to what is really
executed while the facade works, so that SQL written inside a method is seen as well.

SQLite is asked for its plan on a real store of a few thousand rows without statistics
(`ANALYZE` is never run on a user's store). On a user's own machine there is one tenant and
one or two places, so an index used for the tenant alone reads everything, like a scan.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from types import ModuleType

import apsw
import apsw.ext
import pytest

from helix import Helix
from helix.adapters import sqlite
from helix.adapters.sqlite import asking, by_words, jobs, listing, lives
from helix.adapters.sqlite.standing import believed, standing
from helix.adapters.sqlite.store import SqliteStore
from helix.model.memory import Status
from helix.model.question import Standpoint, View

IMPORTED = re.compile(r"^\s*from (helix\.adapters\.sqlite\.\w+) import", re.MULTILINE)
IMPORTED_TOGETHER = re.compile(r"^\s*from helix\.adapters\.sqlite import ([\w, ]+)$", re.MULTILINE)
SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)\b")
EPISODES, FACTS = 3_000, 200
NOW = datetime(2026, 5, 14, tzinfo=UTC)
SCOPE = "project:plans"

HARMLESS_SCANS = (
    re.compile(r"SCAN \S+ VIRTUAL TABLE INDEX"),  # FTS5 and its vocabulary use their own index
    re.compile(r"SCAN (\d+ )?CONSTANT ROWS?"),
)
UNSELECTIVE = re.compile(r"^SEARCH .*\((tenant|place)=\?\)$")

ALLOWED: Mapping[str, Mapping[str, str]] = {
    # statement -> beginning of a plan line -> why it is allowed
    "ledger.HEAD": {"SEARCH ledger USING": "read backwards, and the first row ends it"},
    "listing.COUNT_STANDING": {"SEARCH memories": "counting is asked by `status` alone"},
    "listing.COUNT_CONCLUDED": {
        "SEARCH memories": "counting is asked by `status` alone",
        "USE TEMP B-TREE FOR GROUP BY": "a row per type and status",
    },
    "enrichment.MODELS": {
        "SCAN m": "a row per embedder",
        "SCAN v USING COVERING INDEX": "counting vectors is asked by people looking after a store",
    },
    "serving.LEFT_OVER": {"SCAN m": "a row per embedder", "SCAN r": "two rows at most"},
    "known.ALIKE": {
        "USE TEMP B-TREE FOR ORDER BY": "the same words are held once; few were held before"
    },
    "stems.CLEAR": {"SEARCH memories": "clearing a place goes through all of it, once a rebuild"},
    "journal.RECORD": {"SEARCH journal": "max(number) takes the last entry of the index"},
    "journal.CLEAR": {"SEARCH journal": "concluding anew forgets all of it"},
    "scratchpad.OF_PLACE": {"SEARCH notes USING": "in order, and a scope holds 500 at most"},
    "ledger.PURGES": {"SEARCH l USING": "only purges are in that index, and they are few"},
    "scratchpad.EVERY": {"SEARCH notes USING": "erasing looks through all of them"},
    "replies.TEXTS": {"SEARCH replies": "scrubbing looks through all of them"},
    "replies.CLEAR": {"SEARCH replies": "after an erasure no reply may be left"},
    "jobs.FORGET_ERRORS": {"SEARCH jobs": "after an erasure; a scope owes a job or two"},
    "ledger.REALMS": {
        "SEARCH p USING": "every project of a tenant, for the timer and nobody who waits",
        "SEARCH l EXISTS": "the first record of each will do",
    },
    "runs.BEGIN": {"SEARCH runs": "max(number) takes the last run of the index"},
    "runs.CLEAR": {"SEARCH runs": "concluding anew forgets all of them"},
    "journal.HEAD": {"SEARCH journal USING PRIMARY KEY (tenant=?)": "the last row, and no other"},
    "journal.LATEST": {"SEARCH journal USING PRIMARY KEY (tenant=?)": "the last row, and no other"},
    "runs.LATEST": {"USE TEMP B-TREE FOR ORDER BY": "three states, and a run or two a day"},
    "projection.FORGET_NOVELTY": {"SEARCH memories USING": "`rebuild` begins anew"},
    "enrichment.PRECISIONS": {
        "USE TEMP B-TREE FOR GROUP BY": "a report on all vectors of a place",
        "SEARCH vectors USING": "a report on all vectors of a place",
    },
    "lives.DEGREE": {"SCAN (subquery": "a hundred edges each way at most"},
    "lives.OFTEN": {
        "USE TEMP B-TREE FOR GROUP BY": "a sweep, over what was ever used",
        "USE TEMP B-TREE FOR ORDER BY": "of the few that were used often",
        "SEARCH uses USING": "a sweep, over what was ever used",
        "SCAN u": "the few that were used often",
    },
    "lives.aged_statement": {
        "USE TEMP B-TREE FOR GROUP BY": "`helix status` counts everything",
        "SEARCH m USING": "`helix status` counts everything",
    },
    "canonical.ALL_MEMORIES": {"SEARCH m USING": "`rebuild` compares everything"},
    "canonical.ALL_EDGES": {"SEARCH e USING": "`rebuild` compares everything"},
    "canonical.SESSIONS": {"SEARCH sessions USING": "`rebuild` compares everything"},
    "canonical.ALL_USES": {
        "USE TEMP B-TREE FOR ORDER BY": "`rebuild` compares everything",
        "SEARCH u USING": "`rebuild` compares everything",
    },
    "by_words.words_statement": {"USE TEMP B-TREE FOR ORDER BY": "relevance has no index"},
    "by_words.ranked_statement": {"USE TEMP B-TREE FOR ORDER BY": "relevance has no index"},
    "asking.neighbours_statement": {
        "USE TEMP B-TREE FOR ORDER BY": "a memory has few edges, and they are sorted as read"
    },
}
"""Nothing is allowed here that grows with the store on the path of a capture or a recall."""


def seen_from() -> Iterator[tuple[str, object]]:
    """Yield every kind of standpoint, as the pieces of a query."""
    for believed_on in (None, NOW):
        yield f"believed {believed_on}", believed(believed_on)
        for view in (View.CURRENT, View.DEEP, View.HISTORY):
            yield f"{view} {believed_on}", standing(Standpoint(view, NOW, believed_on))
        yield (
            f"any {believed_on}",
            standing(Standpoint(View.CURRENT, NOW, believed_on), list(Status)),
        )


def by_id_examples() -> Iterator[str]:
    for _, seen in seen_from():
        yield from (asking.by_id_statement(seen, places) for places in (1, 2, 4))  # type: ignore[arg-type]


def by_ids_examples() -> Iterator[str]:
    """Yield the lookup of several ids from every standpoint."""
    for _, seen in seen_from():
        yield asking.by_ids_statement(seen, 2)  # type: ignore[arg-type]


def listing_examples() -> Iterator[str]:
    for _, seen in seen_from():
        for status in (None, Status.ACTIVE):
            for kind in (None, "episode", "fact"):
                # Without a type, `listing` always walks by status.
                if status is not None or kind == "fact":
                    for bound in (listing.OLDER, listing.OF_THE_SAME_AGE):
                        yield listing.listing_statement(seen, status, kind, bound)  # type: ignore[arg-type]


def words_examples() -> Iterator[str]:
    for _, seen in seen_from():
        yield from (by_words.words_statement(1, seen, types) for types in (0, 1, 3))  # type: ignore[arg-type]


def ranked_examples() -> Iterator[str]:
    yield by_words.ranked_statement(1)


def reading_examples() -> Iterator[str]:
    for _, seen in seen_from():
        for types in (0, 2):
            yield from (asking.reading_statement(seen, keys, types) for keys in (1, 60))  # type: ignore[arg-type]


def waiting_examples() -> Iterator[str]:
    for _, seen in seen_from():
        yield from (by_words.waiting_statement(seen, types) for types in (0, 1, 3))  # type: ignore[arg-type]


def neighbours_examples() -> Iterator[str]:
    for outgoing in (True, False):
        for relations in (0, 1, 2):
            for places in (1, 2, 4):
                yield asking.neighbours_statement(places, relations, outgoing=outgoing)


def lease_examples() -> Iterator[str]:
    yield from (jobs.lease_statement(kinds) for kinds in (0, 1, 3))


def uses_examples() -> Iterator[str]:
    yield from (lives.uses_statement(places) for places in (1, 2, 4))


def aged_examples() -> Iterator[str]:
    yield from (lives.aged_statement(places, 3) for places in (1, 2, 4))


BUILDERS: Mapping[str, Callable[[], Iterator[str]]] = {
    "asking.by_id_statement": by_id_examples,
    "asking.by_ids_statement": by_ids_examples,
    "listing.listing_statement": listing_examples,
    "by_words.words_statement": words_examples,
    "by_words.ranked_statement": ranked_examples,
    "asking.reading_statement": reading_examples,
    "by_words.waiting_statement": waiting_examples,
    "asking.neighbours_statement": neighbours_examples,
    "jobs.lease_statement": lease_examples,
    "lives.uses_statement": uses_examples,
    "lives.aged_statement": aged_examples,
}


def modules() -> list[ModuleType]:
    """Return every module of the adapter that the store is made of."""
    found: dict[str, ModuleType] = {}
    waiting = [f"{sqlite.__name__}.store"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = importlib.import_module(name)
            waiting += IMPORTED.findall(inspect.getsource(found[name]))
            waiting += [
                f"{sqlite.__name__}.{each.strip()}"
                for line in IMPORTED_TOGETHER.findall(inspect.getsource(found[name]))
                for each in line.split(",")
            ]
    return [found[name] for name in sorted(found)]


def constants() -> dict[str, str]:
    """Return every SQL constant of the adapter by name."""
    return {
        f"{_short(module)}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str)
        if SQL.match(value)
    }


def builders() -> set[str]:
    """Return the name of every function of the adapter that returns a statement."""
    return {
        f"{_short(module)}.{name}"
        for module in modules()
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if name.endswith("_statement") and function.__module__ == module.__name__
    }


def _short(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Helix]:
    """A store with some thousand rows of every kind."""
    with Helix.open(tmp_path_factory.mktemp("plans") / "memory.db", scope=SCOPE) as memory:
        for number in range(EPISODES):
            memory.capture(
                f"episode {number} of module {number % 97}",
                event_id=f"ev{number}",
                session=f"session{number % 40}",
                parent_event_id=f"ev{number - 1}" if number % 3 else "",
            )
        facts = [memory.remember(f"fact {number} holds").memory for number in range(FACTS)]  # type: ignore[union-attr]
        for number in range(0, FACTS, 4):
            memory.correct(facts[number].id, f"fact {number} no longer holds")
            memory.forget(facts[number + 1].id)
            memory.relate(facts[number + 2].id, "depends_on", facts[number + 3].id)
        memory.remember("a global fact", everywhere=True)
        yield memory


def connection_of(memory: Helix) -> apsw.Connection:
    store = memory.context.store
    assert isinstance(store, SqliteStore)
    with store.reading() as unit:
        return unit.connection


def plan(connection: apsw.Connection, statement: str) -> list[str]:
    """Return the lines of SQLite's plan."""
    bindings = (None,) * apsw.ext.query_info(connection, statement).bindings_count
    rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", bindings)
    return [str(row[3]) for row in rows]


def faults(lines: list[str], allowed: Mapping[str, str]) -> list[str]:
    """Return the lines that read too much or sort what an index should have sorted."""
    return [
        line
        for line in lines
        if _is_costly(line) and not any(line.startswith(start) for start in allowed)
    ]


def _is_costly(line: str) -> bool:
    if line.startswith("SCAN"):
        return not any(harmless.match(line) for harmless in HARMLESS_SCANS)
    return line.startswith("USE TEMP B-TREE") or UNSELECTIVE.match(line) is not None


@pytest.mark.parametrize("name", sorted(constants()))
def test_every_statement_of_the_adapter_uses_an_index(filled: Helix, name: str) -> None:
    """A statement finds its rows by an index and in their order, or says here why not."""
    lines = plan(connection_of(filled), constants()[name])
    assert faults(lines, ALLOWED.get(name, {})) == [], lines


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_every_form_of_a_built_statement_uses_an_index(filled: Helix, name: str) -> None:
    """However a statement is put together, it reads no whole table."""
    connection = connection_of(filled)
    for statement in BUILDERS[name]():
        lines = plan(connection, statement)
        assert faults(lines, ALLOWED.get(name, {})) == [], (statement, lines)


def everyday_work(memory: Helix) -> None:
    """Do once what agents and people do all day; verifying and rebuilding read everything."""
    with memory.session("a session") as session:
        session.capture("the parser was rewritten", event_id="everyday")
    memory.capture("the parser was rewritten", event_id="everyday", session="a session")
    memory.capture("its tests pass", parent_event_id="everyday", files=["src/parser.py"])
    fact = memory.remember("The parser lives in src/parser.py", event_id="a fact").memory  # type: ignore[union-attr]
    other = memory.remember("The lexer lives in src/lexer.py").memory  # type: ignore[union-attr]
    memory.confirm(fact.id)
    memory.pin(fact.id)
    memory.relate(fact.id, "depends_on", other.id)
    memory.relate(fact.id, "depends_on", other.id)
    better = memory.correct(fact.id, "The parser lives in src/parsing").memory
    memory.forget(better.id, "moved again")
    memory.restore(better.id)
    ask(memory)
    last = memory.history.log(limit=1)[0].position
    memory.history.rollback(last)
    memory.history.rollback(to=last - 6, with_episodes=True)


def ask(memory: Helix) -> None:
    """Ask in every way there is."""
    for view in (View.CURRENT, View.DEEP, View.HISTORY):
        memory.recall("where does the parser of module 13 live?", view=view)
    memory.recall("parser", types=["fact", "episode"], limit=100)
    memory.recall('"lives in"', believed_on=NOW, true_on=NOW)
    found = memory.list(limit=5)
    memory.list(types=["fact"], statuses=["forgotten", "superseded"], before=found[-1].position)
    memory.why(found[0].id)
    memory.history.log(limit=10, before=100)
    memory.upkeep.status()
    assert memory.sleeping.pending(3)


UNPLANNED = re.compile(r"\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|CREATE|VACUUM)")


def test_everything_the_facade_executes_uses_an_index(filled: Helix) -> None:
    """Also SQL that is written inside a method finds its rows by an index."""
    connection = connection_of(filled)
    executed: set[str] = set()

    def listen(_cursor: apsw.Cursor, statement: str, _bindings: object) -> bool:
        executed.add(statement)
        return True

    connection.exec_trace = listen
    try:
        everyday_work(filled)
    finally:
        connection.exec_trace = None
    found = {sql: plan(connection, sql) for sql in executed if not UNPLANNED.match(sql)}
    excused = _excused()
    costly = {sql: bad for sql, lines in found.items() if (bad := faults(lines, excused(sql)))}
    assert costly == {}
    assert len(found) > 30


def _excused() -> Callable[[str], Mapping[str, str]]:
    """Return what is allowed to a statement, by its text."""
    names = {sql: name for name, sql in constants().items()}
    names |= {sql: name for name, examples in BUILDERS.items() for sql in examples()}

    def allowed(statement: str) -> Mapping[str, str]:
        if " MATCH ?" in statement:
            return ALLOWED["by_words.words_statement"]
        return ALLOWED.get(names.get(statement, ""), {})

    return allowed


def test_the_nets_catch_a_statement_that_reads_everything(filled: Helix) -> None:
    """A scan, a sort and an index used for the tenant alone are all told apart from good plans."""
    connection = connection_of(filled)
    for bad in (
        "SELECT count(*) FROM memories WHERE content LIKE ?",
        "SELECT id FROM memories WHERE tenant = ? ORDER BY recorded_at",
        "SELECT id FROM memories INDEXED BY memories_ids WHERE tenant = ?",
    ):
        assert faults(plan(connection, bad), {})


def test_every_statement_builder_is_tested_here() -> None:
    """A new builder without examples fails this test; a new constant is tested by itself."""
    assert builders() == set(BUILDERS)
    assert len(constants()) >= 35
    used = {module.__name__.rpartition(".")[2] for module in modules()}
    assert {"ledger", "projection", "asking", "jobs", "journal", "words"} <= used


def test_nothing_is_allowed_that_does_not_exist() -> None:
    """An exception outlives its statement only until this test is run."""
    assert set(ALLOWED) <= {*constants(), *BUILDERS}
