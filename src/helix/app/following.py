"""Redaction as the settings want it now: they may change below a server that runs for weeks.

Whoever asks that telephone numbers be taken out means from now on, and not from the next
start of every agent's server.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from helix.app.homes import user_home
from helix.app.keyring import tagging
from helix.app.settings import SETTINGS_NAME, Settings, load
from helix.capture.admission import Gate, gates, redaction

Stamp = tuple[int, int, int] | None


def gates_in_force(
    chosen: Settings, environment: Mapping[str, str], types: Sequence[str]
) -> tuple[Gate, ...]:
    """Return the gates; the one that redacts looks whether the settings have changed.

    Once they cannot be read, it raises `BadInput`, as opening a memory does. `types` are
    registered by this process, and the settings may speak of them.
    """
    tag = tagging(chosen.home)
    here = {**environment, "HELIX_HOME": str(chosen.home)}
    wanted = _followed(
        chosen.home / SETTINGS_NAME, chosen.redact_people,
        lambda: load(here, user_home(), types).redact_people,
    )  # fmt: skip
    either = {people: redaction(tag, people=people) for people in (False, True)}

    def redact(text: str) -> str:
        return either[wanted()](text)

    return (*gates(tag)[:-1], redact)


def _followed(path: Path, first: bool, again: Callable[[], bool]) -> Callable[[], bool]:
    """Return what says how a setting stands, and reads the file again when it is another."""
    name = os.fspath(path)
    known = (_stamp(name), first)

    def wanted() -> bool:
        nonlocal known
        before, value = known
        stamp = _stamp(name)
        if stamp != before:
            value = again()
            known = (stamp, value)
        return value

    return wanted


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)  # noqa: PTH116 - for every text that is kept
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
