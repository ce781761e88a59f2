"""What is on record as today's gates would have let it in. Pure.

Only secrets are taken out: what an older version kept and today's would shape in another way,
or refuse, is nobody's leak and stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from helix.capture.admission import Gate, admitted_attributes, cleaning, redacting

T = TypeVar("T")

TEXTS = frozenset((
    "content", "reason", "session", "tool", "parent_event_id", "event_id", "relation", "name",
    "because", "text", "timezone", "agent", "ref", "extractor", "waits_for", "concluded_by",
    "what", "why", "failed",
))  # fmt: skip
"""Fields whose words come from somebody. Ids of memories are looked after with their memories,
and moments, digests and numbers hold no secret."""

LISTS = frozenset(("files", "reasons", "doubts"))
ATTRIBUTES = "attributes"


def cleansed(value: T, gates: Sequence[Gate]) -> T:
    """Return a record of any kind without the secrets in it; the same one if it holds none."""
    if not is_dataclass(value) or isinstance(value, type):
        return value
    clean = cleaning(redacting(gates))
    changed: dict[str, object] = {}
    for field in fields(value):
        before = getattr(value, field.name)
        after = _cleansed(field.name, before, gates, clean)
        if after != before:
            changed[field.name] = after
    return replace(value, **changed) if changed else value


def _cleansed(name: str, value: object, gates: Sequence[Gate], clean: Gate) -> object:
    match value:
        case str() if name in TEXTS:
            return clean(value)
        case tuple() if name in LISTS:
            return tuple(clean(str(each)) for each in value)
        case tuple():
            return tuple(cleansed(each, gates) for each in value)
        case Mapping() if name == ATTRIBUTES and value:
            return admitted_attributes(value, redacting(gates))
    return cleansed(value, gates)


def differences(before: object, after: object) -> Iterator[tuple[str, str, str]]:
    """Yield each field in which two records of one kind differ: its name, and both texts."""
    if before == after or not is_dataclass(before) or isinstance(before, type):
        return
    for field in fields(before):
        yield from _apart(field.name, getattr(before, field.name), getattr(after, field.name))


def _apart(name: str, old: object, new: object) -> Iterator[tuple[str, str, str]]:
    match old, new:
        case (str(), str()):
            if old != new:
                yield name, old, new
        case (tuple(), tuple()):
            for one, other in zip(old, new, strict=True):
                yield from _apart(name, one, other)
        case (Mapping(), Mapping()):
            for (before, value), (after, better) in zip(old.items(), new.items(), strict=False):
                yield from _apart(name, before, after)
                yield from _apart(f"{name}.{after}", _said(value), _said(better))
        case _:
            yield from differences(old, new)


def _said(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
