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

from helix.rules.polarity import negations, opposite
from helix.rules.stems import reduced, stem, tokens
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
_FUNCTIONAL = listed("""
    is are was be use uses using own owns owner maintain maintains maintainer live lives deploy
    deploys run runs default favourite favorite prefer prefers named called name host hosted
    hosts listen listens lead leads manages manage belongs assigned pin pinned stored kept goes
    at port version branch colour color timeout limit size count number email phone address
    password format style license formatter linter requires need needs returns equals set expects
    reviews approves starts ends begins due release released scheduled located works reports
    """)
_OWNING = listed("own owns maintain maintains lead leads manage manages reviews approves")
_VERBS = _OWNING | listed("""
    is are was be use uses live lives deploy deploys run runs prefer prefers listen listens goes
    belongs requires needs returns equals expects starts ends begins works reports
    """)
_FUNCTIONAL_STEMS = frozenset(map(stem, _FUNCTIONAL))
_CONDITIONS = listed("""
    only if unless except when while before after until on in for during with without
    """)
_IDLE = frozenset(map(stem, listed("""
    please also really very just actually now still currently again always note nobody somebody
    someone everyone one
    """)))  # fmt: skip
_PROGRESSIVE = re.compile(r"\b(?:is|are|was|were|be|being)\s+(?:not\s+)?\w+ing\b", re.IGNORECASE)
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
    if not seen.differences:
        return _without_difference(new, held, seen)
    if _excludes(new, held, seen):
        return Relation.UPDATES if updates(new) or same_source else Relation.CONTRADICTS
    return Relation.NEW


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


def _excludes(new: str, held: str, seen: Comparison) -> bool:  # noqa: PLR0911 - one per reason
    """Tell whether both cannot hold at once, as far as words can tell."""
    kinds = {each.kind for each in seen.differences}
    if kinds & {"order", "place"}:
        return False
    words = (len(seen.only_ours), len(seen.only_theirs))
    shared = len(telling(new)) - words[0]
    if "negation" in kinds:
        return seen.shared >= NEGATION_FRAME and shared >= 2 and kinds == {"negation"}  # noqa: PLR2004
    if shared < 1 or seen.shared < SAME_FRAME:
        return False
    if "opposite" in kinds:
        return max(words) <= 2  # noqa: PLR2004
    # One value against one value, in a place that holds only one at a time.
    one_for_one = len(seen.differences) == 1 and max(words) <= 3  # noqa: PLR2004
    if kinds & {"word", "unknown"} and max(words) > 1:
        return False
    if not (one_for_one and _functional(new) and _functional(held)):
        return False
    (differing,) = seen.differences
    return _in_slot(new, differing.ours) and _in_slot(held, differing.theirs)


def _functional(text: str) -> bool:
    if ":" in text:
        return True
    # What somebody is doing leaves room for doing other things; what something is does not.
    plain = map(str.lower, tokens(_PROGRESSIVE.sub(" ", text)))
    return any(word in _FUNCTIONAL or stem(word) in _FUNCTIONAL_STEMS for word in plain)


def _in_slot(text: str, value: str) -> bool:
    """Tell whether a value stands where only one can: after "is", or before "owns"."""
    words = [word.lower() for word in tokens(text)]
    verbs = [at for at, word in enumerate(words) if word in _VERBS]
    places = [each.at for each in values(text) if each.key == value]
    places = places or [at for at, word in enumerate(words) if stem(word) == value]
    if not verbs or not places:
        return True
    # Another subject is another matter: two packages may well have the same version.
    return words[verbs[0]] in _OWNING or places[0] > verbs[0]


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
