"""A command line that hands its work over: the same command, run where the store is open."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from helix.doors.cli.door import Answer, Door
from helix.doors.cli.reading import is_piped
from helix.model.errors import BadInput

if TYPE_CHECKING:
    from helix.app.facade import Helix


ASKED = frozenset({"args", "folder", "home", "terminal", "colour"})


@dataclass
class _Heard(Door):
    """Keeps what a command says instead of printing it."""

    terminal: bool = False
    colour: bool = False
    said: list[str] = field(default_factory=list)

    def say(self, text: str, document: Answer) -> Answer:
        if self.as_json:
            from helix.doors.documents import as_json

            self.said.append(as_json(document, spread=self.terminal).decode())
        else:
            self.said.append(text if self.colour else click.unstyle(text))
        return document


def asked(memory: Helix, raw: bytes) -> dict[str, Any]:
    """Answer a question as `helix.doors.asking` sends it."""
    from helix.app.facade import Helix
    from helix.app.wiring import as_the_user_sees

    told = _document(raw)
    # Other settings than ours: what the scope is called there, only they can tell.
    if Path(told["home"]) != Path(os.path.abspath(memory.context.home)):  # noqa: PTH100
        raise _not_here()
    seen = Helix(as_the_user_sees(memory.context, Path(told["folder"])))
    done = recalled(
        seen, told["args"], terminal=told["terminal"] is True, colour=told["colour"] is True
    )
    seen.life.write_down_shown()
    return done


def recalled(memory: Helix, args: Sequence[str], *, terminal: bool, colour: bool) -> dict[str, Any]:
    """Run `helix recall` with these arguments; return what it said, and its exit code."""
    from helix.doors.cli.commands.recall import recall_command

    door = _Heard(held=memory, terminal=terminal, colour=colour)
    try:
        with recall_command.make_context("recall", list(args), obj=door) as ctx:
            question = ctx.params["question"]
            # What would be piped in is the server's own input, and not for others to read.
            if is_piped(question) or not any(question) or door.store or door.scope or door.agent:
                raise _not_here()
            recall_command.invoke(ctx)
            code = 0
    except click.exceptions.Exit as left:
        code = left.exit_code
    except click.ClickException as error:
        # It says so in its own words, when it finds that nobody took its work over.
        raise _not_here() from error
    return {"text": "\n".join(door.said), "exit_code": code}


def _document(raw: bytes) -> dict[str, Any]:
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError):
        told = None
    places = ("folder", "home")
    words = isinstance(told, dict) and [*_listed(told.get("args")), *map(told.get, places)]
    if not words or not told.keys() >= ASKED or not all(isinstance(each, str) for each in words):
        raise BadInput(
            "this is no question that was handed over", code="not_a_question",
            remedy="send args, folder, home, terminal and colour in one JSON object",
        )  # fmt: skip
    return dict(told)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [None]


def _not_here() -> BadInput:
    return BadInput("only a plain question is answered here", code="not_handed_over")
