"""After a hook's own work: if sleep is owed and nobody does it, one process is started that does.

With hooks alone connected, no server runs that could sleep. A hook cannot: it has a tenth of a
second. It looks where a session begins, a turn ends or a session ends, and what it starts
outlives it, whatever the agent does to the hook. Everything said has been said by then.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from helix.doors.hooks import events

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.app.settings import Settings
    from helix.doors.hooks.events import Event

LOOKS = frozenset((events.SESSION_START, events.TURN_END, events.SESSION_END))
"""Where somebody just waited for a person anyway; a use of a tool is not held up."""

NOT_AGAIN = 60.0
"""Seconds: a turn may end every few. What cannot be slept over is not tried at each of them."""


def sleep_if_owed(event: Event, memory: Helix) -> bool:
    """Start a process that sleeps, if one is needed here; return whether one was started."""
    if event.kind not in LOOKS:
        return False
    from helix.app.wiring import planted, settings
    from helix.model.errors import StoreUnavailable
    from helix.sleep.timing import is_due, owe_what_waits

    chosen, context = settings(), memory.context
    if not chosen.sleep.by_hooks or context.store.read_only:
        return False
    folder = Path(event.text("cwd") or ".")
    # Its model would be asked, with everything a store holds.
    if planted(chosen, context.root or folder):
        return False
    tenant = context.realm.tenant
    if event.kind != events.TURN_END and chosen.sleep.every is not None:
        with suppress(StoreUnavailable):  # somebody writes; the next session owes it
            owe_what_waits(context.store, context.clock, tenant, chosen.sleep.every, wait=False)
    if not is_due(context.store, context.clock, tenant):
        return False
    return _started(event, chosen, context.root)


def _started(event: Event, chosen: Settings, root: Path | None) -> bool:
    from helix.doors.falling_asleep import fallen_asleep, lock_beside

    if event.kind == events.TURN_END:
        try:
            last = lock_beside(chosen.store).stat().st_mtime
        except OSError:
            last = 0.0
        if 0 <= time.time() - last < NOT_AGAIN:
            return False
    # Nobody embeds either, where no resident runs.
    return fallen_asleep(chosen.store, root or chosen.store.parent, enrich=True) is not None
