"""Slots: the places in a statement that hold one value at a time.

"The API listens on port 8080" leaves no room for 9090; "the admin panel listens on port
9090" is another subject, "Redis for queues" another purpose, "always run the tests" one more
act. Two values exclude each other only where everything around them is the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from helix.rules.stems import stem, tokens
from helix.rules.values import NUMBER, number_word, values
from helix.rules.vocabulary import listed
from helix.rules.words import STOP_WORDS

_FUNCTIONAL = listed("""
    is are was be use uses using own owns owner maintain maintains maintainer live lives deploy
    deploys run runs default favourite favorite prefer prefers named called name host hosted
    hosts listen listens lead leads manages manage belongs assigned pin pinned stored kept goes
    at port version branch colour color timeout limit size count number email phone address
    password format style license formatter linter requires need needs returns equals set expects
    reviews approves starts ends begins due release released scheduled located works reports
    """)
_FUNCTIONAL_STEMS = frozenset(map(stem, _FUNCTIONAL))
_BEING = listed("is are was be")
_USING = listed("use uses using")
_NEEDING = listed("need needs require requires")
_OWNING = listed("own owns maintain maintains lead leads manage manages reviews approves")
_VERBS = (
    _BEING
    | _USING
    | _OWNING
    | listed("""
    live lives deploy deploys run runs prefer prefers listen listens goes belongs requires needs
    returns equals expects starts ends begins works reports
    """)
)
_PROGRESSIVE = re.compile(r"\b(?:is|are|was|were|be|being)\s+(?:not\s+)?\w+ing\b", re.IGNORECASE)

_LEADING = listed("always please also you must should remember to make sure we")
_ACTS = listed("""
    run check build open close start stop ask tell read add remove update commit push pull review
    restart verify
    """)
_HOLDING = listed("""
    use prefer keep pin set deploy store host name call indent format default target install need
    require return write log round
    """)

_LISTING = listed("""
    deprecated removed dropped added fixed changed renamed todo note notes warning bug issue example
    see
    """)
"""What stands before a colon and opens a list: of many such lines each holds by itself."""

_ASIDE = listed("for in on during within inside across")
_LOCATING = _BEING | listed("""
    live lives stored kept located hosted sits starts ends begins scheduled due released versioned
    listens listen runs run goes go deploy deploys deployed works set configured defined declared
    written built implemented
    """)
_PURPOSE = listed("for as")
CHANGE = frozenset(map(stem, listed("""
    now actually instead anymore more moved switched migrated changed replaced renamed upgraded
    downgraded bumped since today yesterday correction turns no_longer going forward future
    """)))  # fmt: skip
"""Reduced words that say that something changed, and nothing about what."""


def holds_one_value(text: str, value: str) -> bool:
    """Return whether a statement says what something is, and not what is done or going on."""
    if ":" in text:
        return text.partition(":")[0].strip().lower() not in _LISTING
    if _is_act(text) and not _is_means(text, value):
        return False
    # What somebody is doing leaves room for doing other things; what something is does not.
    plain = map(str.lower, tokens(_PROGRESSIVE.sub(" ", text)))
    return any(word in _FUNCTIONAL or stem(word) in _FUNCTIONAL_STEMS for word in plain)


def in_slot(text: str, value: str) -> bool:
    """Return whether a value stands where only one can: after "is", or before "owns"."""
    words = _lower(text)
    verbs = [at for at, word in enumerate(words) if word in _VERBS]
    at = _place(text, value)
    if not verbs or at is None:
        return True
    being = [at for at in verbs if words[at] in _BEING]
    verb = (being or verbs)[0]
    # Another subject is another matter: two packages may well have the same version, and one
    # person may own two modules.
    return at < verb if words[verb] in _OWNING else at > verb


def is_aside(text: str, value: str) -> bool:
    """Return whether a value is what something is for, or where and when: not what it is.

    "Redis for queues", "tabs in Makefiles"; but "the settings live in src", "kept for 30 days".
    """
    words = _lower(text)
    at = _place(text, value)
    if at is None or any(each.at == at and each.kind == NUMBER for each in values(text)):
        return False
    before = at - 1
    while before > 0 and words[before] not in _VERBS:
        if words[before] in _ASIDE:
            return words[before - 1] not in _LOCATING
        if words[before] in STOP_WORDS and words[before] not in ("the", "a", "an", "our", "my"):
            return False
        before -= 1
    return False


def besides(text: str, value: str, differing: Collection[str]) -> frozenset[str]:
    """Return the differing words of a statement that are no part of its value.

    Part of it is what stands next to it ("2 minutes", "Tom Baker"); a word of change is none
    of the matter.
    """
    words = [number_word(stem(word.removesuffix("'s"))) for word in _lower(text)]
    at = _place(text, value)
    if at is None:
        return frozenset(differing) - CHANGE
    first = last = at
    while first > 0 and words[first - 1] in differing:
        first -= 1
    while last + 1 < len(words) and words[last + 1] in differing:
        last += 1
    return frozenset(differing) - set(words[first : last + 1]) - CHANGE


def is_used(text: str) -> bool:
    """Return whether a statement says what is used."""
    return any(word in _USING for word in _lower(text))


def is_needed(text: str) -> bool:
    """Return whether a statement says what something needs; it may well need two things."""
    return any(word in _NEEDING for word in _lower(text))


def has_purpose(text: str) -> bool:
    """Return whether a statement says what something is for."""
    return any(word in _PURPOSE for word in _lower(text))


def _is_act(text: str) -> bool:
    """Tell whether a statement asks for something to be done; one may well do two things."""
    words = _lower(text)
    verb = next((word for word in words if word not in _LEADING), "")
    told = words[:1] in (["always"], ["please"], ["remember"]) or words[:2] == ["make", "sure"]
    return (told and verb not in _HOLDING) or (words[:1] == [verb] and verb in _ACTS)


def _is_means(text: str, value: str) -> bool:
    at = _place(text, value)
    return at is not None and at > 0 and _lower(text)[at - 1] == "with"


def _place(text: str, value: str) -> int | None:
    found = [each.at for each in values(text) if each.key == value]
    found = found or [at for at, word in enumerate(_lower(text)) if stem(word) == value]
    return found[0] if found else None


def _lower(text: str) -> list[str]:
    return [word.lower() for word in tokens(text)]
