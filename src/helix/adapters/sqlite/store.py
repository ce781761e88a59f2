"""The store: one file, a connection per thread, transactions, and a private copy on request."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import apsw

from helix.adapters.sqlite import opening, schema
from helix.adapters.sqlite.checkpointing import Checkpointer
from helix.adapters.sqlite.faults import FOLD_AGAIN, damaged, translated, translation
from helix.adapters.sqlite.ledger import SqliteLedger
from helix.adapters.sqlite.noticed import Noticed
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.projection import SqliteProjection
from helix.adapters.sqlite.replacing import File, file_at, gone, replaced
from helix.adapters.sqlite.serving import SqliteServing
from helix.adapters.sqlite.words import WordIndex
from helix.model.errors import StoreUnavailable

if TYPE_CHECKING:
    from helix.adapters.sqlite.enrichment import SqliteEnrichment
    from helix.adapters.sqlite.jobs import SqliteJobs
    from helix.adapters.sqlite.journal import SqliteJournal
    from helix.adapters.sqlite.lives import SqliteLives
    from helix.adapters.sqlite.meaning import MeaningIndex
    from helix.adapters.sqlite.replies import SqliteReplies
    from helix.adapters.sqlite.runs import SqliteRuns
    from helix.adapters.sqlite.scratchpad import SqliteScratchpad
    from helix.ports.health import Finding

PATIENCE = 10.0
"""Seconds a writer waits for its turn before it gives up."""

SHORTEST_NAP, LONGEST_NAP = 0.0002, 0.003
"""Seconds between two tries for the write lock: short, since a capture holds it for less."""

CACHE_KIB = 4_096
"""Small: whenever somebody else has written, SQLite drops all of it before the next statement.

Questions are as quick with it as with four or sixteen times as much.
"""

STATEMENTS_KEPT = 256
READING, WRITING = "BEGIN", "BEGIN IMMEDIATE"

LET_END = 0.2
"""Seconds that closing leaves another thread to end what it is at; then it is interrupted."""

LET_GO = 5.0
"""Seconds after which closing leaves a connection to its thread: a disk may hang."""


class SqliteUnit:
    """The ports over one connection."""

    def __init__(
        self,
        connection: apsw.Connection,
        file: File,
        meaning: Callable[[], MeaningIndex],
        patience: Callable[[int], bool],
    ) -> None:
        """Take a connection, its file, the process's indexes, and how the connection waits."""
        self.connection = connection
        self.file = file
        # Every capture begins and commits: a cursor that is kept saves making one each time.
        self.cursor = connection.cursor()
        self.patience = patience
        self.places = Places(connection)
        self.ledger = SqliteLedger(connection, self.places)
        self.noticed = Noticed()
        self.words = WordIndex(connection, self.noticed)
        self.projection = SqliteProjection(connection, self.places, self.words, self.noticed)
        self._meaning = meaning
        self.serving = SqliteServing(connection)

    # The rest is loaded when it is first asked for: most captures do without.

    @cached_property
    def enrichment(self) -> SqliteEnrichment:
        """Vectors and mentions."""
        from helix.adapters.sqlite.enrichment import SqliteEnrichment  # noqa: PLC0415

        return SqliteEnrichment(self.connection, self.places, self._meaning, self.noticed)

    @cached_property
    def lives(self) -> SqliteLives:
        """How memories were used and shown."""
        from helix.adapters.sqlite.lives import SqliteLives  # noqa: PLC0415

        return SqliteLives(self.connection, self.places)

    @cached_property
    def jobs(self) -> SqliteJobs:
        """What is owed."""
        from helix.adapters.sqlite.jobs import SqliteJobs  # noqa: PLC0415

        return SqliteJobs(self.connection, self.places)

    @cached_property
    def journal(self) -> SqliteJournal:
        """What Helix concluded."""
        from helix.adapters.sqlite.journal import SqliteJournal  # noqa: PLC0415

        return SqliteJournal(self.connection, self.places)

    @cached_property
    def runs(self) -> SqliteRuns:
        """When it concluded, and how far it came."""
        from helix.adapters.sqlite.runs import SqliteRuns  # noqa: PLC0415

        return SqliteRuns(self.connection, self.places)

    @cached_property
    def replies(self) -> SqliteReplies:
        """What a language model replied."""
        from helix.adapters.sqlite.replies import SqliteReplies  # noqa: PLC0415

        return SqliteReplies(self.connection, self.places)

    @cached_property
    def scratchpad(self) -> SqliteScratchpad:
        """Notes that have not become anything yet."""
        from helix.adapters.sqlite.scratchpad import SqliteScratchpad  # noqa: PLC0415

        return SqliteScratchpad(self.connection, self.places)


