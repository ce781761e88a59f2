"""Which folder a client works in: from what it says of its roots, else where it started us."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit


def folder_of(roots: Sequence[str], started_in: Path | None) -> Path | None:
    """Return the folder whose project is meant, or None if nobody knows one.

    Of several roots the one around the folder we were started in, else the first that is
    there: where nothing is, there is seldom a project, and its client would see only `global`.
    """
    named = [folder for folder in map(_local, roots) if folder is not None]
    there = [folder for folder in named if _is_there(folder)]
    for folder in there:
        if started_in is not None and started_in.is_relative_to(folder):
            return started_in
    # Over HTTP nobody started us; a folder that is gone may have been one of a repository.
    return next(iter(there), started_in or next(iter(named), None))


def _local(uri: str) -> Path | None:
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    # file:///C:/work is C:/work.
    if len(path) > 2 and path[0] == "/" and path[2] == ":":  # noqa: PLR2004
        path = path[1:]
    return Path(path) if path and "\0" not in path else None


def _is_there(folder: Path) -> bool:
    return os.path.exists(folder)  # noqa: PTH110 - unlike Path.exists, it never raises
