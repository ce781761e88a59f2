"""Documents that nearly fit: what lies behind the checks of a door is fuzzed as well.

Of what a door describes (`helix.doors.fields`), most is given as it is wanted, with texts cut
out of the input; the rest is of any kind.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.integrity.shaping import chance_of, plain, shaped
from helix.doors.fields import Field

MOMENTS = ("2026-05-14", "2026-05-14T10:00:00+02:00", "2026-02-30", "9999-12-31", "0001-01-01")
_NAMES_IDS = frozenset({"id", "from", "to", "from_id", "to_id"})


def fitted(fields: Sequence[Field], text: str, ids: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a call; `ids` are of memories that are there."""
    chance = chance_of(text)
    wild = shaped(text, [each.name for each in fields] or ["x"])
    given: dict[str, Any] = {}
    for each in fields:
        if each.required or chance.random() < 0.4:
            fits = chance.random() < 0.93 or each.name not in wild
            given[each.name] = _value(each, text, ids, chance) if fits else wild[each.name]
    return given


def changed(genuine: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return a document with something in it exchanged, at some depth."""
    chance = chance_of(text)
    copy: dict[str, Any] = json.loads(json.dumps(genuine))
    place: Any = copy
    while isinstance(place, dict | list) and place:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = chance.choice(keys)
        if not isinstance(place[key], dict | list) or not place[key] or chance.random() < 0.3:
            place[key] = chance.choice([*shaped(text, ("x", "y")).values(), plain(text), None])
            break
        place = place[key]
    return copy


def as_toml(tables: Mapping[str, Any]) -> str:
    """Return plain values and tables of them as TOML, well formed."""
    flat = [f"{_toml(name)} = {_toml(each)}" for name, each in tables.items()]
    return "\n".join(flat) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_toml(name)} = {_toml(each)}" for name, each in value.items())
        return "{" + inner + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if value is None:
        return '""'
    if isinstance(value, str):
        return json.dumps(plain(value).replace("\x7f", ""), ensure_ascii=False)
    return repr(value).lower()


def _value(wanted: Field, text: str, ids: Sequence[str], chance: random.Random) -> Any:
    start = chance.randrange(len(text) + 1)
    piece = text[start : start + chance.randrange(1, 400)]
    match wanted.kind:
        case "string":
            return chance.choice(_texts(wanted, piece, ids) or (piece, text))
        case "array":
            texts = wanted.choices or (piece, text)
            return [chance.choice(texts) for _ in range(chance.randrange(3))]
        case "object":
            return shaped(piece, ("a", "b", piece[:5]))
        case "boolean":
            return chance.random() < 0.5
    least = wanted.least if wanted.least is not None else -(2.0**66)
    most = wanted.most if wanted.most is not None else 2.0**66
    drawn = chance.uniform(least, most)
    return int(drawn) if wanted.kind == "integer" else drawn


def _texts(wanted: Field, piece: str, ids: Sequence[str]) -> Sequence[str]:
    if wanted.choices:
        return wanted.choices
    if wanted.name in _NAMES_IDS:
        return ids
    if wanted.form == "date-time" or "ISO" in wanted.says:
        return (*MOMENTS, piece)
    return ()
