"""The OpenAPI 3.1 document, made from the table of operations: it cannot drift from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helix import __version__
from helix.doors.fields import Field, schema_of
from helix.doors.rest.operations import OPERATIONS, Operation

PROBLEM = "application/problem+json"
FOLDER = r"(/|[A-Za-z]:)[!-~]*"
"""A whole path, percent-encoded as headers need it."""

_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE_TEXT: dict[str, Any] = {"type": ["string", "null"]}
_NUMBER: dict[str, Any] = {"type": "number"}
_WHOLE: dict[str, Any] = {"type": "integer"}
_YES: dict[str, Any] = {"type": "boolean"}
_CURSOR: dict[str, Any] = {"type": ["integer", "null"]}
_LAST_SHOWN: dict[str, Any] = {"type": ["integer", "string", "null"]}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
    }


def _list_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: dict[str, Any] = {
    "Problem": _object(
        {"type": _TEXT, "title": _TEXT, "status": _WHOLE, "code": _TEXT, "family": _TEXT},
        {"detail": _TEXT, "remedy": _TEXT},
    ),
    "Memory": _object(
        {
            "id": _TEXT, "type": _TEXT, "shape": _TEXT, "content": _TEXT, "scope": _TEXT,
            "status": _TEXT, "valid_from": _TEXT, "valid_to": _MAYBE_TEXT, "confidence": _NUMBER,
            "pinned": _YES, "superseded_by": _MAYBE_TEXT, "recorded_at": _TEXT,
            "position": _WHOLE, "importance": _NUMBER, "attributes": {"type": "object"},
            "provenance": {"type": "array", "items": {"type": "object"}},
        }
    ),
    "Outcome": _object(
        {"scope": _TEXT, "outcome": {"enum": ["kept", "joined", "skipped"]}},
        {"position": _WHOLE, "memory": _ref("Memory"), "reason": _TEXT},
    ),
    "Recollection": _object(
        {
            "scope": _TEXT, "found": _YES, "reason": _MAYBE_TEXT, "confidence": _NUMBER,
            "words_only": _MAYBE_TEXT, "question": {"type": "object"},
            "remembered": {
                "type": "array",
                "items": _object({"fit": _NUMBER, "memory": _ref("Memory")}),
            },
            "archived": {
                "type": "array",
                "items": _object({"fit": _NUMBER, "memory": _ref("Memory")}),
            },
        }
    ),
    "Memories": _object(
        {"scope": _TEXT, "memories": _list_of("Memory"), "next_cursor": _LAST_SHOWN}
    ),
    "Act": _object(
        {"position": _WHOLE, "recorded_at": _TEXT, "kind": _TEXT, "scope": _TEXT, "says": _TEXT}
    ),
    "Log": _object(
        {"scope": _TEXT, "entries": _list_of("Act"), "next_cursor": _CURSOR}
    ),
    "Account": _object(
        {
            "scope": _TEXT, "memory": _ref("Memory"), "witnesses": _list_of("Act"),
            "beliefs": {"type": "array", "items": {"type": "object"}},
            "edges": {"type": "array", "items": {"type": "object"}},
        }
    ),
    "Neighbourhood": _object(
        {
            "scope": _TEXT, "about": _TEXT, "memories": _list_of("Memory"),
            "beside": {"type": "array", "items": {"type": "object"}},
            "edges": {"type": "array", "items": {"type": "object"}},
        }
    ),
    "Relation": _object({"scope": _TEXT, "edge": {"type": "object"}}),
    "Status": _object(
        {
            "scope": _TEXT, "scope_reason": _TEXT, "records": _WHOLE,
            "counts": {"type": "array", "items": {"type": "object"}},
        }
    ),
    "Briefing": _object(
        {
            "scope": _TEXT, "text": _TEXT,
            "shown": {"type": "array", "items": _TEXT},
            "left_out": {"type": "array", "items": _TEXT},
        }
    ),
}  # fmt: skip

REFUSALS = {
    "400": "The input cannot be taken; nothing was written.",
    "401": "The token is missing or wrong.",
    "403": "The request comes from a web page or under another name than this machine's.",
    "404": "There is no such thing, seen from here.",
    "408": "The body did not come in time.",
    "409": "It would contradict the record.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "429": "Too many requests at once.",
    "503": "The store cannot be used right now.",
}


def document() -> dict[str, Any]:
    """Return the whole document."""
    paths: dict[str, Any] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Helix",
            "version": __version__,
            "description": "Long-term memory for coding agents, over HTTP on this machine.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(each: Operation) -> dict[str, Any]:
    parameters = [_parameter(field, "path") for field in each.path_fields]
    parameters += [_parameter(field, "query") for field in each.query]
    parameters.append(
        {
            "name": "Helix-Folder",
            "in": "header",
            "description": "The folder whose project is meant; without it, only `global` is seen.",
            "schema": {"type": "string", "pattern": f"^{FOLDER}$"},
            "example": "/home/me/shop",
        }
    )
    if each.keyed:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "The same key twice is one write.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 200},
            }
        )
    made: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.says,
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "Done.",
                "content": {"application/json": {"schema": _ref(each.answers)}},
            },
            **{
                status: {"description": says, "content": {PROBLEM: {"schema": _ref("Problem")}}}
                for status, says in REFUSALS.items()
            },
        },
    }
    if each.body:
        made["requestBody"] = {
            "required": any(field.required for field in each.body),
            "content": {"application/json": {"schema": _body(each.body)}},
        }
    return made


def _body(fields: Sequence[Field]) -> dict[str, Any]:
    schema = schema_of(fields)
    schema["properties"] = {each.name: _told(each) for each in fields}
    return schema


def _told(field: Field) -> dict[str, Any]:
    """Return a field's schema; a text that must be given must also say something.

    Agents' tools leave that out: it would cost every session its tokens.
    """
    if field.required and field.kind == "string" and not field.choices:
        return {**field.schema, "minLength": 1, "pattern": r"\S"}
    return field.schema


def _parameter(field: Field, place: str) -> dict[str, Any]:
    parameter: dict[str, Any] = {"name": field.name, "in": place, "schema": _told(field)}
    if place == "path" or field.required:
        parameter["required"] = True
    return parameter