class Transaction:
    """One transaction: kept when the block ends well, undone when it does not.

    A class of its own rather than nested generators: every capture goes through here.
    """

    __slots__ = ("_begin", "_impatient", "_open", "_path", "_place", "_unit")

    def __init__(
        self,
        opened: Callable[[], SqliteUnit],
        begin: str,
        path: Path,
        place: str,
        *,
        impatient: bool = False,
    ) -> None:
        """Take a way to the thread's unit, how to begin, the file to name, and where it lies."""
        self._impatient = impatient
        self._open = opened
        self._begin = begin
        self._path = path
        self._place = place

    def __enter__(self) -> SqliteUnit:
        """Begin."""
        try:
            unit = self._unit = self._open()
        except apsw.Error as error:
            raise translation(error, self._path) from error
        try:
            unit.ledger.forget()
            unit.noticed.forget()
            unit.places.look_again()
            if self._impatient:
                self._begin_at_once(unit.connection)
            else:
                unit.cursor.execute(self._begin)
            # Another process, of a newer Helix, may have lifted it since it was opened here.
            for (version,) in unit.cursor.execute("PRAGMA user_version"):
                if version > schema.VERSION:
                    opening.check_version(self._path, version)
        except BaseException as error:
            self._undo()
            if isinstance(error, apsw.Error):
                raise translation(error, self._path) from error
            raise
        return unit

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, or undo everything; say in Helix's words what SQLite said."""
        # Held longer, what a question has read would be walked by the collector of cycles.
        self._unit.noticed.forget()
        if error is None:
            try:
                self._unit.cursor.execute("COMMIT")
            except BaseException as failure:
                self._undo()
                if isinstance(failure, apsw.Error):
                    raise translation(failure, self._path) from failure
                raise
            # Looked at afterwards: whatever went into a file that is still in its place was kept.
            if self._begin == WRITING and file_at(self._place) != self._unit.file:
                raise replaced(self._place)
            return
        self._undo()
        if isinstance(error, apsw.Error):
            raise translation(error, self._path) from error
        if isinstance(error, UnicodeDecodeError):
            # What is given to Helix is text by now; these bytes stood in the file.
            raise damaged("a text", FOLD_AGAIN) from error

    def _begin_at_once(self, connection: apsw.Connection) -> None:
        # SQLite knows one way to wait for each connection, so it is taken away for this long.
        patience = self._unit.patience
        connection.set_busy_handler(None)
        try:
            connection.execute(self._begin)
        finally:
            connection.set_busy_handler(patience)

    def _undo(self) -> None:
        unit = self._unit
        # Closed by another thread, it is undone already.
        with suppress(apsw.ConnectionClosedError):
            if unit.connection.in_transaction:
                unit.connection.execute("ROLLBACK")
        unit.places.forget()
        unit.words.forget()


