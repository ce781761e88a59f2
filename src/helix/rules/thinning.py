"""Too many to show: the first and the last are kept, as of a story its beginning and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def thinned(items: Sequence[Item], limit: int) -> list[Item]:
    """Return at most `limit` items, half of them from the front and half from the end."""
    if len(items) <= limit:
        return list(items)
    front = limit - limit // 2
    return [*items[:front], *items[len(items) - limit // 2 :]]
