"""Which way a statement points: does it affirm or deny, allow or forbid.

Two statements that share every word but point different ways are never the same and often
contradict each other, however close their vectors lie.
"""

from __future__ import annotations

import re

from helix.rules.stems import stem, tokens
from helix.rules.vocabulary import listed

_NEGATIONS = listed("""
    not no never without cannot nobody nothing none nowhere neither nor no_longer stop stopped
    avoid avoids forbidden refuse refuses refused lack lacks lacking
    """)
_OPPOSITES = """
    enable disable, enabled disabled, on off, true false, allow forbid, allowed forbidden,
    allow deny, before after, start stop, open close, opened closed, tabs spaces, up down,
    inside outside, add remove, sync async, synchronous asynchronous, public private,
    maximum minimum, max min, first last, more less, more fewer, with without, left right,
    pass fail, passes fails, accept reject, input output, read write, hot cold, light dark,
    always never, require forbid, include exclude, increase decrease, upgrade downgrade,
    lock unlock, mutable immutable, strict lenient, required optional, manual automatic,
    local remote, online offline, early late, fast slow, old new, big small, large small,
    top bottom, front back, frontend backend, encrypted plain, ascending descending,
    lower upper, lowercase uppercase, single double, empty full, sit stand, asleep awake,
    dry wet, day night, land sea, quickly slowly, loud quiet, outdoors indoors, outdoor indoor,
    love hate, like dislike, prefer avoid, buy sell, push pull, import export, merge rebase,
    static dynamic, positive negative, success failure, monday friday, morning evening,
    every no, all none, someone nobody, many few, above below, over under, hard soft,
    blocking nonblocking, stateful stateless, eager lazy, wide narrow, deep shallow
"""
OPPOSITES = frozenset(
    frozenset((stem(pair.split()[0]), stem(pair.split()[1])))
    for pair in _OPPOSITES.replace("\n", " ").split(",")
)
"""Pairs of which only one can hold."""

_FORBIDS = re.compile(
    r"\b(never|do not|don't|dont|must not|mustn't|should not|shouldn't|cannot|can't|avoid|stop"
    r"|no longer|not allowed|forbidden)\b",
    re.IGNORECASE,
)
_DEMANDS = re.compile(
    r"\b(always|must|should|need to|needs to|have to|has to|make sure|ensure|remember to|only"
    r"|required to|requires?|prefer)\b",
    re.IGNORECASE,
)


def negations(text: str) -> int:
    """Return how many words of a text deny something."""
    return sum(is_negation(token.lower()) for token in tokens(text))


def is_negation(word: str) -> bool:
    """Return whether a lower-case word denies something."""
    return word in _NEGATIONS


def denies(text: str) -> bool:
    """Return whether a text, taken as a whole, denies what its words name."""
    return negations(text) % 2 == 1


def opposite(first: str, second: str) -> bool:
    """Return whether two reduced words exclude each other."""
    return frozenset((first, second)) in OPPOSITES


def directive(text: str) -> int:
    """Return 1 where a text demands something, -1 where it forbids, 0 where it only tells."""
    if _FORBIDS.search(text):
        return -1
    return 1 if _DEMANDS.search(text) else 0
