"""Values that stand beside their name: name and value of a list, the element of a document."""

from __future__ import annotations

from collections.abc import Iterator

from helix.rules.patterns import lazy
from helix.rules.secrets.assignments import given_away, named, valued
from helix.rules.secrets.names import KEYWORDS

# `- name: DB_PASSWORD` and `value: …` below it, or the same in braces or in one element.
_PAIR = lazy(
    r"""\b(?:name|key)\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3}["']?(?P<name>[\w.-]{2,60})"""
    r"""\\{0,3}["']?,?\s{0,60}\\{0,3}["']?value\\{0,3}["']?\s{0,4}[:=]"""
)
_ELEMENT = lazy(
    r"<(?:\w{1,20}:)?(?P<name>[\w.-]{2,60})(?:\s[^<>\n]{0,200})?>\s{0,60}(?P<v>[^<>\s]{4,500})\s{0,60}</"
)

VALUES = frozenset({"value", "val", "default", "current", "plain", "raw", "data"})
"""Names that leave it to another name what a value is."""


def paired(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a value stands that the name beside it gives away."""
    if "value" in lower:
        for found in _PAIR.finditer(lower):
            name = named(text[slice(*found.span("name"))])
            kept = name and valued(text, found.end(), name)
            if kept:
                yield kept
    if "</" in text:
        for found in _ELEMENT.finditer(text):
            if any(each in found["name"].lower() for each in KEYWORDS):
                kind = given_away(found["name"], found["v"])
                if kind is not None:
                    yield *found.span("v"), kind
