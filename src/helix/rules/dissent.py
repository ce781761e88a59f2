"""Whether two tellings of one lesson can both hold, or one says the opposite, or of another.

Lessons are told in many words, and most denials in them deny nothing: "fails without the
venv" and "the venv was not active" ask for it. So only what is asked for is compared: what is
to be done, in which order, whether it is needed at all; and whose, where, and with what
setting. What cannot be read is no dissent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from helix.model.frozen import dataclass
from helix.rules.entities import entities, key
from helix.rules.polarity import OPPOSITES, opposite
from helix.rules.relations import telling
from helix.rules.stems import stem
from helix.rules.turns import sentences
from helix.rules.values import COLOUR, NAME, NUMBER, VERSION, lasting
from helix.rules.vocabulary import listed

_ASKS = re.compile(
    r"\b(?:had to|have to|has to|needs?|needed|must|should|requires?|required|forgot|remember"
    r"|make sure|always|until|unless|only|before|after|first|then|instead of)\b",
    re.IGNORECASE,
)
"""A sentence that says what to do; one that only tells what was wrong names its cause."""
_ORDER = re.compile(r"\b(before|prior to|after|once|then)\b( that\b)?", re.IGNORECASE)
_UNNEEDED = re.compile(
    r"\b(?:not|no longer|never|isn't|aren't|wasn't) (?:\w+ly )?(?:needed|necessary|required"
    r"|mandatory)\b|\bno need (?:to|for)\b|\bno longer (?:needs?|requires?)\b|\bunnecessary\b"
    r"|\b(?:needs?|requires?|takes?) no\b"
    r"|\b(?:do|does|did)(?: not|n't) (?:need|require|have to)\b"
    r"|\b(?:works?|worked|pass|passes|passed|runs?|ran|starts?|builds?|succeeds?|succeeded|fine|ok)"
    r"(?: \w+)? without\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|avoid)\s+(?:ever\s+|to\s+)?"
    r"([a-z]+)\b([^.;,]*)",
    re.IGNORECASE,
)
_FORBIDDING = re.compile(
    r"\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|cannot|can't|avoid)\b",
    re.IGNORECASE,
)
_FAILING = re.compile(
    r"\b(?:not|never|nothing|cannot|hardly|unable to|(?:refuse|fail)[sd]? to|failed to|\w+n't)"
    r"(?: \w+)?\s*$",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"\b(?:without|before|until|unless|except)\b", re.IGNORECASE)
"""What is forbidden only without something asks for that: "never run it without the venv"."""
_TO_BE_ASKED = re.compile(r"\s+(?:must|should|has to|needs to|approves?|approved|signs?)\b")
_SWITCH = re.compile(
    r"\b(?:turn(?:ed|ing|s)?|switch(?:ed|ing|es)?|be)\s+((?:\w+\s+){0,4}?)(on|off)\b", re.IGNORECASE
)
_SETTING = re.compile(
    r"\b([A-Z][A-Z0-9_]{2,}|[\w.-]+(?==))(?:=|:? (?:was |is |be |to be )?(?:set )?to |: )"
    r"[\"'`]?([\w.-]*\w)"
)
_ENVIRONMENTS = listed("staging production prod development dev preview sandbox qa")
_COMPARED = frozenset((NAME, NUMBER, VERSION, COLOUR))
_NO_HEADS = frozenset(map(stem, listed("before after until unless without then first because")))
_SETTLES_NOTHING = frozenset(
    word
    for pair in OPPOSITES
    for word in pair
    if pair & frozenset(map(stem, listed("""
        before after pass success first last more less with without always never every all
        someone many accept old big large fast early hot light day top
        """)))
)  # fmt: skip
"""Outcomes, amounts and order are no acts: "failed until" and "only passes after" agree."""
_BESIDE = 2
"""Telling words on either side of an act among which its object is looked for."""
_FORGETTING = frozenset(map(stem, listed("forget forgot skip miss omit")))


class Act(NamedTuple):
    """Something to be done, and the words beside it."""

    word: str
    beside: frozenset[str]


class Order(NamedTuple):
    """What comes first, and what comes after it."""

    first: frozenset[str]
    after: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stance:
    """What a telling asks for, as far as it can be read."""

    words: frozenset[str]
    acts: tuple[Act, ...]
    forbidden: tuple[Act, ...]
    orders: tuple[Order, ...]
    unneeded: frozenset[str]


def opposed(one: str, other: str) -> bool:
    """Return whether two tellings ask for what excludes each other."""
    ours, theirs = _stance(one), _stance(other)
    return (
        _opposed_acts(ours, theirs)
        or _forbids(ours, theirs)
        or _forbids(theirs, ours)
        or _turned_round(ours, theirs)
        or _spares(ours, theirs)
        or _spares(theirs, ours)
    )


def tells_another(rule: str, telling_of_it: str) -> bool:
    """Return whether a telling names somebody, some place or some setting that the rule does not.

    A rule that names none of them holds for all.
    """
    wanted, named = _named(rule), _named(telling_of_it)
    return any(kind in named and not named[kind] & keys for kind, keys in wanted.items())


def _opposed_acts(ours: Stance, theirs: Stance) -> bool:
    return any(
        opposite(one.word, other.word)
        and one.beside & other.beside
        and one.word not in theirs.words
        and other.word not in ours.words
        for one in ours.acts
        for other in theirs.acts
    )


def _forbids(ours: Stance, theirs: Stance) -> bool:
    return any(
        act.word == other.word and act.beside & other.beside
        for act in ours.forbidden
        for other in theirs.acts
        if other not in theirs.forbidden
    )


def _turned_round(ours: Stance, theirs: Stance) -> bool:
    """Tell whether what comes first for one comes after for the other."""
    for one in ours.orders:
        for other in theirs.orders:
            crossed = (len(one.first & other.after), len(one.after & other.first))
            straight = len(one.first & other.first) + len(one.after & other.after)
            if all(crossed) and sum(crossed) > straight:
                return True
    return False


def _spares(ours: Stance, theirs: Stance) -> bool:
    """Tell whether one does without what the other speaks of and does not do without."""
    return bool(ours.unneeded & theirs.words) and not theirs.unneeded & ours.unneeded


@lru_cache(maxsize=8_192)
def _stance(text: str) -> Stance:
    said = sentences(text)
    asking = [each for each in said if _ASKS.search(each)]
    forbidden = [act for each in said for act in _forbidden(each)]
    off_limits = {act.word for act in forbidden}
    return Stance(
        words=frozenset(telling(text)),
        acts=tuple(act for each in asking for act in _acts(each) if act.word not in off_limits),
        forbidden=tuple(forbidden),
        orders=tuple(order for each in said for order in _orders(each)),
        unneeded=frozenset(word for each in said for word in _unneeded(each)),
    )


def _acts(sentence: str) -> Iterator[Act]:
    words = telling(_switched(sentence))
    for at, word in enumerate(words):
        if word not in _SETTLES_NOTHING:
            yield Act(word, _beside(words, at))


def _beside(words: tuple[str, ...], at: int) -> frozenset[str]:
    near = (*words[max(0, at - _BESIDE) : at], *words[at + 1 : at + 1 + _BESIDE])
    return frozenset(near) - _SETTLES_NOTHING


def _forbidden(sentence: str) -> Iterator[Act]:
    for match in _FORBIDS.finditer(sentence):
        verb = stem(match[1].lower())
        if verb not in _FORGETTING and not _UNLESS.search(match[2]):
            yield Act(verb, frozenset(telling(match[2])[: _BESIDE + 1]))


def _orders(sentence: str) -> Iterator[Order]:
    forbidden = _FORBIDDING.search(sentence) is not None
    for match in _ORDER.finditer(sentence):
        left = frozenset(telling(sentence[: match.start()]))
        right = frozenset(telling(sentence[match.end() :]))
        # "B after A" is "A before B", and so is "A, after that B"; who forbids A before B
        # wants B before A.
        later = match[1].lower() in ("after", "once") and not match[2]
        if left and right:
            yield Order(right, left) if later != forbidden else Order(left, right)


def _unneeded(sentence: str) -> Iterator[str]:
    for match in _UNNEEDED.finditer(sentence):
        # "Never run it without" and "does not work without" ask for it.
        if match[0].endswith("without") and _FAILING.search(sentence[: match.start()]):
            continue
        after = telling(sentence[match.end() :])
        # "needs no VPN" names it afterwards, "the VPN is not needed" before.
        yield from (after or telling(sentence[: match.start()]))[:_BESIDE]


@lru_cache(maxsize=8_192)
def _named(text: str) -> Mapping[str, frozenset[str]]:
    """Return whom, where and which values a telling names, by what they are the value of."""
    found: dict[str, set[str]] = {}
    for entity in entities(text):
        if entity.kind == "person" and _asked_of(text, entity.name):
            found.setdefault("person", set()).add(key(entity))
    for word in telling(text):
        if word in _ENVIRONMENTS:
            found.setdefault("environment", set()).add(word)
    for match in _SETTING.finditer(text):
        found.setdefault(f"setting {match[1].lower()}", set()).add(match[2].lower())
    for value in lasting(text):
        if value.kind in _COMPARED and value.head and value.head not in _NO_HEADS:
            found.setdefault(f"{value.kind} {value.head}", set()).add(value.key)
    return {kind: frozenset(keys) for kind, keys in found.items()}


def _asked_of(text: str, name: str) -> bool:
    """Tell whether a person is part of what is to be done, and not who did it and tells."""
    return not text.startswith(name) or _TO_BE_ASKED.match(text[len(name) :]) is not None


def _switched(sentence: str) -> str:
    """Return a sentence in which what is turned on is enabled: "on" by itself tells nothing."""
    return _SWITCH.sub(
        lambda found: f"{'enable' if found[2].lower() == 'on' else 'disable'} {found[1] or ''}",
        sentence,
    )
