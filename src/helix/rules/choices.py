"""One thing rather than another: "pnpm, not npm", "Postgres over Mongo", "A before B".

The words of such statements are the same on both sides of a quarrel; only their places tell
who says what. Everything else in the two statements has to be the same, or nothing is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from helix.rules.polarity import negations
from helix.rules.stems import reduced, tokens
from helix.rules.words import STOP_WORDS

MOST_WORDS_OF_A_THING = 3

_RATHER = re.compile(
    r",? (?:instead of|rather than|in place of) |(?:,|\bbut|\band) not ", re.IGNORECASE
)
_OVER = re.compile(r" over ", re.IGNORECASE)
_CHOOSES = re.compile(
    r"\b(?:chose|chosen|choose|pick(?:ed)?|prefer(?:s|red)?|favou?r(?:s|ed)?|select(?:ed)?|uses?"
    r"|went|go|going)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\b(before|after)\b", re.IGNORECASE)
_ENDS = re.compile(r"[,.;:!?](?:\s|$)")
_ARTICLES = ("a", "an", "the", "our")


class _Choice(NamedTuple):
    """The words before and after "rather than", and those of which the rejected thing is made."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    rejected: tuple[str, ...]

    def rejections(self) -> Iterator[tuple[str, ...]]:
        """Yield what may be the name of the rejected thing, shortest first."""
        for size in range(1, min(len(self.rejected), MOST_WORDS_OF_A_THING) + 1):
            yield self.rejected[:size]

    def words(self) -> Counter[str]:
        return Counter(self.before + self.after)


def turned_round(one: str, other: str) -> bool:
    """Return whether two statements say the opposite with the same two things.

    "Use pnpm, not npm" beside "use npm, not pnpm" or "use npm"; "A before B" beside
    "B before A".
    """
    return _swapped(one, other) or _preferred(one, other) or _preferred(other, one) or (
        _mirrored(one, other) is False
    )  # fmt: skip


def in_agreement(one: str, other: str) -> bool:
    """Return whether what looks like a denial is none: the same choice, or order, told otherwise.

    "Use pnpm, not npm" beside "use pnpm"; "A before B" beside "B after A".
    """
    return _chosen(one, other) or _chosen(other, one) or _told_from_both_ends(one, other)


def same_order(one: str, other: str) -> bool:
    """Return whether "A before B" stands beside "B after A", and nothing is denied."""
    return not negations(one) and not negations(other) and _mirrored(one, other) is True


@lru_cache(maxsize=32_768)
def _choice(text: str) -> _Choice | None:
    text = " ".join(text.split())
    found = list(_RATHER.finditer(text))
    chooses = _CHOOSES.search(text)
    if chooses is not None:
        found += _OVER.finditer(text, chooses.end())
    if len(found) != 1:
        return None
    left, right = text[: found[0].start()], text[found[0].end() :]
    named: list[str] = []
    for token in tokens(_ENDS.split(right, maxsplit=1)[0]):
        if token.lower() in _ARTICLES and not named:
            continue
        if token.lower() in STOP_WORDS:
            break
        named += reduced(token)
    if not named or not reduced(left):
        return None
    return _Choice(tuple(reduced(left)), tuple(reduced(right)), tuple(named))


def _swapped(one: str, other: str) -> bool:
    ours, theirs = _choice(one), _choice(other)
    if ours is None or theirs is None or ours.words() != theirs.words():
        return False
    return any(
        mine != yours
        and ours.before[-len(yours) :] == yours
        and theirs.before[-len(mine) :] == mine
        for mine in ours.rejections()
        for yours in theirs.rejections()
    )


def _preferred(one: str, plain: str) -> bool:
    """Tell whether a statement simply says what a choice turned down."""
    ours = _choice(one)
    if ours is None or negations(plain) or _choice(plain) is not None:
        return False
    said = Counter(reduced(plain))
    return any(
        ours.words() - Counter(ours.before[-size:]) == said and Counter(mine) <= said
        for mine in ours.rejections()
        for size in range(1, min(len(ours.before) - 1, MOST_WORDS_OF_A_THING) + 1)
    )


def _chosen(one: str, plain: str) -> bool:
    """Tell whether a statement simply says what a choice decided for."""
    ours = _choice(one)
    if ours is None or negations(plain):
        return False
    said = Counter(reduced(plain))
    return any(ours.words() - Counter(mine) == said for mine in ours.rejections())


class _Order(NamedTuple):
    """What a statement says before and after its "before" or "after"."""

    word: str
    before: Counter[str]
    after: Counter[str]


@lru_cache(maxsize=32_768)
def _order(text: str) -> _Order | None:
    parts = _ORDER.split(text)
    if len(parts) != 3:  # noqa: PLR2004 - what stands before, the word, what stands after
        return None
    return _Order(parts[1].lower(), Counter(reduced(parts[0])), Counter(reduced(parts[2])))


def _crossed(one: _Order, other: _Order) -> bool:
    """Tell whether what one statement names after its word, the other names before."""
    crossed = one.after & other.before and other.after & one.before
    return bool(crossed) and not one.after & other.after


def _mirrored(one: str, other: str) -> bool | None:
    """Return whether two orders of the same two things agree; None where they are not that."""
    ours, theirs = _order(one), _order(other)
    if ours is None or theirs is None or not _crossed(ours, theirs):
        return None
    if ours.before + ours.after != theirs.before + theirs.after:
        return None
    whole = ours.after <= theirs.before and theirs.after <= ours.before
    return ours.word != theirs.word if whole else None


def _told_from_both_ends(one: str, other: str) -> bool:
    ours, theirs = _order(one), _order(other)
    if ours is None or theirs is None:
        return False
    return ours.word != theirs.word and _crossed(ours, theirs)
