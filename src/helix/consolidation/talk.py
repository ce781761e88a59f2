"""What people say in passing that is meant to last: decisions, conventions, preferences, facts.

Deterministic patterns over single sentences of a person's own words. They are narrow on
purpose: a public system that took every sentence in filled its store with 97 % junk. A
sentence that points at something outside itself ("do it like that") is left alone; the
episode keeps it, and a later mention may say it whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from helix.rules.relations import telling, updates
from helix.rules.values import CODE, lasting

FEWEST_WORDS, MOST_WORDS = 3, 40
_FEWEST_TELLING = 2


class Said(NamedTuple):
    """A statement that stands for itself: its type, its words, and whether it replaces another."""

    kind: str
    content: str
    updates: bool = False


_DEICTIC = re.compile(
    r"\b(this|that|these|those|it|its|it's|they|them|their|he|him|she|her|here|there|above|below"
    r"|the following|for now|right now|next step|yours?|you're|you are seeing|the same|same"
    r"|another one|the other|the rest|both|either|such|so far|at first|first of all)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|for|of|on) (?:this|our|the) (repo|repository|project|codebase|team)\b", re.I
)
_NOW = re.compile(r",? (?:now|these days|nowadays)[.!]*$", re.IGNORECASE)
_PLACE_HOLDER = "\x00"
_COURTESY = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|but|also|hey|hi|hm+|well|right|great|cool|thanks|please|yes|yeah|no|oh"
    r"|btw|by the way|fyi|note|reminder|remember|just so you know|for the record|heads[- ]up"
    r"|keep in mind|as a rule|in general|generally)\b[\s,:\u2014-]*(?:that\s+)?)+",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\?|\b(maybe|perhaps|might|could we|should we|i think|i guess|not sure|i wonder|what if"
    r"|let me|i'll|i will|i'm going to|can you|could you|would you|try to|we'll see|probably"
    r"|if you|if we|if i|tbd|todo)\b",
    re.IGNORECASE,
)
_TASK_STATE = re.compile(
    r"^we (?:also |still |just |really )*(?:don't|do not|never|always|only) (?:\w+ly )?"
    r"(?:have|know|need|want|see|care|think|get|got|seem|mind|like|even|yet|exactly)\b",
    re.IGNORECASE,
)


def said(sentence: str, *, spoken: bool = True) -> Said | None:
    """Return what a sentence of a person's own words states for good, or None.

    `spoken` is false for what a person notes about their work. There a fact in passing tells
    of that moment, so only what is decided, preferred or given up is read.
    """
    plain = _COURTESY.sub("", " ".join(sentence.split())).strip(" \"'*_`")
    here = _PLACE.search(plain)
    plain, changed = _NOW.subn("", plain)
    bare = _PLACE.sub(_PLACE_HOLDER, plain)
    if _UNSURE.search(bare) or not FEWEST_WORDS <= len(bare.split()) <= MOST_WORDS:
        return None
    if bare.endswith(":") or "\n" in bare:
        return None
    for read in _READERS if spoken else _NOTED:
        found = read(plain)
        if found is not None:
            break
    else:
        rule = spoken and here and _rule_like(plain)
        found = Said("convention", plain) if rule else None
    if found is None or _DEICTIC.search(_PLACE.sub(_PLACE_HOLDER, found.content)):
        return None
    if len(telling(found.content)) < _FEWEST_TELLING:
        return None
    return Said(found.kind, as_sentence(found.content), found.updates or bool(changed))


def as_sentence(text: str) -> str:
    """Return a text as a sentence: a capital at its start, one mark at its end."""
    text = text.strip().rstrip(".!,;:").strip()
    if not text:
        return ""
    first = text.split()[0].rstrip(",;:")
    # A name keeps its spelling: `test_clock` is not `Test_clock`.
    return f"{text}." if not first.isalpha() else f"{text[0].upper()}{text[1:]}."


_FROM_NOW_ON = re.compile(r"^(?:from now on|going forward|in future|in the future)[, ]+(.+)", re.I)
_DIRECTIVE = re.compile(r"^(?:you (?:should|must) )?(always|never) ([a-z]+ .+)", re.IGNORECASE)
_WE_RULE = re.compile(
    r"^we (?:\w+ )?(?:always|never|only|don't|do not|avoid|require|use|prefer|follow|keep|deploy"
    r"|run|host|store|pin|target|support|ship|release|name|write|format|lint|test|log) .+",
    re.IGNORECASE,
)
_WE_VALUED = re.compile(
    r"^we (?:\w+ )?(?:use|deploy|run|host|store|pin|target|support|ship) ", re.I
)
_PREFERS = re.compile(
    r"^i (?:really |strongly |much |generally |usually |always )?(prefer|hate|dislike) (.+)", re.I
)
_DECIDED = re.compile(
    r"^(?:we|i)(?:'ve| have)? (?:\w+ )?(?:decided|chose|agreed|settled|opted|picked) "
    r"(?:to|on|for|that|against)? ?.+",
    re.IGNORECASE,
)
_GOING_WITH = re.compile(
    r"^(?:let's|we're|we are|we'll|i'm) (?:go|going|stick|sticking) with (.+)", re.I
)
_DECISION = re.compile(r"^decision ?[:\u2014-] ?(.+)", re.IGNORECASE)
_MOVED = re.compile(
    r"^we(?:'ve| have)? (?:just |now |recently )?(?:moved|switched|migrated|upgraded|changed"
    r"|downgraded|renamed|replaced|standardi[sz]ed on|adopted|dropped) .+",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(r"^(?:we|the [\w -]+|[\w./-]+) (?:no longer|do not .+ any ?more) .+", re.I)
_DEPRECATED = re.compile(
    r"^(.{3,60}?) (?:is|are) (?:now )?(?:deprecated|obsolete|retired)\b.*", re.I
)
_ACTUALLY = re.compile(r"^(?:actually|correction|sorry|wait)[,:]? (.+)", re.IGNORECASE)
_IDENTITY = re.compile(
    r"^(?:my name is|i am called|i work (?:at|on|for|as)|i'm an?|i am an?) (.+)", re.I
)
_ROLES = re.compile(
    r"\b(developer|engineer|designer|manager|lead|founder|student|researcher|analyst|scientist"
    r"|architect|maintainer|admin|consultant|writer|teacher)\b",
    re.IGNORECASE,
)
_IS_FACT = re.compile(
    r"^(?:the|our) ([\w' /.-]{3,50}?) (?:is|are|lives?|runs?|listens?|sits|points|goes|is stored"
    r"|is kept|is hosted|is called|is named|uses?|requires?|needs?|expects?)"
    r"(?: (?:in|on|at|to|under|called|named|by))? (.+)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"^(?:the )?(?:root cause|cause|fix|solution|workaround)(?: (?:of|for) .+?)?"
    r" (?:is|was)[: ]+(.+)",
    re.I,
)
_MOMENTARY = re.compile(
    r"\b(failing|broken|down|wrong|missing|red|green|done|ready|finished|running|slow|weird|fine"
    r"|working|passing|stuck|empty|just|current|currently|active|now|today|yesterday|again|still"
    r"|never read|unused|lines? \d+)\b",
    re.IGNORECASE,
)


def _standing(plain: str) -> Said | None:
    if match := _FROM_NOW_ON.match(plain):
        return Said("convention", match[1], updates=True)
    if match := _DIRECTIVE.match(plain):
        return Said("convention", f"{match[1]} {match[2]}")
    if _WE_RULE.match(plain) and not _TASK_STATE.match(plain):
        if _WE_VALUED.match(plain) and not lasting(plain):
            return None
        return None if _MOMENTARY.search(plain) else Said("convention", plain)
    return None


def _preferring(plain: str) -> Said | None:
    match = _PREFERS.match(plain)
    if match is None or re.match(r"(?:to wait|to see|the idea)\b", match[2]):
        return None
    return Said("preference", f"User {match[1].lower()}s {match[2]}")


def _deciding(plain: str) -> Said | None:
    if match := _DECISION.match(plain):
        return Said("decision", match[1])
    if match := _GOING_WITH.match(plain):
        return Said("decision", f"We go with {match[1]}") if lasting(match[1]) else None
    if _DECIDED.match(plain):
        return Said("decision", plain, updates=updates(plain))
    if _MOVED.match(plain) and lasting(plain):
        return Said("decision", plain, updates=True)
    return None


def _ending(plain: str) -> Said | None:
    if _NO_LONGER.match(plain) and lasting(plain):
        return Said("fact", plain, updates=True)
    if _DEPRECATED.match(plain):
        return Said("fact", plain, updates=True)
    return None


def _correcting(plain: str) -> Said | None:
    match = _ACTUALLY.match(plain)
    if match is None:
        return None
    inner = _standing(match[1]) or _fact(match[1]) or _deciding(match[1])
    return inner and Said(inner.kind, inner.content, updates=True)


def _being(plain: str) -> Said | None:
    match = _IDENTITY.match(plain)
    if match is None:
        return None
    lower = plain.lower()
    if lower.startswith("my name"):
        return Said("identity", f"User's name is {match[1]}")
    if lower.startswith(("i work", "i am called")):
        return Said("identity", re.sub(r"^i work", "User works", plain, flags=re.I))
    if _ROLES.search(match[1]):
        return Said("identity", f"User is a {match[1]}")
    return None


def _valued(text: str) -> bool:
    # What a function is called or does is told better by the code itself.
    return any(each.kind != CODE for each in lasting(text))


def _fact(plain: str) -> Said | None:
    match = _IS_FACT.match(plain)
    if match and not _MOMENTARY.search(plain) and _valued(match[2]):
        return Said("fact", plain)
    if _CAUSE.match(plain) and len(plain.split()) > FEWEST_WORDS + 2:
        return Said("fact", plain)
    return None


_RULE_WORD = re.compile(
    r"\b(must|should|always|never|use|uses|only|require|requires|need|needs)\b", re.I
)


def _rule_like(plain: str) -> bool:
    return _RULE_WORD.search(plain) is not None and not _MOMENTARY.search(plain)


_READERS: tuple[Callable[[str], Said | None], ...] = (
    _correcting, _standing, _preferring, _deciding, _ending, _being, _fact,
)  # fmt: skip
_NOTED = (_preferring, _deciding, _ending)
