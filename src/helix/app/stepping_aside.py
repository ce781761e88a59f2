"""A process that nobody waits for lets others go first."""

from __future__ import annotations

import os
from functools import cache

NICENESS = 10
"""Steps of priority below whoever started it: a capture is not held up on a full machine.

Not more: whoever holds the store's lock must still get to the end of its few milliseconds.
"""


@cache
def step_aside() -> None:
    """Lower this process's priority for the rest of its life; harmless where that is unknown."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
