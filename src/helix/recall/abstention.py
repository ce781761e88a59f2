"""Whether the best candidate answers at all.

Two things speak for an answer: that it holds the telling words of the question, and that
it means something close to it. Two speak against: that it asks instead of telling, and that the
best are by others than the one whom the question names. "What is Melanie's necklace?" is met by
Melanie asking for somebody else's.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix.recall.signals import Candidate

THRESHOLD = 0.12
"""Below this confidence memory says that it does not know; see docs/ranking.md for the curve."""

FAR, NEAR = 0.15, 0.65
"""Cosines at which two texts have nothing, or everything, to do with each other."""

HALF_AS_CLOSE = 0.5
"""The share of the best one's cosine that counts where everything lies far away."""

ASKING = 0.5
"""What is left of the confidence where the best candidate ends in a question."""

OTHERS = 0.3
"""The same, where none of the best is by the one whom the question names."""

AMONG = 5
"""How many of the best are looked at for who said them."""


def confidence(words: Sequence[str], best: Candidate, among: Sequence[Candidate] = ()) -> float:
    """Return how sure recall is that the best candidate answers, in [0, 1].

    `among` are the best candidates, of which it is one.
    """
    share = len(best.matched) / len(words) if words else 0.0
    close = min(1.0, max(0.0, (best.meaning - FAR) / (NEAR - FAR)))
    # Without meaning, words are what there is; without words, meaning.
    sides = [share] if not best.meaning else [close] if not words else [share, close]
    sure = max(sum(sides) / len(sides), 0.5 * best.linked)
    if best.in_context and best.memory.content.rstrip().endswith("?"):
        sure *= ASKING
    return round(sure * _by_whom(among), 4)


def speaking(order: Sequence[tuple[float, Candidate]]) -> list[tuple[float, Candidate]]:
    """Return the best, and the others that words, meaning, a name, a link or time speak for.

    Another model may put everything far away; then what is half as close as the best counts.
    """
    close = min(FAR, HALF_AS_CLOSE * max(each.meaning for _, each in order))
    return [*order[:1], *(entry for entry in order[1:] if _speaks(entry[1], close))]


def _speaks(each: Candidate, close: float) -> bool:
    worded = each.matched or each.words or each.words_around or each.named or each.linked
    meant = max(each.meaning, each.meaning_around)
    return bool(worded or each.contributions.get("time") or (meant and meant >= close))


def _by_whom(among: Sequence[Candidate]) -> float:
    named = [each.named == 1.0 for each in among]
    if not any(named):
        return 1.0  # nobody was named, or nothing is held of them
    share = sum(named[:AMONG]) / len(named[:AMONG])
    return OTHERS + (1.0 - OTHERS) * share
