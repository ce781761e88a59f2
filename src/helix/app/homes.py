"""Where `~` leads: the user's home, and that of others on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from helix.model.errors import BadInput


def user_home() -> Path:
    """Return the user's home; a plain `~` where the system knows of none.

    So it is for a user that exists as a number alone, as in many containers: whoever sets
    HELIX_HOME there needs no other.
    """
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - `Path.home` raises instead


def expanded(path: str | Path) -> Path:
    """Return a path with `~` followed; raises `BadInput` where it leads nowhere, or is no path."""
    # pathlib raises a bare RuntimeError for a user nobody knows.
    found = os.path.expanduser(path)  # noqa: PTH111
    if found.startswith("~"):
        named = Path(found).parts[0]
        raise BadInput(
            f"there is no home folder for {named}" if named != "~" else "no home folder is known",
            code="no_home",
            remedy="set HOME, or write the path in full" if named == "~" else "write it in full",
        )
    if "\0" in found:
        raise BadInput("a path cannot hold a NUL", code="bad_path", remedy="correct the path")
    return Path(found)
