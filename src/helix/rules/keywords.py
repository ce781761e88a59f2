"""The most telling words of one text, without knowing any other text.

What a text names goes first, because names are rare everywhere; then its longer and more
frequent words, because short and single ones are mostly grammar. How rare a word is among
all memories is for the ranking to know (`helix.rules.relevance`).
"""

from __future__ import annotations

import re
from collections import Counter

from helix.rules.entities import entities
from helix.rules.vocabulary import listed
from helix.rules.words import STOP_WORDS

NAMES_SHARE = 0.75
"""At most this share of the keywords are names, so that a list of files still gets a topic."""

_LETTERS_READ = 20_000  # a longer text is known by its beginning
_SHORTEST, _LONGEST = 3, 30  # letters of a plain word that tells something
_LENGTH_THAT_TELLS = 10  # letters; beyond it, longer is not rarer

_PLAIN = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_UNTOLD = frozenset(("version", "url"))  # they mean something beside a name only

EMPTY_WORDS = STOP_WORDS | listed("""
    able actually add after again all almost already also although always another anything around
    ask back because become before being best better big both bring came cannot change come could
    current currently day days did different does doing done down each easy either else end enough
    even ever every everything example far feel few find first follow found full gave get gets
    getting give given gives goes going gone good got great happen happened hard help here hey hi
    however idea instead keep kind know known large last later least less let like likely little
    long look looked looking looks lot lots made make makes making many may maybe mean might more
    most much must need needed needs never new next nice nothing now often okay old once one ones
    only open other others out over own part people perhaps place please point possible probably
    problem put quite rather really right said same saw say says see seem seems seen set several
    show side simple simply since small something soon sort start started still stuff such sure
    take taken takes taking talk tell thank thanks thing things think though thought three through
    time times today together told took toward tried try trying turn turned two under until upon
    use used user uses using usually very via want wanted wants way ways well went whether whole
    within without wonder word words work worked working works worth year years yes yesterday yet
    """)
"""Words that tell nothing of what a text is about, function words among them."""


def keywords(text: str, limit: int = 8) -> tuple[str, ...]:
    """Return up to `limit` distinct words and names that tell best what a text is about.

    Names come first, as written and in order of appearance; then plain words, lower-cased,
    the most telling first. The same text always gives the same keywords.
    """
    if limit <= 0:
        return ()
    head = text[:_LETTERS_READ]
    named = entities(head, limit * 2)
    names = [entity.name for entity in named if entity.kind not in _UNTOLD]
    words = _telling_words(head, set(_words(" ".join(entity.name for entity in named))))
    most_names = limit - min(len(words), limit - int(limit * NAMES_SHARE))
    return tuple(dict.fromkeys((*names[:most_names], *words)))[:limit]


def _telling_words(text: str, named: set[str]) -> list[str]:
    """Return the plain words of a text, most telling first; equal ones as they appear."""
    counts = Counter(_words(text))
    told = [word for word in counts if word not in named and _tells(word)]
    return sorted(told, key=lambda word: -counts[word] * min(len(word), _LENGTH_THAT_TELLS))


def _words(text: str) -> list[str]:
    return _PLAIN.findall(text.casefold())


def _tells(word: str) -> bool:
    return _SHORTEST <= len(word) <= _LONGEST and word not in EMPTY_WORDS and "'" not in word