class SqliteStore:
    """Implements `Store` on one file. Any number of processes and threads may hold it open."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        """Open the file, creating it if there is none; see `opening` for what is refused."""
        self.path = path
        self._place = os.path.abspath(path)  # noqa: PTH100 - wherever the process goes
        self._patience = patience
        self._local = threading.local()
        self._open: list[apsw.Connection] = []
        self._opening = threading.Lock()
        self._closed = False
        self._meaning: MeaningIndex | None = None
        self.read_only = False
        with translated(path):
            self._prepare()
        self._file = file_at(self._place)
        self._checkpointer = Checkpointer(self._connect)
        with translated(path):
            self._unit()

    def reading(self) -> Transaction:
        """See `Store.reading`."""
        return Transaction(self._unit, READING, self.path, self._place)

    def writing(self, *, wait: bool = True) -> Transaction:
        """See `Store.writing`."""
        if self.read_only:
            raise StoreUnavailable(
                f"{self.path} cannot be written",
                code="store_read_only",
                remedy="reading still works; make the file and its folder writable to write",
            )
        return Transaction(self._unit, WRITING, self.path, self._place, impatient=not wait)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteStore]:
        """See `Store.snapshot`."""
        from helix.adapters.sqlite import snapshots  # noqa: PLC0415 - hooks take no copies

        with snapshots.beside(self.path) as copy:
            with translated(self.path):
                self.copy_to(copy)
            with closing(SqliteStore(copy)) as store:
                yield store

    def copy_to(self, target: Path) -> None:
        """Write a whole, consistent copy to a file that must not exist yet."""
        opening.copy(self._unit().connection, target)

    def scour(self) -> list[str]:
        """See `Store.scour`."""
        with translated(self.path):
            from helix.adapters.sqlite import scouring  # noqa: PLC0415 - for erasing only

            return scouring.scour(self._unit().connection, self.path)

    def residue(self, needles: Sequence[bytes]) -> list[str]:
        """See `Store.residue`."""
        from helix.adapters.sqlite import scouring  # noqa: PLC0415 - as above

        with self.reading() as unit:
            layout = scouring.layout(unit.connection)
        return scouring.residue(self.path, [each for each in needles if each not in layout])

    def examine(self) -> list[Finding]:
        """See `Store.examine`."""
        from helix.adapters.sqlite import health  # noqa: PLC0415 - for looking it over only

        return health.examine(self.path)

    def close(self) -> None:
        """See `Store.close`."""
        if self._closed:
            return
        self._closed = True
        self._checkpointer.stop()
        for connection in list(self._open):
            _close(connection)

    def _prepare(self) -> None:
        if not self.path.exists():
            opening.create(self.path)
        opening.inspect(self.path)

    def _unit(self) -> SqliteUnit:
        unit: SqliteUnit | None = getattr(self._local, "unit", None)
        file = file_at(self._place)
        if unit is None or unit.file != file:
            if self._closed:
                raise StoreUnavailable(
                    f"{self.path} is closed", code="store_closed", remedy="open it again"
                )
            if unit is not None:
                self._let_go(unit)
            if file is None:
                raise gone(self._place)
            self._turn_to(file)
            unit = self._local.unit = self._unit_of(file)
        return unit

    def _unit_of(self, file: File) -> SqliteUnit:
        connection = self._connect()
        if file_at(self._place) != file:
            connection.close()
            raise replaced(self._place)
        meaning = partial(self._meaning_index, file)
        unit = SqliteUnit(connection, file, meaning, _patient(self._patience))
        if not self.read_only:
            connection.set_wal_hook(self._after_commit)
        with self._opening:
            self._open.append(connection)
        return unit

    def _let_go(self, unit: SqliteUnit) -> None:
        """Close a connection to a file that is no longer in its place."""
        self._local.unit = None
        with self._opening:
            self._open.remove(unit.connection)
        # Tidying up goes by names, and those belong to another file by now.
        unit.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        _close(unit.connection)

    def _turn_to(self, file: File) -> None:
        """Begin with another file than before, unless another thread has done so already."""
        with self._opening:
            if file == self._file:
                return
            opening.inspect(Path(self._place))
            self._checkpointer.stop()
            self._checkpointer = Checkpointer(self._connect)
            self._file, self._meaning = file, None

    def _meaning_index(self, file: File) -> MeaningIndex:
        from helix.adapters.sqlite.meaning import MeaningIndex  # noqa: PLC0415 - see `enrichment`

        with self._opening:
            if file != self._file:  # at the end of a question to what was there before
                return MeaningIndex()
            if self._meaning is None:
                self._meaning = MeaningIndex()
            return self._meaning

    def _connect(self) -> apsw.Connection:
        try:
            return self._set_up(self._opened(self._place, apsw.SQLITE_OPEN_READWRITE))
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            # A file in WAL mode needs its folder to be writable even for reading, unless
            # SQLite is told that nobody can be writing.
            if not opening.is_at_rest(self.path):
                raise
            return self._set_up(self._opened(*opening.at_rest(self.path)))

    def _opened(self, name: str, flags: int) -> apsw.Connection:
        return apsw.Connection(name, flags=flags, statementcachesize=STATEMENTS_KEPT)

    def _set_up(self, connection: apsw.Connection) -> apsw.Connection:
        try:
            connection.set_busy_handler(_patient(self._patience))
            # Without this, SQLite plans some statements anew for every value bound to them.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            connection.execute(
                f"PRAGMA synchronous = NORMAL; PRAGMA cache_size = -{CACHE_KIB};"
                " PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0"
            )
            self.read_only = connection.readonly("main")
            opening.check_version(self.path, int(connection.pragma("user_version")))
            if not self.read_only:
                opening.keep_a_log(connection)
                opening.lift(connection, self.path)
        except BaseException:
            # Left open, it would keep files beside a store that was refused.
            connection.close()
            raise
        return connection

    def _after_commit(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._checkpointer.note(pages)
        return apsw.SQLITE_OK


def _patient(patience: float) -> Callable[[int], bool]:
    started = 0.0

    def wait(tries: int) -> bool:
        nonlocal started
        now = time.monotonic()
        if tries == 0:
            started = now
        if now - started > patience:
            return False
        time.sleep(random.uniform(SHORTEST_NAP, LONGEST_NAP))
        return True

    return wait


def _close(connection: apsw.Connection) -> None:
    """Close a connection, also one that another thread is using at this moment."""
    started = time.monotonic()
    while (waited := time.monotonic() - started) < LET_GO:
        try:
            connection.close()
        except apsw.ThreadingViolationError:
            if waited > LET_END:
                connection.interrupt()
            time.sleep(LONGEST_NAP)
        else:
            return
