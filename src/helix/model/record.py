"""A ledger record: one act, in its place, under its seal."""

from __future__ import annotations

from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.moment import FIRST_MOMENT
from helix.model.scope import Realm


@dataclass(frozen=True, slots=True)
class Payload:
    """The erasable part of a record: its encoded act, and the salt of its digest.

    Without the salt the digest left in the chain says nothing about the text.
    """

    salt: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """What the ledger keeps for ever, and the payload unless it was erased.

    Positions rise by one within a tenant. `recorded_at` rises strictly with them, even
    when the machine's clock jumps back, so that time and position tell the same story.
    """

    realm: Realm
    kind: str
    version: int
    event_id: str
    recorded_at: datetime
    payload: Payload | None
    position: int = 0
    digest: bytes = b""
    previous: bytes = b""
    seal: bytes = b""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a tenant's ledger: what the next record continues."""

    position: int
    recorded_at: datetime
    seal: bytes


EMPTY_HEAD = Head(position=0, recorded_at=FIRST_MOMENT, seal=b"\0" * 32)
"""The head of a ledger in which nothing stands yet."""
