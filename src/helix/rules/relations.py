"""How a new statement stands to one that is held: the same, more, instead, against, or apart.

Decided from the words themselves, value by value, and never by one cosine threshold: close
vectors only say which pairs are worth comparing. The bias is deliberate. What is taken for a
duplicate is lost to the reader, so everything that differs in a value, in its direction or
in any telling word that is no known synonym stays apart.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from helix.rules.choices import in_agreement, same_order, turned_round
from helix.rules.polarity import is_negation, negations, opposite
from helix.rules.slots import (
    CHANGE,
    besides,
    has_purpose,
    holds_one_value,
    in_slot,
    is_aside,
    is_needed,
    is_used,
)
from helix.rules.stems import reduced, stem, tokens
from helix.rules.trades import other_trade, same_trade
from helix.rules.values import NAME, Value, number_word, values
from helix.rules.vocabulary import listed

SAME_FRAME = 0.6
"""Share of the telling words around a differing value that two statements must have in common
to speak of the same thing."""

NEGATION_FRAME = 0.6
"""The same for two statements that differ in their direction."""


class Relation(StrEnum):
    """What a new statement is to a held one."""

    NEW = "new"
    DUPLICATE = "duplicate"
    EXTENDS = "extends"
    UPDATES = "updates"
    DERIVES = "derives"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two statements differ: of what kind, and what stands on each side."""

    kind: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two statements share, as a share of the shorter frame, and in what they differ."""

    shared: float
    differences: tuple[Difference, ...]
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]


_UPDATING = re.compile(
    r"\b(now|actually|instead|no longer|not anymore|any ?more|moved|switched|migrated|changed"
    r"|replaced|renamed|upgraded|downgraded|bumped|as of|since (?:today|yesterday|last)|from now"
    r" on|correction|turns out)\b",
    re.IGNORECASE,
)
_CONDITIONS = listed("""
    only if unless except when while before after until on in for during with without
    """)
_IDLE = frozenset(map(stem, listed("""
    please also really very just actually now still currently again always note nobody somebody
    someone everyone one
    """)))  # fmt: skip
_WHERE = listed("""
    in into out off onto from under over behind before after until above below near through
    without against between along across within outside inside beside
    """)


def updates(text: str) -> bool:
    """Return whether a statement says of itself that it replaces an earlier one."""
    return _UPDATING.search(text) is not None


@lru_cache(maxsize=32_768)
def telling(text: str) -> tuple[str, ...]:
    """Return the reduced words that a comparison counts, in order."""
    return tuple(number_word(word) for word in reduced(text) if word not in _IDLE)


def compare(ours: str, theirs: str) -> Comparison:
    """Return what two statements share and in what they differ."""
    if same_order(ours, theirs):
        return Comparison(1.0, (), (), ())
    mine, yours = Counter(telling(ours)), Counter(telling(theirs))
    common = mine & yours
    only_mine, only_yours = mine - common, yours - common
    found = list(_value_differences(ours, theirs, set(only_mine), set(only_yours)))
    found += [Difference("opposite", a, b) for a in only_mine for b in only_yours if opposite(a, b)]
    if negations(ours) != negations(theirs):
        found.append(Difference("negation", str(negations(ours)), str(negations(theirs))))
    if not found and not only_mine and not only_yours:
        found += [
            Difference(kind, " ".join(first), " ".join(second))
            for kind, first, second in (
                ("order", telling(ours), telling(theirs)),
                ("place", _where(ours), _where(theirs)),
            )
            if first != second
        ]
    # What differs is not part of the frame around it.
    slots = sum(each.kind not in ("negation", "order", "opposite") for each in found)
    frame = max(1, min(mine.total(), yours.total()) - slots)
    return Comparison(
        min(1.0, common.total() / frame),
        tuple(found),
        tuple(only_mine.elements()),
        tuple(only_yours.elements()),
    )


def differs_in_value(ours: str, theirs: str) -> bool:
    """Return whether two statements differ in a value or in direction, so may never be merged."""
    return bool(compare(ours, theirs).differences)


def relation(new: str, held: str, *, same_source: bool = False) -> Relation:
    """Return what a new statement is to a held one.

    `same_source` says that whoever said the held one says the new one too: then a differing
    value in the same place is an update of their own word. DERIVES is never read off words;
    a conclusion that cites a memory derives from it.
    """
    seen = compare(new, held)
    against = turned_round(new, held)
    if not seen.differences and not against:
        return _without_difference(new, held, seen)
    if against or _excludes(new, held, seen):
        return Relation.UPDATES if updates(new) or same_source else Relation.CONTRADICTS
    return Relation.NEW


def replaces(new: str, held: str) -> bool:
    """Return whether a statement says the same of the same thing as a held one, but for the value.

    Stricter than excluding it: an exception does not end a rule, and whether two tools fill one
    place only a person knows, unless both are known to do the same work.
    """
    if turned_round(new, held):
        return True
    seen = compare(new, held)
    if not seen.differences or not _excludes(new, held, seen):
        return False
    by_kind = {each.kind: each for each in seen.differences}
    rest = {*seen.only_ours, *seen.only_theirs} - CHANGE
    if "negation" in by_kind:
        return all(map(is_negation, rest))
    if "opposite" in by_kind:
        return rest == {by_kind["opposite"].ours, by_kind["opposite"].theirs}
    (differing,) = seen.differences
    if differing.kind in (NAME, "word", "unknown") and is_used(new) and not has_purpose(new):
        return same_trade(differing.ours, differing.theirs)
    return True


def _without_difference(new: str, held: str, seen: Comparison) -> Relation:
    if not seen.only_ours and not seen.only_theirs:
        return Relation.DUPLICATE if telling(new) else Relation.NEW
    if seen.only_ours and not seen.only_theirs:
        kept = set(_where(held)) <= set(_where(new))
        return Relation.EXTENDS if kept else Relation.NEW
    if seen.only_theirs and not seen.only_ours:
        # It says less than what is held. That is nothing new, unless what it leaves out was a
        # condition: "deploy" is a bolder claim than "deploy on Fridays".
        left_out = set(map(str.lower, tokens(held))) ^ set(map(str.lower, tokens(new)))
        bolder = left_out & (_CONDITIONS | _WHERE) or set(seen.only_theirs) & _value_words(held)
        return Relation.NEW if bolder else Relation.DUPLICATE
    return Relation.NEW


def _excludes(new: str, held: str, seen: Comparison) -> bool:
    """Tell whether both cannot hold at once, as far as words can tell."""
    kinds = {each.kind for each in seen.differences}
    if kinds & {"order", "place"} or in_agreement(new, held):
        return False
    shared = len(telling(new)) - len(seen.only_ours)
    if "negation" in kinds:
        denied = seen.shared >= NEGATION_FRAME and shared >= 2 and kinds == {"negation"}  # noqa: PLR2004
        return denied and not _other_purpose(new, held, seen)
    if shared < 1 or seen.shared < SAME_FRAME:
        return False
    if "opposite" in kinds:
        return _opposed(seen)
    return _one_for_one(new, held, seen)


def _other_purpose(new: str, held: str, seen: Comparison) -> bool:
    """Tell whether each side says another thing that it is for, or where or when it is so."""
    return any(is_aside(new, each) for each in seen.only_ours) and any(
        is_aside(held, each) for each in seen.only_theirs
    )


def _opposed(seen: Comparison) -> bool:
    """Tell whether only the direction differs, and at most one side says a word more."""
    words = (len(seen.only_ours), len(seen.only_theirs))
    return max(words) <= 2 and min(words) == 1  # noqa: PLR2004


def _one_for_one(new: str, held: str, seen: Comparison) -> bool:
    """Tell whether one value stands against one, in a place that holds only one at a time."""
    if len(seen.differences) != 1:
        return False
    (differing,) = seen.differences
    most = max(len(seen.only_ours), len(seen.only_theirs))
    if differing.kind in ("word", "unknown") and most > 1:
        return False
    if negations(new) and negations(held):
        return False  # Of two things that are forbidden, neither allows the other.
    if _room_for_both(new, differing):
        return False
    return all(
        holds_one_value(text, value)
        and in_slot(text, value)
        and not is_aside(text, value)
        and not besides(text, value, only)
        for text, value, only in (
            (new, differing.ours, seen.only_ours),
            (held, differing.theirs, seen.only_theirs),
        )
    )


def _room_for_both(text: str, differing: Difference) -> bool:
    """Tell whether both may be used or needed at once: things of no trade, or of different ones."""
    if differing.kind not in (NAME, "word", "unknown"):
        return False
    one, other = differing.ours, differing.theirs
    if is_needed(text):
        return not same_trade(one, other)
    plain = differing.kind == "word" and not has_purpose(text)
    return is_used(text) and (other_trade(one, other) or plain)


def _value_differences(ours: str, theirs: str, mine: set[str], yours: set[str]) -> list[Difference]:
    """Return the values that stand on one side against values of the same kind on the other."""
    only_ours = [each for each in values(ours) if each.key not in {v.key for v in values(theirs)}]
    only_theirs = [each for each in values(theirs) if each.key not in {v.key for v in values(ours)}]
    found = []
    taken: set[Value] = set()
    for value in only_ours:
        against = [each for each in only_theirs if each not in taken and _comparable(value, each)]
        against.sort(key=lambda each: each.head != value.head)
        if against:
            taken.add(against[0])
            found.append(Difference(value.kind, value.key, against[0].key))
    if not found and (only_ours or only_theirs) and mine and yours:
        # A value against a word whose meaning is unknown ("Petra" against "zorblax").
        ours_first = only_ours[0].key if only_ours else min(mine)
        theirs_first = only_theirs[0].key if only_theirs else min(yours)
        found.append(Difference("unknown", ours_first, theirs_first))
    if not found and len(mine) == len(yours) == 1 and not only_ours and not only_theirs:
        found.append(Difference("word", next(iter(mine)), next(iter(yours))))
    return found


def _comparable(first: Value, second: Value) -> bool:
    if first.kind == second.kind:
        return True
    numbers = {"number", "version"}
    names = {NAME, "code", "path", "colour"}
    return {first.kind, second.kind} <= numbers or {first.kind, second.kind} <= names


def _where(text: str) -> tuple[str, ...]:
    return tuple(word for word in map(str.lower, tokens(text)) if word in _WHERE)


def _value_words(text: str) -> set[str]:
    return {stem(each.key) for each in values(text)}
