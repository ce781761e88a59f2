"""Every operation in one table: where it is, what it takes, what it does, what it answers.

Scope is no argument here either: it follows from the folder a request names in the header
`Helix-Folder`; without one, only what holds everywhere is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helix.doors import corrections, documents
from helix.doors.fields import Field
from helix.doors.page_ends import page_end
from helix.model.errors import Conflict
from helix.model.memory import Status
from helix.model.question import View
from helix.model.types import CODING_TYPES, EPISODE

if TYPE_CHECKING:
    from helix.app.facade import Helix

Given = dict[str, Any]
Document = dict[str, object]

_ID = Field("id", "A memory's id.", required=True)
_TYPES = tuple(each.name for each in CODING_TYPES)
_STATED = tuple(name for name in _TYPES if name != EPISODE)
_LIMIT = Field("limit", "How many at most.", "integer", least=1, most=1_000)
_CURSOR = Field("cursor", "Where the page before ended.", "integer", least=0, most=2**53)
_LAST_SHOWN = Field("cursor", "Where the page before ended.", "cursor")
_IMPORTANCE = Field("importance", "1 to 10.", "number", least=1, most=10)
_ATTRIBUTES = Field("attributes", "Anything else, as plain values.", "object")


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked over HTTP."""

    name: str
    method: str
    path: str
    says: str
    does: Callable[[Helix, Given], Document]
    answers: str
    query: tuple[Field, ...] = ()
    body: tuple[Field, ...] = ()
    keyed: bool = False
    """Whether an `Idempotency-Key` makes a repeated request one."""
    writes: bool = False
    made: int = 200

    @property
    def path_fields(self) -> tuple[Field, ...]:
        """The fields that stand in the path."""
        return (_ID,) if "{id}" in self.path else ()


def _recall(memory: Helix, given: Given) -> Document:
    answer = memory.recall(
        given["question"],
        view=given.get("view", View.CURRENT),
        true_on=given.get("on"),
        believed_on=given.get("believed_on"),
        types=given.get("types", ()),
        limit=given.get("limit", 10),
    )
    return documents.recollection(answer) | {"confidence": answer.confidence}


def _capture(memory: Helix, given: Given) -> Document:
    outcome = memory.capture(
        given["content"],
        session=given.get("session", ""),
        tool=given.get("tool", ""),
        exit_status=given.get("exit_status"),
        files=given.get("files", ()),
        parent_event_id=given.get("parent_event_id", ""),
        occurred_at=given.get("occurred_at"),
        importance_hint=_share(given),
        event_id=given.get("key"),
        attributes=given.get("attributes"),
    )
    return documents.outcome(memory.scope, outcome)


def _remember(memory: Helix, given: Given) -> Document:
    outcome = memory.remember(
        given["content"],
        type=given.get("type", "fact"),
        everywhere=given.get("everywhere", False),
        importance_hint=_share(given),
        confidence=given.get("confidence"),
        valid_from=given.get("since"),
        valid_to=given.get("until"),
        expires_at=given.get("expires"),
        attributes=given.get("attributes"),
        event_id=given.get("key"),
    )
    return documents.outcome(memory.scope, outcome)


def _correct(memory: Helix, given: Given) -> Document:
    try:
        outcome = memory.correct(
            given["id"],
            given["content"],
            since=given.get("since"),
            always=given.get("always", False),
            valid_to=given.get("until"),
            expires_at=given.get("expires"),
        )
    except Conflict:
        held = corrections.repeated(memory, given["id"], given["content"])
        if held is None:
            raise
        return documents.memory(memory.scope, held) | {
            "outcome": "joined",
            "position": held.position,
        }
    return documents.outcome(memory.scope, outcome)


def _forget(memory: Helix, given: Given) -> Document:
    held = memory.why(given["id"]).memory
    if held.status is Status.FORGOTTEN:
        return documents.memory(memory.scope, held) | {
            "outcome": "joined",
            "position": held.position,
        }
    return documents.outcome(memory.scope, memory.forget(given["id"], given.get("reason", "")))


def _restore(memory: Helix, given: Given) -> Document:
    return documents.outcome(memory.scope, memory.restore(given["id"]))


