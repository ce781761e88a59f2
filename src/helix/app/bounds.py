"""What may be asked for: how many, from where on, when, and of which of a few names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import TypeVar

from helix.model.errors import BadInput
from helix.model.moment import as_moment

Moment = datetime | date | str

MOST_LISTED = 1_000_000
FURTHEST = 1 << 62
"""Beyond every position a ledger can have, and still a number that stores can compare with."""

Name = TypeVar("Name", bound=StrEnum)


def bounded(limit: int) -> int:
    """Return how many may be listed, or raise `BadInput`."""
    if 0 <= limit <= MOST_LISTED:
        return limit
    raise BadInput(
        f"{limit} cannot be listed", code="out_of_range", remedy=f"ask for up to {MOST_LISTED:,}"
    )


def paged(before: int | None) -> int | None:
    """Return the position to page on from, however far beyond either end it lies."""
    return None if before is None else max(0, min(before, FURTHEST))


def position_in(text: str) -> int | None:
    """Return the position that a text tells, if it is one."""
    if not text.isdecimal():
        return None
    return FURTHEST if len(text) > len(str(FURTHEST)) else paged(int(text))


def moment_or_none(given: Moment | None) -> datetime | None:
    """Return the moment that is given, if one is."""
    return None if given is None else as_moment(given)


def one_of(names: type[Name], given: str) -> Name:
    """Return the one that is named, or raise `BadInput` naming those that exist."""
    try:
        return names(given)
    except ValueError:
        raise BadInput(
            f"there is no {names.__name__.lower()} {given!r}",
            code=f"unknown_{names.__name__.lower()}",
            remedy="use one of: " + ", ".join(names),
        ) from None


def each_of(names: type[Name], given: Sequence[str]) -> list[Name]:
    """Return those that are named, or raise `BadInput`."""
    return [one_of(names, each) for each in given]
