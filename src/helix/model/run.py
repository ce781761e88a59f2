"""A run of sleep as it is remembered: pass by pass, what was read, proposed, applied, left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from helix.model.frozen import dataclass
from helix.model.night import Passed
from helix.model.scope import Realm


class RunState(StrEnum):
    """Where a run stands. A run that is `running` in no living process is resumed by the next."""

    RUNNING = "running"
    FINISHED = "finished"
    REVERTED = "reverted"


@dataclass(frozen=True, slots=True)
class PassReport:
    """What one pass did. `journal` is the entry that holds its changes; None if it made none.

    `passed` holds the first few things that were left alone; `skipped` counts them all. `failed`
    says why a part of the work could not be done; it is owed again.
    """

    name: str
    read: int
    proposed: int
    applied: int
    skipped: int
    decisions: Mapping[str, int] = field(default_factory=dict)
    passed: tuple[Passed, ...] = ()
    journal: int | None = None
    seconds: float = 0.0
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One run over one realm. `number` rises by one per tenant; 0 before it is written down."""

    realm: Realm
    reason: str
    concluded_by: str
    read_to: int
    started_at: datetime
    number: int = 0
    state: RunState = RunState.RUNNING
    finished_at: datetime | None = None
    passes: tuple[PassReport, ...] = ()

    @property
    def failed(self) -> str:
        """Why a part of the work is owed again; empty if none is."""
        return next((each.failed for each in self.passes if each.failed), "")

    @property
    def applied(self) -> int:
        """How many conclusions were applied in all."""
        return sum(each.applied for each in self.passes)
