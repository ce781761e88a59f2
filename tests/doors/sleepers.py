"""Whoever sleeps by itself after a test's processes are gone."""

from __future__ import annotations

import time

from helix.doors.falling_asleep import lock_beside
from helix.doors.resident import locked

SECONDS = 90.0


def asleep(store):
    """Tell whether a process that was started to sleep over a store is still there."""
    path = lock_beside(store)
    if not path.exists():
        return False
    with path.open("a") as file:
        return not locked(file)


def awake(store):
    """Wait until nobody sleeps over a store any more: a test leaves nothing running."""
    end = time.monotonic() + SECONDS
    while asleep(store):
        assert time.monotonic() < end, "it sleeps and sleeps"
        time.sleep(0.02)
