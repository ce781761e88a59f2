"""Finding every secret of a text, and putting placeholders in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from helix.rules.patterns import lazy
from helix.rules.secrets.assignments import KEYWORDS, assigned
from helix.rules.secrets.carriers import carried
from helix.rules.secrets.formats import HINTS
from helix.rules.secrets.keys import private_keys
from helix.rules.secrets.likeness import masked

Tag = Callable[[str], str]
"""A secret to a few letters that are the same for the same secret, and do not betray it."""

_LONG = lazy(r"[A-Za-z0-9_+/=.~|$%:-]{15,}")
_DRAWN = lazy(r"[A-Z0-9]")
_PLACEHOLDER = lazy(r"\[redacted [a-z0-9-]+(?: [a-z0-9]+)?\]")
MOST_PASSES = 4


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
        placeholders = [each.span() for each in _PLACEHOLDER.finditer(text)]
        found = [
            each
            for each in found
            if not any(start < each[1] and each[0] < end for start, end in placeholders)
        ]
    return _apart(found)


def _credentials(text: str) -> list[tuple[int, int, str]]:
    lower = text.lower()
    tokens = _LONG.findall(text)
    named = any(map(lower.__contains__, KEYWORDS))
    if not tokens and not named and "://" not in lower:
        return []
    return list(_found(text, lower, tokens, named=named))


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
    return text


def placeholder(kind: str, tag: str = "") -> str:
    """Return what stands in a secret's place."""
    return f"[redacted {kind} {tag}]" if tag else f"[redacted {kind}]"


def _found(
    text: str, lower: str, tokens: list[str], *, named: bool
) -> Iterator[tuple[int, int, str]]:
    yield from _formatted(text, tokens)
    if "PRIVATE KEY" in text or "PuTTY" in text:
        yield from private_keys(text)
    yield from carried(text, lower)
    if named:
        yield from assigned(text, lower)


def _formatted(text: str, tokens: list[str]) -> Iterator[tuple[int, int, str]]:
    # Small letters alone are words, paths and names; hints are looked for in the rest only.
    telling = [token for token in tokens if _DRAWN.search(token)]
    if not telling:
        return
    joined, longest = " ".join(telling), max(map(len, telling))
    wanted = {
        each: None
        for hint, formats in HINTS
        if hint in joined
        for each in formats
        if longest >= each.least
    }
    for form in wanted:
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
