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

    A pass with many conclusions is applied in parts, so that nobody waits long for the store:
    `earlier` are the entries of the parts before the last.

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
    earlier: tuple[int, ...] = ()

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of all journal entries that hold its changes, in their order."""
        return self.earlier if self.journal is None else (*self.earlier, self.journal)


@dataclass(frozen=True, slots=True)
class Run:
    """One run over one realm. `number` rises by one per tenant; 0 before it is written down.

    `begun` is the pass of which some parts are applied and others not: a run that is cut short
    there goes on with the same pass, as it stood when that pass began.
    """

    realm: Realm
    reason: str
    concluded_by: str
    read_to: int
    started_at: datetime
    number: int = 0
    state: RunState = RunState.RUNNING
    finished_at: datetime | None = None
    passes: tuple[PassReport, ...] = ()
    begun: PassReport | None = None

    @property
    def reports(self) -> tuple[PassReport, ...]:
        """What every pass did so far, the one that is not through among them."""
        return self.passes if self.begun is None else (*self.passes, self.begun)

    @property
    def failed(self) -> str:
        """Why a part of the work is owed again; empty if none is."""
        return next((each.failed for each in self.passes if each.failed), "")

    @property
    def applied(self) -> int:
        """How many conclusions were applied in all."""
        return sum(each.applied for each in self.passes)
