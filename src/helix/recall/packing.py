"""Fitting an answer into a budget of tokens, with what was left out said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LETTERS_PER_TOKEN = 4
"""A cautious estimate for English and code; no model's tokenizer is needed to stay inside."""

SHARE_OF_ONE = 0.5
"""At most this share of the budget goes to one memory while others wait."""

FEWEST_TOKENS = 16
"""What is shorter than this after shortening is not worth its place."""

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Packed:
    """One memory's text as it goes out; shortened ones are expanded by their id."""

    id: str
    text: str
    shortened: bool


def tokens(text: str) -> int:
    """Return how many tokens a text costs at most, by estimate."""
    return -(-len(text.encode()) // LETTERS_PER_TOKEN)


def packed(texts: Sequence[tuple[str, str]], budget: int) -> tuple[list[Packed], list[str]]:
    """Return what fits, best first and the second best last, and the ids left out.

    Readers attend to the beginning and the end, so that is where the best two stand.
    """
    kept: list[Packed] = []
    left_out: list[str] = []
    remaining = budget
    for index, (memory_id, text) in enumerate(texts):
        cap = remaining if index == len(texts) - 1 else int(max(remaining * SHARE_OF_ONE, 1))
        cost = tokens(text)
        if cost <= min(cap, remaining):
            kept.append(Packed(memory_id, text, shortened=False))
            remaining -= cost
        elif min(cap, remaining) >= FEWEST_TOKENS:
            short = shortened(text, min(cap, remaining))
            kept.append(Packed(memory_id, short, shortened=True))
            remaining -= tokens(short)
        else:
            left_out.append(memory_id)
    if len(kept) > 2:  # noqa: PLR2004 - best, the others, second best
        kept = [kept[0], *kept[2:], kept[1]]
    return kept, left_out


def shortened(text: str, budget: int) -> str:
    """Return the beginning of a text within a budget of tokens, marked as cut."""
    room = budget * LETTERS_PER_TOKEN - len(ELLIPSIS.encode())
    return text.encode()[: max(room, 0)].decode(errors="ignore").rstrip() + ELLIPSIS
