"""Keys of this user, each in a private file of its own beside the settings.

They lie outside the store on purpose: whoever is given the store alone cannot guess secrets
and compare their tags.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import IO

from helix.app.private_files import private_folder
from helix.app.whole_files import create_whole, replace_whole
from helix.rules.secrets.redacting import Tag

TAG_KEY = "redaction.key"
KEY_BYTES = 32
TAG_LETTERS = 6


def tagging(home: Path) -> Tag:
    """Return what marks a secret: the same letters for the same secret, on this machine.

    The key is made when the first secret is met. Where it can be neither read nor made,
    placeholders go without a tag: redaction itself never fails.
    """
    made = b""

    def tag(secret: str) -> str:
        import hmac  # noqa: PLC0415 - few texts hold a secret

        # What could not be made may be made later: the disk was full, or another was at it.
        nonlocal made
        made = made or private_key(home / TAG_KEY)
        if not made:
            return ""
        return hmac.new(made, secret.encode(errors="replace"), "sha256").hexdigest()[:TAG_LETTERS]

    return tag


def private_key(path: Path) -> bytes:
    """Return the key in a file, making it if there is none; empty if that cannot be done.

    A file that is empty or too short was left by a full disk: nothing can have been made with
    it that another key would not serve as well, so it is made anew.
    """
    if found := existing_key(path):
        return found
    try:
        private_folder(path.parent)
        try:
            create_whole(path, secrets.token_bytes(KEY_BYTES))
        except FileExistsError:
            if not path.is_symlink() and path.stat().st_size < KEY_BYTES:
                _make_anew(path)
        return existing_key(path)
    except OSError:
        return b""


def existing_key(path: Path) -> bytes:
    """Return the key in a file, or nothing where there is none; none is made."""
    try:
        found = path.read_bytes()
    except OSError:
        return b""
    return found if len(found) == KEY_BYTES else b""


def _make_anew(path: Path) -> None:
    """Put a key in the place of a file that is too short for one, unless somebody just did."""
    with path.open("rb") as short:
        _wait_for(short)
        found = path.stat()
        # Whoever was first has put another file there; the lock is on the one that was short.
        if os.path.samestat(found, os.fstat(short.fileno())) and found.st_size < KEY_BYTES:
            replace_whole(path, secrets.token_bytes(KEY_BYTES), private=True)


def _wait_for(file: IO[bytes]) -> None:
    try:
        import fcntl  # noqa: PLC0415 - only here; Windows has none
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX)
