"""How a rule is worded: out of the words of those who learned it, in the form of a rule.

Extractive on purpose: a sentence somebody wrote, turned from what happened once ("had to
activate the venv before pytest") into what holds ("requires activating the venv before
pytest"). Nothing is said that no episode said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from helix.consolidation.talk import as_sentence

MOST_WORDS, FEWEST_WORDS = 28, 3
BEST, GOOD, FAIR, TOLD = 4, 3, 2, 1
"""Forms: what to do before what, what to do, under which condition, what kept happening."""


class Worded(NamedTuple):
    """A sentence as a rule, and how good a form it has: higher is better."""

    content: str
    form: int


_VERB = r"([a-z]{2,15})"
_HAD_TO = re.compile(
    r"\b(?:(?:had|have|has|having|need|needs|needed|got|required|remember|remembered|forgot|forget"
    rf"|make sure|made sure|be sure)(?: first)? to|must)(?: \w+ly| first)? {_VERB} (.+)",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"\b(?:before|prior to|so that|in order to|to get|otherwise|or else)\b", re.I)
_FIRST = re.compile(r"\b(?:first|beforehand)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:only (?:work|works|pass|passes|run|runs|start|starts|succeed|succeeds|builds?)"
    r" (?:after|once|with|if|when)|(?:fail|fails|break|breaks|crash|crashes|hang|hangs|die|dies"
    r"|blows up) (?:unless|until|without|when|if)|needs?|requires?|unless|must|instead of"
    r"|rather than|not|(?:is|are) (?:flaky|needed|required|necessary)"
    r"|fails? (?:intermittently|randomly))\b",
    re.IGNORECASE,
)
_DIRECTIVE = re.compile(r"^(?:always|never|use|do not|don't|prefer|avoid)\b", re.IGNORECASE)
_FLEETING = re.compile(
    r"\b(?:once again|yet again|once more|again|today|yesterday|this (?:time|morning|evening|week)"
    r"|this session|just now|finally|apparently|of course|as (?:usual|always)|sigh|argh)\b[,:]?\s*",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"^(?:(?:and|but|so|then|because|since|i|we|the agent|it turns out(?: that)?)\s+)+", re.I
)
_NOT_VERBS = frozenset(
    [
        "be",
        "been",
        "do",
        "done",
        "the",
        "a",
        "an",
        "to",
        "it",
        "this",
        "that",
        "more",
        "less",
        "no",
        "not",
        "have",
        "been",
        "had",
        "of",
        "in",
        "on",
        "one",
        "two",
        "three",
        "some",
        "many",
        "any",
        "much",
        "very",
    ]
)


def worded(sentences: Iterable[str], place: str) -> list[Worded]:
    """Return each sentence in the form of a rule, where it has one."""
    found = []
    for sentence in sentences:
        plain = " ".join(_FLEETING.sub("", sentence).split()).strip(" ,;:-\"'")
        if FEWEST_WORDS <= len(plain.split()) <= MOST_WORDS and "?" not in plain:
            found.append(_as_rule(plain, place))
    return found


def _as_rule(plain: str, place: str) -> Worded:
    if match := _HAD_TO.search(plain):
        verb, rest = match[1].lower(), match[2]
        if verb not in _NOT_VERBS and not verb.endswith(("ed", "ing")):
            clause = re.split(r"(?:[.;]| and then | but | which )", rest)[0].strip(" ,")
            stated = as_sentence(f"{place} requires {_gerund(verb)} {clause}")
            form = BEST if _PURPOSE.search(clause) else GOOD if _FIRST.search(clause) else FAIR
            return Worded(stated, form)
    bare = _WHO.sub("", plain)
    if _DIRECTIVE.match(bare):
        return Worded(as_sentence(bare), GOOD)
    if _CONDITION.search(bare):
        return Worded(as_sentence(bare), FAIR)
    return Worded(as_sentence(f"Recurring: {bare}"), TOLD)


_DOUBLED = re.compile(
    r"[^aeiou]*[aeiou][^aeiouwxy]|begin|forget|commit|admit|permit|submit|reset|rerun|setup"
)


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + verb[-1] + "ing" if _DOUBLED.fullmatch(verb) else verb + "ing"
