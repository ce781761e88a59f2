"""Every tool an agent may call, in one table.

Descriptions are static: nothing recalled and nothing configured ever enters them. Scope is
not an argument of any tool. `DEFAULT` is what an agent gets unasked, few enough to be
cheap; `--tools full` adds the rest. A tool is listed once something stands behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helix.doors.fields import Field
from helix.model.types import CODING_TYPES, EPISODE

if TYPE_CHECKING:
    from helix.app.facade import Helix

MOST_DEFAULT = 8
_TYPES = tuple(each.name for each in CODING_TYPES if each.name != EPISODE)
_ID = Field("id", "A memory's id, such as mem_chose_sqlite.", required=True)
_BUDGET = Field("budget", "Most tokens to answer with.", "integer", least=100, most=20_000)


@dataclass(frozen=True, slots=True)
class Tool:
    """What an agent may call: its name, what it says of itself, its fields, what it does.

    `does` names a function of `calls`; it is looked up when first called, so that listing
    the tools does not pay for the store.
    """

    name: str
    says: str
    fields: tuple[Field, ...]
    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = True

    @property
    def does(self) -> Callable[[Helix, dict[str, Any]], str]:
        """The function behind it."""
        from helix.doors.mcp import calls

        found = getattr(calls, self.name)
        assert callable(found)
        return found  # type: ignore[no-any-return]


DEFAULT: tuple[Tool, ...] = (
    Tool(
        "recall",
        "Ask long-term memory before you decide, search or ask the user: earlier decisions,"
        " conventions, failures and how they were solved. Says so when it does not know.",
        (
            Field("question", "In plain words; names, paths and error codes help.", required=True),
            Field("types", "Only these types.", "array"),
            Field("on", "What was true on this ISO date."),
            Field("history", "Also what was replaced, and the archive.", "boolean"),
            _BUDGET,
        ),
        reads_only=True,
    ),
    Tool(
        "context",
        "Briefing on this project: conventions, decisions, preferences, what happened last."
        " Call it when you begin.",
        (_BUDGET,),
        reads_only=True,
    ),
    Tool(
        "remember",
        "Hold something durable to be so: a decision with its reason, a convention, a"
        " preference, a procedure that worked. One self-contained sentence. Saying it twice"
        " changes nothing.",
        (
            Field("content", required=True),
            Field("type", "What it is; default fact.", choices=_TYPES),
            Field("everywhere", "True of the user in every project.", "boolean"),
            Field("importance", "1 to 10.", "integer", least=1, most=10),
        ),
    ),
    Tool(
        "capture",
        "Write down something that happened: a command that failed and why, what fixed it,"
        " what was tried.",
        (
            Field("content", "What happened, in a sentence or two.", required=True),
            Field("tool", "The tool or command."),
            Field("exit_status", "0 is well.", "integer"),
            Field("files", "Paths it was about.", "array"),
            Field("event_id", "The same one twice is kept once."),
        ),
    ),
    Tool(
        "correct",
        "Put something else in a memory's place because it changed or was wrong. The old one"
        " stays readable for its time.",
        (
            _ID,
            Field("content", "What is so now.", required=True),
            Field("since", "ISO date from which it holds; default now."),
            Field("always", "The old one was never right.", "boolean"),
        ),
    ),
    Tool(
        "forget",
        "Let a memory step back from every answer. The user can restore it.",
        (_ID, Field("reason")),
        destructive=True,
    ),
    Tool(
        "used",
        "Say that a recalled memory served you, or misled you: what helps lasts longer.",
        (
            _ID,
            Field(
                "quality",
                "0 it misled, 3 it helped, 5 just what was needed; default 4.",
                "integer",
                least=0,
                most=5,
            ),
        ),
        idempotent=False,
    ),
    Tool(
        "why",
        "Tell how a memory came to be held: who said it, when, what changed since; and show"
        " its whole text.",
        (_ID,),
        reads_only=True,
    ),
)

MORE: tuple[Tool, ...] = (
    Tool(
        "about",
        "What is held about a thing: a person, file, package, command, error code or identifier.",
        (Field("name", required=True), _BUDGET),
        reads_only=True,
    ),
    Tool(
        "promote",
        "Hold what an episode tells as a fact, a decision or the like. The episode stays.",
        (
            _ID,
            Field("content", "Its own words; yours go to remember."),
            Field("type", "Default fact.", choices=_TYPES),
        ),
    ),
    Tool(
        "demote",
        "Send a memory to the archive; using it brings it back.",
        (_ID, Field("reason")),
        idempotent=False,
    ),
    Tool("confirm", "Say that a memory was found to be right.", (_ID,), idempotent=False),
    Tool("restore", "Bring back what was forgotten.", (_ID,)),
    Tool(
        "pin",
        "Keep a memory from fading, or release it.",
        (_ID, Field("pinned", "Default true.", "boolean")),
    ),
    Tool(
        "relate",
        "Say how two memories hang together.",
        (
            Field("from_id", required=True),
            Field("relation", "Such as depends_on.", required=True),
            Field("to_id", required=True),
        ),
    ),
    Tool(
        "list",
        "List what is held, newest first.",
        (
            Field("types", "Only these types.", "array"),
            Field("limit", "", "integer", least=1, most=200),
            Field("before", "Page on from here: a position or a memory's id.", "cursor"),
            _BUDGET,
        ),
        reads_only=True,
    ),
    Tool(
        "log",
        "Show what was recorded, newest first.",
        (
            Field("limit", "", "integer", least=1, most=200),
            Field("before", "A position to page on from.", "integer", least=0),
        ),
        reads_only=True,
    ),
    Tool(
        "pending",
        "Fetch work for idle moments: questions about what happened here, for you to distil"
        " into lasting facts. Answer with `submit`.",
        (Field("limit", "Questions; default 1.", "integer", least=1, most=5),),
        reads_only=True,
    ),
    Tool(
        "submit",
        "Hand in the answer to a pending question. It is checked, and concluded from during sleep.",
        (
            Field("key", "The question's key.", required=True),
            Field("reply", "An object of the form that was given.", "object", required=True),
        ),
    ),
    Tool("status", "Show how much is held here, and in which scope.", (), reads_only=True),
)


def offered(*, full: bool) -> Sequence[Tool]:
    """Return the tools an agent is offered."""
    return (*DEFAULT, *MORE) if full else DEFAULT
