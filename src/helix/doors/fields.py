"""What a call takes: each field described once, as JSON Schema and as a strict reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helix.model.errors import BadInput

_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "cursor": (str, int),
}
_TOLD_AS = {"cursor": "string"}
"""A cursor is a text; that some of them are positions, and positions numbers, is our doing."""


@dataclass(frozen=True, slots=True)
class Field:
    """One argument of a tool. `least` and `most` bound numbers."""

    name: str
    says: str = ""
    kind: str = "string"
    required: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    form: str = ""
    """What a text must look like, as JSON Schema's `format` has it; told, and checked behind."""

    @property
    def schema(self) -> dict[str, Any]:
        """The field in JSON Schema."""
        schema: dict[str, Any] = {"type": _TOLD_AS.get(self.kind, self.kind)}
        if self.says:
            schema["description"] = self.says
        if self.form:
            schema["format"] = self.form
        enumerated = {"enum": list(self.choices)} if self.choices else {}
        if self.kind == "array":
            schema["items"] = {"type": "string", **enumerated}
        else:
            schema |= enumerated
        bounds = {"minimum": self.least, "maximum": self.most}
        return schema | {name: bound for name, bound in bounds.items() if bound is not None}

    def read(self, value: object) -> object:
        """Return a value that fits, or raise `BadInput`."""
        fits = isinstance(value, _KINDS[self.kind])
        # True is an int to Python, and not to anybody else.
        fits = fits and (isinstance(value, bool) == (self.kind == "boolean"))
        if isinstance(value, list):
            fits = fits and all(isinstance(each, str) for each in value)
        if not fits:
            raise self._wrong(f"must be of type {_TOLD_AS.get(self.kind, self.kind)}")
        chosen = value if isinstance(value, list) else [value]
        if self.choices and not all(each in self.choices for each in chosen):
            raise self._wrong("must be one of " + ", ".join(self.choices))
        if isinstance(value, int | float) and not isinstance(value, bool):
            if self.least is not None and not value >= self.least:
                raise self._wrong(f"must be at least {self.least:g}")
            if self.most is not None and not value <= self.most:
                raise self._wrong(f"must be at most {self.most:g}")
        return value

    def _wrong(self, why: str) -> BadInput:
        return BadInput(f"{self.name!r} {why}", code="bad_argument", remedy="see the tool's schema")


def schema_of(fields: Sequence[Field]) -> dict[str, Any]:
    """Return the JSON Schema of a call."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each.name: each.schema for each in fields},
        "additionalProperties": False,
    }
    required = [each.name for each in fields if each.required]
    return schema | ({"required": required} if required else {})


def parsed(fields: Sequence[Field], pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the arguments of a query string, or raise `BadInput`."""
    known = {each.name: each for each in fields}
    given: dict[str, Any] = {}
    for name, text in pairs:
        field = known.get(name)
        if field is not None and field.kind == "array":
            given.setdefault(name, []).append(text)
        elif name in given:
            raise field_twice(name)
        else:
            given[name] = _value(field, text)
    return read(fields, given)


def field_twice(name: str) -> BadInput:
    """Return the error for an argument that is given more than once."""
    return BadInput(f"{name!r} is given twice", code="bad_argument", remedy="give it once")


def _value(field: Field | None, text: str) -> object:
    if field is not None and field.kind in ("integer", "number"):
        try:
            return int(text) if field.kind == "integer" else float(text)
        except ValueError:
            return text  # refused by `read`, in the words of the field
    if field is not None and field.kind == "boolean" and text in ("true", "false"):
        return text == "true"
    return text


def read(
    fields: Sequence[Field], given: Mapping[str, object], *, nulls: bool = True
) -> dict[str, Any]:
    """Return the arguments of a call, or raise `BadInput`.

    With `nulls`, an argument that is null counts as left out, as models like to write it.
    """
    known = {each.name: each for each in fields}
    for name in given:
        if name not in known:
            raise BadInput(
                f"there is no argument {name!r}",
                code="unknown_argument",
                remedy="use " + (", ".join(known) or "no arguments"),
            )
    missing = [each.name for each in fields if each.required and given.get(each.name) is None]
    if missing:
        raise BadInput(
            f"{', '.join(missing)} must be given", code="missing_argument", remedy="give it"
        )
    return {
        name: known[name].read(value)
        for name, value in given.items()
        if value is not None or not nulls
    }
