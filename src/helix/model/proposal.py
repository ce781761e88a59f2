"""Proposals: what a sweep would do to one memory or edge, and why, before it is done."""

from __future__ import annotations

from helix.model.changes import Change
from helix.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing that should change; `undo` takes it back. `about` names a memory or an edge."""

    about: str
    reason: str
    changes: tuple[Change, ...]
    undo: tuple[Change, ...]
