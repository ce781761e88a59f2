"""The real clock and the real chance."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime


class SystemClock:
    """Implements `Clock` with the machine's own."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC)


class SystemChance:
    """Implements `Chance` with the operating system's randomness."""

    def salt(self) -> bytes:
        """See `Chance.salt`."""
        return secrets.token_bytes(16)

    def event_id(self) -> str:
        """See `Chance.event_id`.

        It begins with the time, so that ids given out together lie together in an index.
        """
        return f"ev_{time.time_ns() // 1000:x}_{secrets.token_hex(6)}"
