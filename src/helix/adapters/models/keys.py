"""Where a server is and what opens it: what every adapter checks before it sends anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from helix.model.errors import BadInput
from helix.rules.addresses import carries_openly, holds_password, is_address


@dataclass(frozen=True, slots=True)
class Key:
    """A key to send, if any; or what stands in the way of sending it, and what to do."""

    key: str = ""
    fault: str = ""
    remedy: str = ""


def address_of(url: str, *, code: str) -> str:
    """Return a server's address as it may be shown, or raise `BadInput`."""
    # First of all: an address with a password must not be repeated, whatever else it is.
    if holds_password(url):
        raise BadInput(
            "the server's address holds a password",
            code=code,
            remedy="name an environment variable with the key as `key_variable` instead",
        )
    if not is_address(url):
        raise BadInput(
            f"{url!r} is not the address of a server",
            code=code,
            remedy="give it as https://host/v1 or http://localhost:11434/v1",
        )
    parts = urlsplit(url)
    return parts.netloc + parts.path.rstrip("/")


def key_for(url: str, variable: str, environment: Mapping[str, str]) -> Key:
    """Return the key that a variable holds, unless it is not set or would be sent in the clear."""
    if not variable:
        return Key()
    key = environment.get(variable, "")
    if not key:
        return Key(
            fault=f"the environment variable {variable} is not set",
            remedy=f"export {variable}, or take `key_variable` out of the settings",
        )
    if carries_openly(url):
        return Key(
            fault=f"{urlsplit(url).netloc} would be sent the key unencrypted",
            remedy="use https, or a server that needs no key",
        )
    return Key(key)
