"""Write a file whole or not at all: whoever reads it sees the old one or the new one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helix.app.private_files import PRIVATE

_AS_THE_USER_SET = 0o666
"""What new files get before the user's own mask takes away from it."""


def replace_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """Put `content` in the place of a file; one that was there keeps its mode unless `private`.

    A link is replaced, not followed: whoever wants the file behind it resolves the path first.
    """
    with _drafted(path, content, PRIVATE if private else _AS_THE_USER_SET) as draft:
        if not private and path.exists() and not path.is_symlink():
            draft.chmod(path.stat().st_mode & 0o777)
        draft.replace(path)


def create_whole(path: Path, content: bytes) -> None:
    """Make a private file that was not there; raises `FileExistsError` if anything is."""
    with _drafted(path, content, PRIVATE) as draft:
        os.link(draft, path)


@contextmanager
def _drafted(path: Path, content: bytes, mode: int) -> Iterator[Path]:
    """Yield a file beside another that holds all of a content; what is not moved away goes."""
    # The name cannot be guessed, and is not opened if it is there: nobody can lay a link for it.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
