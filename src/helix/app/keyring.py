"""Keys of this user, each in a private file of its own beside the settings.

They lie outside the store on purpose: whoever is given the store alone cannot guess secrets
and compare their tags.
"""

from __future__ import annotations

import os
import secrets
from functools import cache
from pathlib import Path

from helix.app.private_files import PRIVATE, private_folder
from helix.rules.secrets.redacting import Tag

TAG_KEY = "redaction.key"
KEY_BYTES = 32
TAG_LETTERS = 6


def tagging(home: Path) -> Tag:
    """Return what marks a secret: the same letters for the same secret, on this machine.

    The key is made when the first secret is met. Where it can be neither read nor made,
    placeholders go without a tag: redaction itself never fails.
    """

    @cache
    def key() -> bytes:
        return private_key(home / TAG_KEY)

    def tag(secret: str) -> str:
        import hmac  # noqa: PLC0415 - few texts hold a secret

        made = key()
        if not made:
            return ""
        return hmac.new(made, secret.encode(errors="replace"), "sha256").hexdigest()[:TAG_LETTERS]

    return tag


def private_key(path: Path) -> bytes:
    """Return the key in a file, making it if there is none; empty if that cannot be done."""
    try:
        private_folder(path.parent)
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, PRIVATE)
        except FileExistsError:
            found = path.read_bytes()
            return found if len(found) == KEY_BYTES else b""
        with os.fdopen(handle, "wb") as file:
            made = secrets.token_bytes(KEY_BYTES)
            file.write(made)
            return made
    except OSError:
        return b""
