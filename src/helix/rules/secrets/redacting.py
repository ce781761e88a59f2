"""Finding every secret of a text, and putting placeholders in their place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from helix.model.frozen import dataclass
from helix.rules.needles import Needles
from helix.rules.patterns import lazy
from helix.rules.secrets.assignments import assigned
from helix.rules.secrets.carriers import HINTS, carried
from helix.rules.secrets.escapes import in_small_letters, spelled_out
from helix.rules.secrets.formats import FORMATS
from helix.rules.secrets.keys import private_keys
from helix.rules.secrets.likeness import masked
from helix.rules.secrets.names import KEYWORDS
from helix.rules.secrets.pairs import paired

Tag = Callable[[str], str]
"""A secret to a few letters that are the same for the same secret, and do not betray it."""

SHORTEST_TOKEN = 15

_TOKEN = lazy(r"[A-Za-z0-9_+/=.~|$%:-]{15,}")
_KEYWORDS = frozenset(KEYWORDS)
_CLUES = Needles([*KEYWORDS, *HINTS])
_FORMAT_HINTS = Needles(hint for form in FORMATS for hint in form.hints)
_DRAWN = lazy(r"[A-Z0-9]")
PLACEHOLDER = lazy(r"\[redacted [a-z0-9-]+(?: [a-z0-9]+)?\]")
MOST_PASSES = 8
"""A value may swallow the name of the next; each pass then finds one more."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what kind it is."""

    start: int
    end: int
    kind: str


def untagged(_secret: str) -> str:
    """Return no tag: placeholders then say the kind alone."""
    return ""


def secrets_in(text: str, *, people: bool = False) -> list[Secret]:
    """Return every secret of a text in order, none overlapping another.

    `people` looks for data about people as well.
    """
    found = _credentials(text)
    if people:
        from helix.rules.secrets.personal import personal  # noqa: PLC0415 - off unless asked for

        found += personal(text)
    if not found:
        return []
    if "[redacted " in text:
        found = _beyond(found, [each.span() for each in PLACEHOLDER.finditer(text)])
    return _apart(found)


def _beyond(
    found: list[tuple[int, int, str]], placeholders: list[tuple[int, int]]
) -> list[tuple[int, int, str]]:
    """Return what is more than a placeholder, with the placeholders it reaches into."""
    if not placeholders:
        return found
    starts, ends = zip(*placeholders, strict=True)
    beyond = []
    for start, end, kind in found:
        first, last = bisect_right(ends, start), bisect_left(starts, end) - 1
        if first > last:
            beyond.append((start, end, kind))
        elif starts[first] > start or end > ends[first]:
            # Half a placeholder would be left otherwise, or a key for the sake of one inside it.
            beyond.append((min(start, starts[first]), max(end, ends[last]), kind))
    return beyond


def _credentials(text: str) -> list[tuple[int, int, str]]:
    text = spelled_out(text)
    lower = in_small_letters(text)
    said = _CLUES.within(lower)
    # Words by spaces first: most are too short for a token, and splitting is quicker than a search.
    long = [word for word in text.split() if len(word) >= SHORTEST_TOKEN]
    return list(_found(text, lower, said, long)) if said or long else []


def redacted(text: str, tag: Tag = untagged, *, people: bool = False) -> str:
    """Return the text with a typed placeholder for every secret; nothing else is changed.

    Doing it again changes nothing: what is left holds no secret that could be found.
    """
    for _ in range(MOST_PASSES):
        found = secrets_in(text, people=people)
        if not found:
            break
        parts = []
        at = 0
        for each in found:
            parts += [
                text[at : each.start],
                placeholder(each.kind, tag(text[each.start : each.end])),
            ]
            at = each.end
        text = "".join([*parts, text[at:]])
    else:
        # What is left reveals one more each time, as no honest text does: all of it goes.
        left = secrets_in(text, people=people)
        if left:
            first = left[0]
            return text[: first.start] + placeholder(first.kind, tag(text[first.start :]))
    return text


def placeholder(kind: str, tag: str = "") -> str:
    """Return what stands in a secret's place."""
    return f"[redacted {kind} {tag}]" if tag else f"[redacted {kind}]"


def _found(
    text: str, lower: str, said: set[str], long: list[str]
) -> Iterator[tuple[int, int, str]]:
    # Small letters alone are words, paths and names; tokens are looked for in the rest only.
    drawn = [word for word in long if _DRAWN.search(word)]
    if drawn:
        yield from _formatted(text, " ".join(drawn))
    if "PRIVATE KEY" in text or "PuTTY" in text:
        yield from private_keys(text)
    yield from carried(text, said)
    if keywords := said & _KEYWORDS:
        yield from assigned(text, lower, keywords)
        yield from paired(text, lower)


def _formatted(text: str, drawn: str) -> Iterator[tuple[int, int, str]]:
    tokens = [each for each in _TOKEN.findall(drawn) if _DRAWN.search(each)]
    hinted = _FORMAT_HINTS.within(" ".join(tokens))
    if not hinted:
        return
    longest = max(map(len, tokens))
    for form in FORMATS:
        if longest < form.least or hinted.isdisjoint(form.hints):
            continue
        for found in form.pattern.finditer(text):
            marked = "v" in form.pattern.groupindex
            start, end = found.span("v") if marked else found.span()
            if not masked(text[start:end]):
                yield start, end, form.kind


def _apart(found: list[tuple[int, int, str]]) -> list[Secret]:
    apart: list[Secret] = []
    # Of two that overlap, the one that begins first and reaches further stands for both.
    for start, end, kind in sorted(found, key=lambda each: (each[0], -each[1])):
        if apart and start < apart[-1].end:
            last = apart[-1]
            apart[-1] = Secret(last.start, max(last.end, end), last.kind)
        else:
            apart.append(Secret(start, end, kind))
    return apart
