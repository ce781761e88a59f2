"""What kind of answer a question wants, and which relations lead to it.

The intent does not filter: it only says how much each relation carries when relevance
spreads over the graph. It is read from the question's first question word and from a few
phrases; a question that shows nothing wants to know what.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Intent(StrEnum):
    """What is asked for: a reason, a time, a person, a way, or a thing."""

    WHY = "why"
    WHEN = "when"
    WHO = "who"
    HOW = "how"
    WHAT = "what"


_LETTERS_READ = 1_000  # a longer question has asked by then

_WHICH = r"(?:what|which)(?:['\u2019]s| (?:is|was|are|were|else|exactly|really|actually))*+"
_THE = r"(?: (?:the|a|an|our|my|other|exact|main|real|root|underlying|best|right|correct|usual))*+"

# The first sign in the question decides. Phrases stand before single words, and intents in
# this order: "what caused" is a why, "how long ago" a when, "how many" and "where" a what.
_PHRASES: Mapping[Intent, tuple[str, ...]] = {
    Intent.WHY: (
        r"why|how come|what for|because of what",
        rf"{_WHICH}{_THE} (?:caus\w+|reasons?|rationale|motivat\w+|triggered|led to|prompted)",
        rf"{_WHICH}{_THE} (?:made (?:us|me|you)|explains?|justif\w+|(?:intention|idea) behind)",
        r"causes? of|reasons? (?:for|behind|why|that)|rationale (?:for|behind|of)",
    ),
    Intent.WHEN: (
        r"when(?:['\u2019]s)?|how (?:long|recently|soon|late|early)",
        r"how many (?:minutes|hours|days|weeks|months|years) (?:ago|since|has|have|had|passed)",
        rf"{_WHICH}{_THE} (?:date|day|time(?! ?zone)|year|month|week|weekday|hour|season)s?",
        rf"{_WHICH}{_THE} (?:happened|came) (?:first|last|before|next)",
        r"dates? (?:of|when|on which)|order in which|timeline|chronolog\w+",
    ),
    Intent.WHO: (
        r"who(?:['\u2019](?:s|d|ll))?|whom|whose",
        rf"{_WHICH}{_THE} (?:person|people|engineer|developer|teammate|colleague|coworker"
        r"|maintainer|author|reviewer|customer|contributor|owner|friend)s?",
        r"(?:owner|author|maintainer|assignee|reviewer|name of the person)s? (?:of|who|that)",
    ),
    Intent.HOW: (
        r"how (?:do|did|does|can|could|should|would|to|was|were|is|are|am|will|have|has)",
        r"how(?= (?:i|we|you|he|she|it|they|the|this|that)\b)",
        rf"{_WHICH}{_THE} (?:step|command|procedure|way|process|workflow|instruction|recipe)s?",
        r"(?:steps|commands?|instructions?|procedure|workflow|recipe|ways?) (?:to|for)",
        r"walk me through(?! the order)|show me how",
    ),
    Intent.WHAT: (r"what(?:['\u2019](?:s|re|d))?|which|where|how",),
}
_SIGNS = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<{wanted}>{'|'.join(signs)})" for wanted, signs in _PHRASES.items())
    + r")\b",
    re.IGNORECASE,
)


def intent(question: str) -> Intent:
    """Return what a question asks for; `Intent.WHAT` when it does not show."""
    match = _SIGNS.search(question[:_LETTERS_READ])
    return Intent(match.lastgroup) if match and match.lastgroup else Intent.WHAT


DEFAULT_WEIGHT = 0.4
"""For relations that a domain made up itself: they count, below those that fit the question."""

_USUAL = {
    "has_decision": 0.8,  # what was settled answers most questions about a project
    "has_convention": 0.7,
    "supersedes": 0.6,  # from an old value to the one that holds
    "extends": 0.6,
    "derived_from": 0.6,  # from a conclusion to its evidence
    "references": 0.5,
    "similar_to": 0.5,
    "mentions": 0.5,  # through a shared file, error or person; hubs are damped by degree
    "depends_on": 0.5,
    "related_to": 0.5,
    "caused_by": 0.5,
    "decided_by": 0.4,
    "summarises": 0.4,
    "owns": 0.4,
    "works_on": 0.4,
    "contradicts": 0.3,  # worth showing beside, seldom the answer
    "follows": 0.3,  # the next turn is near in time, not in meaning
}

EDGE_WEIGHTS: Mapping[Intent, Mapping[str, float]] = MappingProxyType(
    {
        Intent.WHY: MappingProxyType(
            _USUAL
            | {
                "caused_by": 1.0,  # the reason itself
                "decided_by": 0.9,  # who or what decided knows why
                "derived_from": 0.9,  # evidence gives reasons
                "has_decision": 0.9,  # a decision is recorded with its rationale
                "supersedes": 0.7,  # what was replaced shows what was wrong with it
                "contradicts": 0.6,  # an objection is a reason too
                "similar_to": 0.3,  # the same said again explains nothing
            }
        ),
        Intent.WHEN: MappingProxyType(
            _USUAL
            | {
                "follows": 1.0,  # the neighbours in time carry the date
                "caused_by": 0.7,  # a cause comes before its effect
                "supersedes": 0.8,  # a value's end is its successor's beginning
                "derived_from": 0.8,  # the episode a fact came from has the date
                "has_convention": 0.3,  # rules are timeless
                "similar_to": 0.3,
            }
        ),
        Intent.WHO: MappingProxyType(
            _USUAL
            | {
                "owns": 1.0,  # these end in a person
                "works_on": 1.0,
                "decided_by": 1.0,
                "mentions": 0.9,  # people are entities
                "has_convention": 0.3,
                "depends_on": 0.3,  # things depend on things
            }
        ),
        Intent.HOW: MappingProxyType(
            _USUAL
            | {
                "has_convention": 1.0,  # how it is done here
                "follows": 0.8,  # a procedure is told step after step
                "depends_on": 0.8,  # what must be there first
                "extends": 0.8,  # the variant that was worked out later
                "derived_from": 0.7,  # the run a procedure was learnt from
                "owns": 0.3,
                "decided_by": 0.3,
            }
        ),
        Intent.WHAT: MappingProxyType(dict(_USUAL)),
    }
)
"""How much each relation carries, 0 to 1, for each intent; `DEFAULT_WEIGHT` for the rest."""


def edge_weight(wanted: Intent, relation: str) -> float:
    """Return how much a relation carries when relevance spreads for an intent."""
    return EDGE_WEIGHTS[wanted].get(relation, DEFAULT_WEIGHT)