def _confirm(memory: Helix, given: Given) -> Document:
    return documents.outcome(memory.scope, memory.confirm(given["id"]))


def _pin(memory: Helix, given: Given) -> Document:
    return documents.outcome(memory.scope, memory.pin(given["id"], pinned=given["pinned"]))


def _relate(memory: Helix, given: Given) -> Document:
    edge = memory.relate(
        given["from"], given["relation"], given["to"], weight=given.get("weight", 1.0)
    )
    return documents.related(memory.scope, edge)


def _list(memory: Helix, given: Given) -> Document:
    limit = given.get("limit", 50)
    held = memory.list(
        types=given.get("type", ()), statuses=given.get("status") or None, limit=limit,
        before=given.get("cursor"),
    )  # fmt: skip
    on = page_end(held[-1]) if len(held) == limit else None
    return _paged(documents.listing(memory.scope, held, on))


def _why(memory: Helix, given: Given) -> Document:
    return documents.account(memory.scope, memory.why(given["id"]))


def _log(memory: Helix, given: Given) -> Document:
    limit = given.get("limit", 50)
    entries = memory.history.log(limit, given.get("cursor"))
    on = entries[-1].position if len(entries) == limit else None
    return _paged(documents.log(memory.scope, entries, on))


def _status(memory: Helix, given: Given) -> Document:
    del given
    document = documents.status(memory.upkeep.status(), "")
    document.pop("store")  # a path on this machine is nobody's business over HTTP
    return document


def _briefing(memory: Helix, given: Given) -> Document:
    from helix.doors.briefing import BUDGET, briefing

    told = briefing(memory, given.get("budget", BUDGET))
    return {
        "scope": memory.scope,
        "text": told.text,
        "shown": list(told.shown),
        "left_out": list(told.left_out),
    }


def _about(memory: Helix, given: Given) -> Document:
    return documents.neighbourhood(memory.look.about(given["name"], given.get("limit", 20)))


def _used(memory: Helix, given: Given) -> Document:
    kept = memory.life.used(given["id"], given.get("quality", 4))
    return documents.outcome(memory.scope, kept)


def _promote(memory: Helix, given: Given) -> Document:
    kept = memory.life.promote(given["id"], given.get("content", ""), given.get("type", "fact"))
    return documents.outcome(memory.scope, kept)


def _demote(memory: Helix, given: Given) -> Document:
    return documents.outcome(memory.scope, memory.life.demote(given["id"], given.get("reason", "")))


def _paged(document: Document) -> Document:
    return {
        ("next_cursor" if key == "next_before" else key): value for key, value in document.items()
    }


