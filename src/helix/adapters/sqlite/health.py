"""What a file's own checks say about it."""

from __future__ import annotations

import stat
from contextlib import closing
from pathlib import Path
from shlex import quote

import apsw

from helix.adapters.sqlite import opening, schema
from helix.adapters.sqlite.faults import translation
from helix.ports.health import Finding

WAL_TOO_LONG = 256 * 2**20
LEAST_FREE = 100 * 2**20


def examine(path: Path) -> list[Finding]:
    """Return the findings on a store's file; it is opened for reading only."""
    return [_layout(path), _pages(path), _privacy(path), _log(path), _space(path)]


def _layout(path: Path) -> Finding:
    return Finding(
        "layout", "ok", f"{path} has layout {schema.VERSION}, SQLite {apsw.sqlite_lib_version()}"
    )


def _pages(path: Path) -> Finding:
    try:
        said = _checked(path)
    except apsw.Error as error:
        fault = translation(error, path)
        return Finding("pages", "fault", fault.message, fault.remedy)
    if said == ["ok"]:
        return Finding("pages", "ok", "every page of the file is in order")
    return Finding(
        "pages", "fault", "; ".join(map(str, said)), "keep the file, and restore the latest backup"
    )


def _checked(path: Path) -> list[object]:
    try:
        return _quick_check(str(path), apsw.SQLITE_OPEN_READONLY)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        # As the store itself is opened: see `SqliteStore._connect`.
        if not opening.is_at_rest(path):
            raise
        return _quick_check(*opening.at_rest(path))


def _quick_check(name: str, flags: int) -> list[object]:
    with closing(apsw.Connection(name, flags=flags)) as connection:
        return [row[0] for row in connection.execute("PRAGMA quick_check(5)")]


def _privacy(path: Path) -> Finding:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return Finding(
            "privacy", "warning", f"others on this machine may read the store ({mode:04o})",
            f"chmod {opening.PRIVATE:o} {quote(str(path))}",
        )  # fmt: skip
    return Finding("privacy", "ok", "only you can read the store")


def _log(path: Path) -> Finding:
    wal = path.with_name(path.name + "-wal")
    size = wal.stat().st_size if wal.exists() else 0
    if size > WAL_TOO_LONG:
        return Finding(
            "log", "warning", f"the write-ahead log has grown to {size / 2**20:.0f} MB",
            "close the processes that hold the store open, then run any helix command",
        )  # fmt: skip
    return Finding("log", "ok", f"the write-ahead log has {size / 2**20:.1f} MB")


def _space(path: Path) -> Finding:
    import shutil  # noqa: PLC0415 - it loads four compressors; only an examination needs it

    free = shutil.disk_usage(path.parent).free
    if free < LEAST_FREE:
        return Finding(
            "space", "warning", f"only {free / 2**20:.0f} MB are free on the disk",
            "free some space: a full disk stops capturing",
        )  # fmt: skip
    return Finding("space", "ok", f"{free / 2**30:.1f} GB are free on the disk")
