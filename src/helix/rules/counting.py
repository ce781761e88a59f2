"""Numbers of things, in words: "1 memory", "1,204 memories"."""

from __future__ import annotations


def how_many(number: int, one: str) -> str:
    """Return a number with the thing it counts, named in the singular."""
    if number == 1:
        return f"1 {one}"
    many = f"{one[:-1]}ies" if one.endswith("y") else f"{one}s"
    return f"{number:,} {many}"