def _share(given: Given) -> float | None:
    points = given.get("importance")
    return None if points is None else float(points) / 10


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "recall", "POST", "/v1/recall", "Ask memory a question.", _recall, "Recollection",
        body=(
            Field("question", "In plain words.", required=True),
            Field("view", "Which memories may answer.", choices=("current", "deep", "history")),
            Field("on", "What was true on this ISO date or moment.", form="date-time"),
            Field("believed_on", "What was held on this ISO date or moment.", form="date-time"),
            Field("types", "Only these types.", "array", choices=_TYPES),
            Field("limit", "How many at most.", "integer", least=1, most=100),
        ),
    ),
    Operation(
        "capture", "POST", "/v1/captures", "Write down something that happened.", _capture,
        "Outcome", keyed=True, writes=True,
        body=(
            Field("content", "What happened.", required=True),
            Field("session", "The session it happened in."),
            Field("tool", "The tool that was used."),
            Field("exit_status", "0 is well.", "integer", least=-(2**31), most=2**31),
            Field("files", "The files it was about.", "array"),
            Field("parent_event_id", "The event that caused it."),
            Field("occurred_at", "When, as an ISO moment; default now.", form="date-time"),
            _IMPORTANCE,
            _ATTRIBUTES,
        ),
    ),
    Operation(
        "remember", "POST", "/v1/memories", "Hold something to be so.", _remember, "Outcome",
        keyed=True, writes=True,
        body=(
            Field("content", "One self-contained statement.", required=True),
            Field("type", "What it is; default fact.", choices=_STATED),
            Field("everywhere", "In every project, not only here.", "boolean"),
            _IMPORTANCE,
            Field("confidence", "How sure it is.", "number", least=0, most=1),
            Field("since", "ISO moment from which it is true; default now.", form="date-time"),
            Field("until", "ISO moment until which it is true.", form="date-time"),
            Field("expires", "ISO moment at which it stops to answer.", form="date-time"),
            _ATTRIBUTES,
        ),
    ),
    Operation(
        "list", "GET", "/v1/memories", "List what is held, newest first.", _list, "Memories",
        query=(
            Field("type", "Only this type; repeat.", "array", choices=_TYPES),
            Field("status", "Only what stands like this; repeat.", "array",
                  choices=tuple(each.value for each in Status)),
            _LIMIT,
            _LAST_SHOWN,
        ),
    ),
    Operation(
        "why", "GET", "/v1/memories/{id}", "Show a memory, and how it came to be held.", _why,
        "Account",
    ),
    Operation(
        "correct", "POST", "/v1/memories/{id}/corrections", "Put something else in its place.",
        _correct, "Outcome", writes=True,
        body=(
            Field("content", "What is so now.", required=True),
            Field("since", "ISO moment from which it holds; default now.", form="date-time"),
            Field("always", "The old one was never right.", "boolean"),
            Field("until", "ISO moment until which it is true.", form="date-time"),
            Field("expires", "ISO moment at which it stops to answer.", form="date-time"),
        ),
    ),
    Operation(
        "confirm", "POST", "/v1/memories/{id}/confirmations", "Find it right.", _confirm, "Outcome",
        writes=True,
    ),
    Operation(
        "used", "POST", "/v1/memories/{id}/uses", "Say how well it served.", _used, "Outcome",
        writes=True,
        body=(Field("quality", "0 it misled, 5 it was what was needed.", "integer",
                    least=0, most=5),),
    ),
    Operation(
        "promote", "POST", "/v1/memories/{id}/promote", "Hold what an episode tells.", _promote,
        "Outcome", writes=True,
        body=(
            Field("content", "In better words, which are the user's to give."),
            Field("type", "Default fact.", choices=_STATED),
        ),
    ),
    Operation(
        "demote", "POST", "/v1/memories/{id}/demote", "Send it to the archive.", _demote, "Outcome",
        writes=True, body=(Field("reason", "Why."),),
    ),
    Operation(
        "forget", "POST", "/v1/memories/{id}/forget", "Let it step back; it can be restored.",
        _forget, "Outcome", writes=True, body=(Field("reason", "Why."),),
    ),
    Operation(
        "restore", "POST", "/v1/memories/{id}/restore", "Bring it back.", _restore, "Outcome",
        writes=True,
    ),
    Operation(
        "pin", "PUT", "/v1/memories/{id}/pin", "Keep it from fading, or release it.", _pin,
        "Outcome", writes=True, body=(Field("pinned", "", "boolean", required=True),),
    ),
    Operation(
        "relate", "POST", "/v1/relations", "Say how two memories hang together.", _relate,
        "Relation", writes=True,
        body=(
            Field("from", "A memory's id.", required=True),
            Field("relation", "Such as depends_on.", required=True),
            Field("to", "A memory's id.", required=True),
            Field("weight", "Up to 1.", "number", least=0, most=1),
        ),
    ),
    Operation(
        "log", "GET", "/v1/log", "Show what was recorded, newest first.", _log, "Log",
        query=(_LIMIT, _CURSOR),
    ),
    Operation(
        "about", "GET", "/v1/about", "What is held about a thing, and what is named beside it.",
        _about, "Neighbourhood",
        query=(Field("name", "A person, file, package, code …", required=True), _LIMIT),
    ),
    Operation(
        "status", "GET", "/v1/status", "Count what is held here.", _status, "Status",
    ),
    Operation(
        "briefing", "GET", "/v1/briefing", "What an agent should know before it begins.",
        _briefing, "Briefing",
        query=(Field("budget", "Most tokens.", "integer", least=100, most=20_000),),
    ),
)  # fmt: skip
