"""A session: one stretch of an agent's work, in one realm."""

from __future__ import annotations

from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.scope import Realm


@dataclass(frozen=True, slots=True)
class Session:
    """A session as folded so far; an episode may come before its start is recorded."""

    id: str
    realm: Realm
    started_at: datetime
    ended_at: datetime | None = None
    agent: str = ""
    episodes: int = 0
    last_episode: str = ""
