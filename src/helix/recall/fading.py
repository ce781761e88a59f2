"""How much recall shows of what has faded: pointers into the archive, and texts in brief.

An archived memory answers no question by itself. Where one fits better than what is current,
an answer points to it, so that nobody has to guess that the archive knows. And what is left of
a memory decides how much of its text is shown, as it decides how finely its vector is kept:
all of a lively one, the telling lines of a faded one. Its id leads to the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix.recall.abstention import THRESHOLD, confidence
from helix.recall.signals import Candidate
from helix.rules.policy import Policy

Scored = tuple[float, Candidate]
Ranked = Sequence[Scored]

LOOKED_BACK_AT = 20
"""Of everything, the archive included, the best by each way of finding: among these an archived
memory must be. However large the archive, no more of it is looked at."""

MOST_POINTERS = 5
"""In one answer, however long it may be."""

FAINT = 0.25
"""Of the best's score, what a pointer needs: nobody is sent to the archive for less."""

BRIEF = 160
"""Letters of a text in brief: a headline, and the line that speaks of what was asked."""

WORTH_IT = 0.75
"""A brief form longer than this share of the text spares too little, and the text is shown."""

ELLIPSIS = " … "


_THEN = (
    "week month year quarter night time weekend spring summer autumn fall winter sprint"
    " mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec"
)
_LATEST = re.compile(
    # "Last week" is a time that is over; "what last changed it" asks for the newest.
    rf"\b(?:last(?! (?:few|{_THEN.replace(' ', '|')}))|latest|newest|most recent|recently|now"
    r"|nowadays|current(?:ly)?|still|today|at the moment|these days|as of now|any ?more)\b",
    re.IGNORECASE,
)


def asks_for_the_latest(text: str) -> bool:
    """Return whether a question wants what holds or happened last, and not just anything."""
    return _LATEST.search(text) is not None


def with_few_pointers(order: Ranked, limit: int, words: Sequence[str]) -> list[Scored]:
    """Return an order without pointers that do not convince or would leave nothing current."""
    room = limit if all(each.archived for _, each in order) else limit - 1
    room = min(room, MOST_POINTERS)
    kept: list[Scored] = []
    pointers = 0
    for score, each in order:
        if each.archived:
            faint = score < FAINT * order[0][0] or confidence(words, each) < THRESHOLD
            if faint or pointers == room:
                continue
            pointers += 1
        kept.append((score, each))
    return kept


def has_faded(candidate: Candidate, policy: Policy) -> bool:
    """Return whether so little is left of a memory that its telling lines are enough."""
    if candidate.archived:
        return True
    if candidate.memory.belief.pinned or candidate.retained is None:
        return False
    return candidate.retained < policy.brief_below


def brief(text: str, words: Sequence[str]) -> str:
    """Return the first line of a text and the one that holds most of some words, cut short.

    Empty if that would spare too little.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(text) <= BRIEF or not lines:
        return ""
    asked = [word.casefold() for word in words]

    def holds(line: str) -> int:
        folded = line.casefold()
        return sum(word in folded for word in asked)

    best = max(lines, key=holds)
    if best == lines[0] or holds(best) <= holds(lines[0]):
        short = _cut(lines[0], BRIEF)
    else:
        short = _cut(lines[0], BRIEF // 2) + ELLIPSIS + _around(best, asked, BRIEF // 2)
    if short != text:
        short = short.rstrip() + ELLIPSIS.rstrip()
    return short if len(short) <= WORTH_IT * len(text) else ""


def _cut(line: str, letters: int) -> str:
    if len(line) <= letters:
        return line
    return line[:letters].rsplit(" ", 1)[0]


def _around(line: str, asked: Sequence[str], letters: int) -> str:
    """Return the part of a line that begins shortly before the first asked word."""
    folded = line.casefold()
    places = [folded.find(word) for word in asked if word in folded]
    start = max(0, min(places, default=0) - letters // 4)
    start = line.find(" ", start) + 1 if start else 0
    return _cut(line[start:], letters)
