"""What a call takes: each field described once, as JSON Schema and as a strict reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helix.model.errors import BadInput

_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
}


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

    @property
    def schema(self) -> dict[str, Any]:
        """The field in JSON Schema."""
        schema: dict[str, Any] = {"type": self.kind}
        if self.says:
            schema["description"] = self.says
        if self.kind == "array":
            schema["items"] = {"type": "string"}
        if self.choices:
            schema["enum"] = list(self.choices)
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
            raise self._wrong(f"must be of type {self.kind}")
        if self.choices and value not in self.choices:
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


def read(fields: Sequence[Field], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments of a call, null ones left out, or raise `BadInput`."""
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
    return {name: known[name].read(value) for name, value in given.items() if value is not None}
