"""Whose decision it was that a memory stands as it does."""

from __future__ import annotations

from collections.abc import Callable

from helix.app.context import Context
from helix.app.telling import entry_of
from helix.ledger.workflow import told
from helix.model.errors import Conflict
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Origin
from helix.ports.store import Unit


def check_the_user(context: Context, what: str, command: str) -> None:
    """Raise `Conflict` where an agent asks for what only the user may do."""
    if context.source.origin is not Origin.USER_ASSERTED:
        raise Conflict(
            f"an agent cannot {what}",
            code="needs_the_user",
            remedy=f"let the user run it: `{command}`",
        )


def users_decision(
    unit: Unit, context: Context, memory: Memory, holds: Callable[[Belief], bool]
) -> bool:
    """Return whether it was the user by whose act `holds` came to be true of a memory.

    Beliefs that followed and left it true do not count: a pin stays the user's when an agent
    confirms the memory.
    """
    began = 0
    for belief in reversed(unit.projection.beliefs(context.realm, memory.id)):
        if not holds(belief):
            break
        began = belief.since
    record = unit.ledger.at(context.realm.tenant, began) if began else None
    return record is not None and entry_of(told(record)).origin == Origin.USER_ASSERTED


def is_pinned(belief: Belief) -> bool:
    """Return whether a memory is kept from fading."""
    return belief.pinned


def is_forgotten(belief: Belief) -> bool:
    """Return whether a memory has stepped back."""
    return belief.status is Status.FORGOTTEN
