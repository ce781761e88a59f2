"""A night: what one sleep run looks at, and what it concludes from it.

Every pass of a sleep run has one signature: it takes a `Night` and returns `Findings`. Both
are plain values, so a pass can neither write, nor look elsewhere, nor ask the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from helix.model.changes import Change
from helix.model.frozen import dataclass
from helix.model.life import Use
from helix.model.memory import Memory
from helix.model.scope import Realm


class Decision(StrEnum):
    """What becomes of a candidate."""

    ADD = "add"
    UPDATE = "update"
    NOOP = "noop"
    SUPERSEDE = "supersede"
    FLAG = "flag"
    LINK = "link"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Night:
    """What a run reads: one realm as it stood when the run began, and what it concluded since.

    `episodes` are the active ones up to `read_to`, in their order; `held` is everything else
    in the realm, whatever its status, by id. `erased` and `stepped_back` are the positions of
    records whose payload was destroyed, and of episodes that were forgotten, held back or turned
    away. `refused` are ids that a person took back by reverting a run. `uses` are those of what
    was used several times, by id, up to `read_to`. `exists` says whether a thing of some kind is in
    the project's working tree (None: it cannot be known); it is None where there is no tree.
    `head` is where the ledger ended when all this was read: what was erased after it may still
    be in here.
    """

    realm: Realm
    now: datetime
    read_to: int
    episodes: tuple[Memory, ...] = ()
    held: Mapping[str, Memory] = field(default_factory=dict)
    erased: frozenset[int] = frozenset()
    stepped_back: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    uses: Mapping[str, tuple[Use, ...]] = field(default_factory=dict)
    exists: Callable[[str, str], bool | None] | None = None
    head: int = 0

    @property
    def credible(self) -> tuple[Memory, ...]:
        """The episodes that are under no suspicion: on these alone a conclusion may rest."""
        return tuple(each for each in self.episodes if each.belief.suspicion is None)

    @property
    def place(self) -> str:
        """What the realm is called in a sentence."""
        return "This project" if self.realm.scope != "global" else "Work"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One thing concluded: why, from what, and the changes it takes.

    `key` is the id of the memory or edge that stands for it: where that exists already, there
    is nothing to do. `grounds` are ids of memories it cites.
    """

    decision: Decision
    key: str
    why: str
    grounds: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """Something a pass or a gate left alone, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a pass read, proposes, and left alone."""

    read: int = 0
    conclusions: tuple[Conclusion, ...] = ()
    passed: tuple[Passed, ...] = ()
