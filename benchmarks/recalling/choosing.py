"""Which questions are asked: all, one half, or a number spread over the whole set."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.recalling.values import Asked, Haystack

HALVES = ("first", "second")


def in_half(haystack: Haystack, question: Asked, half: str) -> bool:
    """Return whether a question falls in a half; which one never changes.

    Weights are found on one half and confirmed on the other.
    """
    odd = zlib.crc32(f"{haystack.name}\n{question.text}".encode()) % 2
    return HALVES[odd] == half


def chosen(
    haystacks: Sequence[Haystack], half: str | None = None, limit: int | None = None
) -> list[Haystack]:
    """Return the haystacks with the questions that are asked; those without any are dropped."""
    pairs = [
        (place, question)
        for place, haystack in enumerate(haystacks)
        for question in haystack.questions
        if half is None or in_half(haystack, question, half)
    ]
    if limit is not None and limit < len(pairs):
        pairs = [pairs[step * len(pairs) // limit] for step in range(limit)]
    kept: dict[int, list[Asked]] = {}
    for place, question in pairs:
        kept.setdefault(place, []).append(question)
    return [replace(haystacks[place], questions=tuple(asked)) for place, asked in kept.items()]
