"""Fitting an answer into a budget of tokens, and saying what had to stay out."""

from __future__ import annotations

from collections.abc import Sequence

from helix.model.frozen import dataclass

BYTES_PER_TOKEN = 3
"""A cautious estimate for English and code: no tokenizer is needed to stay inside."""

CITATION = 30
"""Tokens for what stands beside a memory's text: its id, its type, its day, who vouches."""

SHARE_OF_ONE = 0.5
"""At most this share of what is left goes to one memory while others wait."""

FEWEST = 16
"""A text cut to fewer tokens than this says nothing, and is left out."""

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Packed:
    """One text as it goes out, by its place in what was to be packed."""

    at: int
    text: str
    shortened: bool


def tokens(text: str) -> int:
    """Return how many tokens a text costs, by a cautious estimate."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def cost(text: str) -> int:
    """Return what a memory's text costs in an answer, its citation included."""
    return tokens(text) + CITATION


def packed(texts: Sequence[str], budget: int) -> tuple[list[Packed], list[int]]:
    """Return what fits, the best first and the second best last, and the places left out.

    Readers attend to the beginning and the end, so that is where the best two stand.
    """
    kept: list[Packed] = []
    left_out: list[int] = []
    left = budget
    for at, text in enumerate(texts):
        last = at == len(texts) - 1
        room = left if last else max(int(left * SHARE_OF_ONE), min(left, FEWEST + CITATION))
        if cost(text) <= room:
            kept.append(Packed(at, text, shortened=False))
        elif room >= FEWEST + CITATION:
            kept.append(Packed(at, shortened(text, room - CITATION), shortened=True))
        else:
            left_out.append(at)
            continue
        left -= cost(kept[-1].text)
    if len(kept) > 2:  # noqa: PLR2004 - the best, the others, the second best
        kept = [kept[0], *kept[2:], kept[1]]
    return kept, left_out


def shortened(text: str, budget: int) -> str:
    """Return the beginning of a text within a budget of tokens, marked as cut."""
    room = budget * BYTES_PER_TOKEN - len(ELLIPSIS.encode())
    return text.encode()[: max(room, 0)].decode(errors="ignore").rstrip() + ELLIPSIS
