"""The guided first session: real commands on a throw-away store, with their real output."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

import click

from helix.doors.cli.calling import NAME, as_typed
from helix.doors.cli.door import Answer, Door
from helix.doors.cli.main import called
from helix.doors.rendering import faint, strong

SCOPE = "project:demo-shop"


@dataclass
class Session:
    """Types commands, shows them, and keeps what they answered."""

    door: Door
    steps: list[Answer] = field(default_factory=list)

    def explain(self, words: str) -> None:
        """Say what comes next and why."""
        if not self.door.silent:
            click.echo(f"\n{strong(words)}")

    def type(self, *args: str) -> Answer:
        """Run one command as a user would, and return its document."""
        typed = f"{NAME} {shlex.join(args)}"
        if not self.door.silent:
            click.echo(faint("$ ") + typed)
        answer = called(args, self.door)
        assert isinstance(answer, dict)
        self.steps.append({"command": typed, "answer": answer})
        return answer


def guide(session: Session) -> None:
    """Walk through a first session: capture, recall, correct, why, log, rollback."""
    session.explain("Something happens while an agent works. It is captured.")
    session.type("capture", "npm install failed with ERESOLVE", "--tool=bash", "--exit-status=1")
    session.explain("You tell it what holds in this project.")
    kept = session.type("remember", "This repo uses npm", "--type=convention")
    session.explain("Later, in another session, somebody asks.")
    session.type("recall", "do we use npm here?")
    session.explain(
        "That was wrong. A correction replaces it, and the old one is kept for its time."
    )
    right = session.type("correct", _id(kept), "This repo uses pnpm, not npm")
    session.type("recall", "do we use npm here?")
    session.explain("Every memory can say why it is held, and by whom.")
    session.type("why", _id(kept))
    session.explain("The ledger keeps what happened and what was decided, in order.")
    session.type("log")
    session.explain("Any act can be undone, and the undoing is on record too.")
    session.type("rollback", str(right["position"]), "--reason=only trying it out", "--yes")
    session.type("recall", "do we use npm here?")
    session.explain("Nothing was lost on the way: every seal holds.")
    session.type("verify")


def next_steps() -> list[str]:
    """Return what to type after the tour, as it can be typed here."""
    name = as_typed()
    return [
        f"{name} init",
        f"{name} connect",
        f'{name} remember "This repo uses pnpm, not npm" --type convention',
        f"{name} --help",
    ]


def closing() -> Iterator[str]:
    """Yield the last lines: what happened to the store, and what to type next."""
    yield ""
    yield "That was a throw-away store; it is gone now. Your own begins with:"
    yield from (f"  {each}" for each in next_steps())


def _id(answer: Answer) -> str:
    memory = answer["memory"]
    assert isinstance(memory, dict)
    return str(memory["id"])
