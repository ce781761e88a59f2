"""May this file be touched? Creating, checking and lifting a store before it is used.

A file is judged by its first hundred bytes, read without SQLite: opening a database in
WAL mode already writes beside it, and a newer version's store must not be touched.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw

from helix.adapters.sqlite import raw_bytes, schema
from helix.model.errors import StoreUnavailable

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_PART = ".part"
"""Ends the name of a backup that is being made; scouring knows it like a whole one."""
PRIVATE = 0o600
PRIVATE_FOLDER = 0o700


def create(path: Path) -> None:
    """Create an empty store, whole or not at all; one that is already there is left alone.

    It is built beside its place and linked in, so that another process never meets a
    half-made store.
    """
    try:
        # As private as what will lie in it; one that is there is left alone.
        path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        _create(path, path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.new"))
    except OSError as error:
        raise uncreatable(path, error) from error


def _create(path: Path, draft: Path) -> None:
    try:
        _reserve(draft)
        with closing(apsw.Connection(str(draft))) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            with connection:
                connection.execute(schema.TABLES)
                connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {schema.VERSION}")
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        for leftover in (draft, *_sidecars(draft)):
            leftover.unlink(missing_ok=True)


def inspect(path: Path, newest: int = schema.VERSION) -> None:
    """Raise `StoreUnavailable` unless the file looks like a store this Helix may open."""
    try:
        header = raw_bytes.beginning(path, _HEADER)
        size = path.stat().st_size
    except OSError as error:
        raise StoreUnavailable(
            f"{path} cannot be read: {error.strerror}",
            code="store_unopenable",
            remedy="check the path and your permissions",
        ) from error
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise _refused(path, "not_a_store", "is not a Helix store, or only a piece of one")
    if _number(header, 68) != schema.APPLICATION_ID:
        raise _refused(path, "not_a_store", "is a SQLite database, but not a Helix store")
    check_version(path, _number(header, 60), newest)
    wal = _sidecars(path)[0]
    if not (wal.exists() and wal.stat().st_size) and size < _pages(header) * _page_size(header):
        raise _refused(path, "store_damaged", "is shorter than it says: a piece is missing")


def is_at_rest(path: Path) -> bool:
    """Return whether the file alone is the whole store, and will stay so.

    True where its folder cannot be written and no log lies beside it. A log that is passed
    over would take the last writes with it.
    """
    wal = _sidecars(path)[0]
    return not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size)


def at_rest(path: Path) -> tuple[str, int]:
    """Return the name and the flags with which SQLite reads a file that nobody can write."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return f"{path.absolute().as_uri()}?immutable=1", flags


def check_version(path: Path, version: int, newest: int = schema.VERSION) -> None:
    """Raise `StoreUnavailable` for a layout newer than this Helix knows."""
    if version > newest:
        raise StoreUnavailable(
            f"{path} was written by a newer Helix (layout {version}; this one knows {newest})",
            code="store_too_new",
            remedy="update Helix, and start anew what still runs; the file was not touched",
        )


def keep_a_log(connection: apsw.Connection) -> None:
    """Let a store take writes beside readers, as one that was created here does.

    A copy that SQLite has written keeps its journal otherwise, and so would a backup for good.
    That cannot be changed below a reader; who opens it next tries again.
    """
    if connection.pragma("journal_mode") != "wal":
        with suppress(apsw.BusyError):
            connection.pragma("journal_mode", "wal")


def lift(
    connection: apsw.Connection,
    path: Path,
    migrations: Mapping[int, schema.Migration] = schema.MIGRATIONS,
    newest: int = schema.VERSION,
) -> Path | None:
    """Bring an older store to the newest layout, and return the backup made before.

    Returns None if it already is. All steps are one transaction: a crash leaves the old
    layout, untouched. The backup bears its name once they are done, so that attempts that come
    to nothing do not pile up whole copies.
    """
    if _version(connection) >= newest:
        return None
    # Locked first: nothing is written between the backup and the first step, and another
    # process that was faster is noticed before a backup is made. Readers are not held up, the
    # one that makes the backup among them.
    connection.execute("BEGIN IMMEDIATE")
    backup: Path | None = None
    try:
        before = _version(connection)
        if before < newest:
            backup = _backup_path(path, before)
            _back_up(path, _part_of(backup))
        for version in range(before, newest):
            migrations[version](connection)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        if backup is not None:
            _finish(backup)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if backup is not None and _version(connection) < newest:
            # The store is what it was, and a copy of it is of no use.
            _part_of(backup).unlink(missing_ok=True)
            backup.unlink(missing_ok=True)
        raise
    return backup


def copy(connection: apsw.Connection, target: Path) -> None:
    """Write a whole, consistent copy to a file that must not exist yet; nothing if that fails."""
    try:
        _reserve(target)
    except OSError as error:
        raise uncreatable(target, error) from error
    try:
        connection.execute("VACUUM INTO ?", (str(target),))
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _back_up(path: Path, part: Path) -> None:
    from glob import escape  # noqa: PLC0415 - seldom does a hook lift a store

    # Whoever makes a backup has the store locked, so what is there was left by somebody killed.
    for left in path.parent.glob(f"{escape(path.name)}.v*.backup{_PART}*"):
        with suppress(OSError):
            left.unlink(missing_ok=True)
    # A transaction cannot copy its own store; a second connection sees what is committed.
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as reader:
        copy(reader, part)


def _finish(backup: Path) -> None:
    try:
        _part_of(backup).rename(backup)
    except OSError as error:
        raise uncreatable(backup, error) from error


def _reserve(path: Path) -> None:
    # Private from its first byte: SQLite would create it readable for everyone.
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def _backup_path(path: Path, version: int) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    return path.with_name(f"{path.name}.v{version}-{stamp}-{secrets.token_hex(2)}.backup")


def _part_of(backup: Path) -> Path:
    return backup.with_name(backup.name + _PART)


def _sidecars(path: Path) -> tuple[Path, Path]:
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def _number(header: bytes, offset: int) -> int:
    return int.from_bytes(header[offset : offset + 4], "big")


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    return 65536 if size == 1 else size


def _pages(header: bytes) -> int:
    # The count is only meaningful if the change counter agrees with the one beside it.
    return _number(header, 28) if header[24:28] == header[92:96] else 0


def uncreatable(path: Path, error: OSError) -> StoreUnavailable:
    """Return the error for a file that could not be made."""
    return StoreUnavailable(
        f"{path} cannot be created: {error.strerror}",
        code="store_unopenable",
        remedy="check the path and your permissions, or point `--store` elsewhere",
    )


def _refused(path: Path, code: str, saying: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{path} {saying}",
        code=code,
        remedy="it was left as it is; point `--store` elsewhere, or put a backup in its place",
    )
