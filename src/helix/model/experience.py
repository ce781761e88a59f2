"""An experience on its way in: what a caller hands to capture, before it is admitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.memory import EventTime
from helix.model.provenance import Source


@dataclass(frozen=True, slots=True)
class Experience:
    """Something that happened, in the caller's words."""

    content: str
    source: Source
    event_id: str
    session: str = ""
    tool: str = ""
    exit_status: int | None = None
    files: tuple[str, ...] = ()
    parent_event_id: str = ""
    occurred_at: datetime | None = None
    importance_hint: float | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    waits_for: str = ""
    """The source it comes from, if nobody trusts that one yet."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is held to be so, in the caller's words."""

    content: str
    source: Source
    type: str
    importance_hint: float | None = None
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    event_time: EventTime | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    waits_for: str = ""
    """The source it comes from, if nobody trusts that one yet."""
