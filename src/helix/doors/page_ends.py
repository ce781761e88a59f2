"""Where a page of memories ends, in a form that leads to the next one."""

from __future__ import annotations

from helix.model.memory import Memory


def page_end(last: Memory) -> int | str:
    """Return the position of the last memory shown, or its id where it has none."""
    return last.position or last.id
