"""One score and a verdict from what the screens found."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter

from helix.model.frozen import dataclass
from helix.rules.needles import Needles
from helix.rules.patterns import lazy
from helix.rules.screening.beginnings import BEGINNINGS
from helix.rules.screening.disguises import decoded, undisguised
from helix.rules.screening.screens import SCREENS, Screen
from helix.rules.screening.windows import windows


class Verdict(StrEnum):
    """What becomes of a text: it passes, it is marked, or it waits for a person."""

    PASS = "pass"
    MARK = "mark"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Screened:
    """How much a text looks like an instruction to its reader, in [0, 1], and why."""

    score: float
    reasons: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """What becomes of it."""
        if self.score >= HOLD_AT:
            return Verdict.HOLD
        return Verdict.MARK if self.score >= MARK_AT else Verdict.PASS


MARK_AT = 0.5
HOLD_AT = 0.8
"""Set where honest text is lost in less than 1 of 500 cases: docs/integrity.md."""

HALF = 3.0
"""Points at which the score is one half."""

STEEP = 1.2
QUOTED_SHARE = 0.3
ABOUT_ATTACKS_SHARE = 0.5
FEWEST_WORDS = 60
DISTINCT_SHARE = 0.1
PADDING_POINTS = 3.5
"""A text of sixty words and more of which nine in ten are repetitions says nothing. A log does so
as well: repetition doubles the points of what stands in it, up to this many more."""

ON_YOUR_ANSWER = frozenset({"changes your answer", "your answer", "short order"})
MOST_ON_YOUR_ANSWER = 3.2
"""Points that these weigh together: they find the same few words, which a reviewer says as
well. Without another sign a text is marked for them, and not held back."""

WORTH_LOOKING = 2_000
"""Letters times screens from which looking for their beginnings first takes less time."""

DISGUISE_POINTS = {
    "tag characters": 5.0,
    "reading order": 2.5,
    "invisible letters": 2.0,
    "look-alike letters": 2.5,
}
DECODED_EXTRA = 2.5
CLEAN = Screened(0.0)

_ABOUT_ATTACKS = lazy(
    r"\b(?:prompt[- ]injections?|injection (?:attack|attempt|test|screen|detect\w*)"
    r"|jailbreaks? (?:attempt|detect|prompt|test)|attackers?|adversar\w+|red[- ]team\w*"
    r"|threat model|vulnerabilit\w+|cve-\d|malicious|exploit(?:s|ed|ation)|mitigat\w+"
    r"|test (?:suite|case|fixture)s?|detector|false positives?|owasp|guardrails?)\b"
)
_QUOTE_BEFORE = "\"'`\u201c\u2018\u00ab"
_QUOTE_AFTER = "\"'`\u201d\u2019\u00bb"
_GLUED = lazy(r"(\w{3,30}?)\1{8,}")
_WRAPPED = lazy(r"(?<![.!?:\n])\n[ \t]*(?=[^\s<\[*#-])")
_GAPS = lazy(r"\s{3,}")
# It begins with the capital, which the engine finds fast, and only then looks back.
_GLUED_ON = lazy(
    r"([A-Z])(?:(?<=[A-Za-z0-9][A-Za-z0-9_][A-Z])(?=[a-z]{3,}[ :!])"
    r"|(?<=[a-z0-9][a-z0-9_][A-Z])(?=[A-Z]{3,}[ :!])|(?<=[A-Z][A-Z]T)(?=ODO:))"
)
"""Where a sentence was pasted behind a word without a space: `External_Ignore your`."""


def screened(text: str) -> Screened:
    """Return how much a text looks like an instruction to the model that will read it."""
    plain, hidden = undisguised(text)
    points, reasons = _worst(plain)
    for each in hidden:
        # Alone, an emoji's joiner or a bidi mark is honest; it makes an instruction worse.
        points += DISGUISE_POINTS[each] if points or each == "tag characters" else 1.0
        reasons[f"hidden: {each}"] = None
    for said in decoded(plain):
        more, why = _worst(said)
        if more:
            points += more + DECODED_EXTRA
            reasons |= {f"encoded: {each}": None for each in why}
    if not points:
        return CLEAN
    return Screened(score_of(points), tuple(reasons))


def worst(found: Iterable[Screened]) -> Screened:
    """Return what looks most like an instruction."""
    return max(found, key=lambda each: each.score)


def score_of(points: float) -> float:
    """Return points as a score in [0, 1]; one half at `HALF` points."""
    return round(1.0 / (1.0 + math.exp(-STEEP * (points - HALF))), 4)


def _worst(text: str) -> tuple[float, dict[str, None]]:
    """Return the points and reasons of the window that has the most of them."""
    return max(map(_points, windows(_as_read(text))), key=itemgetter(0))


def _points(lower: str) -> tuple[float, dict[str, None]]:
    total = on_your_answer = 0.0
    reasons: dict[str, None] = {}
    about = None
    candidates = _candidates(lower)
    begins = _beginnings(lower, candidates)
    for screen in candidates:
        found = _found(screen, lower, begins)
        if found is None:
            continue
        weight = screen.weight
        if _is_quoted(lower, found):
            weight *= QUOTED_SHARE
        if about is None:
            about = bool(_ABOUT_ATTACKS.search(lower))
        if about:
            weight *= ABOUT_ATTACKS_SHARE
        if screen.name in ON_YOUR_ANSWER:
            on_your_answer += weight
        else:
            total += weight
        reasons[f"{screen.family}: {screen.name}"] = None
    total += min(on_your_answer, MOST_ON_YOUR_ANSWER)
    if total and _is_padding(lower):
        total += min(total, PADDING_POINTS)
        reasons["disguise: padding"] = None
    return total, reasons


def _is_padding(lower: str) -> bool:
    if len(lower) <= 2 * FEWEST_WORDS:
        return False
    words = lower.split()
    if len(words) >= FEWEST_WORDS and len(set(words)) <= DISTINCT_SHARE * len(words):
        return True
    return any(len(word) > 2 * FEWEST_WORDS and _GLUED.search(word) for word in words)


def _as_read(text: str) -> str:
    # Lines that a serialiser wrapped or escaped are read as the sentences they were.
    if "\\n" in text:
        text = text.replace("\\n", "\n")
    text = _GLUED_ON.sub(r" \1", text)
    # A screen that looks for the beginning of a sentence tries every space as one.
    text = _GAPS.sub(_gap, text)
    return _WRAPPED.sub(" ", text).lower() if "\n" in text else text.lower()


def _gap(found: re.Match[str]) -> str:
    return "\n\n" if "\n" in found[0] else "  "


def _candidates(lower: str) -> list[Screen]:
    near: set[Screen] = set()
    for hint in _NEEDLES.within(lower):
        near.update(_BY_HINT[hint])
    return [each for each in SCREENS if each in near] if near else []


def _beginnings(lower: str, candidates: Sequence[Screen]) -> dict[str, list[int]]:
    """Return where each of some screens could begin; those without an entry: anywhere.

    The engine tries a pattern at every letter. One look for the beginnings of all of them
    leaves a few places for each.
    """
    if len(lower) * len(candidates) < WORTH_LOOKING:
        return {}
    begins: dict[str, list[int]] = {each.name: [] for each in candidates if each.name in BEGINNINGS}
    places = _BEGINNINGS.places(lower)
    if places is None:
        return {}
    for number, start in places:
        for name in _BEGUN_BY[number]:
            if name in begins:
                begins[name].append(start)
    return begins


def _found(screen: Screen, lower: str, begins: Mapping[str, Sequence[int]]) -> re.Match[str] | None:
    """Return the first match of a screen: what `search` would find."""
    places = begins.get(screen.name)
    if places is None:
        return screen.pattern.search(lower)
    match = screen.pattern.match
    for start in sorted(places):
        if found := match(lower, start):
            return found
    return None


def _is_quoted(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 2) : found.start()].strip()
    after = text[found.end() : found.end() + 40]
    return before[-1:] in tuple(_QUOTE_BEFORE) and any(each in after for each in _QUOTE_AFTER)


def _by_hint() -> dict[str, tuple[Screen, ...]]:
    hints: dict[str, tuple[Screen, ...]] = {}
    for screen in SCREENS:
        for hint in screen.hints:
            hints[hint] = (*hints.get(hint, ()), screen)
    return hints


def _begun_by() -> dict[str, tuple[str, ...]]:
    begun: dict[str, tuple[str, ...]] = {}
    for name, beginnings in BEGINNINGS.items():
        for each in beginnings:
            begun[each] = (*begun.get(each, ()), name)
    return begun


_BY_HINT = _by_hint()
_NEEDLES = Needles(_BY_HINT)
_BY_BEGINNING = _begun_by()
_BEGUN_BY = tuple(_BY_BEGINNING.values())
_BEGINNINGS = Needles(_BY_BEGINNING)

cached = lru_cache(maxsize=4_096)(screened)
"""The same, remembered: recall looks at the same memories again and again."""
