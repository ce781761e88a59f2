"""What all commands share: the options that say which memory is meant, and how to answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.model.errors import BadInput

Answer = dict[str, object]
Function = Callable[..., Any]


@dataclass
class Door:
    """Which memory a command works on, and in which form it answers."""

    store: str | None = None
    scope: str | None = None
    agent: str = ""
    as_json: bool = False
    held: Helix | None = None
    """A memory somebody else opened and will close, as the guided tour does."""
    silent: bool = False

    @contextmanager
    def memory(self, *, begins: bool = False, scope: str | None = None) -> Iterator[Helix]:
        """Open the memory that was meant; the store is imported here and not before.

        Only what `begins` a memory makes a file where one was named and is not there: whoever
        asks, and has mistyped the name, should hear of it.
        """
        if self.held is not None:
            yield self.held
            return
        from helix.app.facade import Helix
        from helix.app.wiring import THROW_AWAY

        if self.store not in (None, THROW_AWAY) and not begins and not self.store_path().exists():
            raise _no_store(self.store_path())

        # A command ends before it would pay to begin anything beside it.
        scope = scope or self.scope
        with Helix.open(self.store, scope=scope, agent=self.agent, background=False) as memory:
            yield memory

    def store_path(self) -> Path:
        """Return the file that `memory` opens."""
        if self.store is not None:
            from helix.app.homes import expanded

            return expanded(self.store)
        from helix.app.wiring import settings

        return settings().store

    def say(self, text: str, document: Answer) -> Answer:
        """Answer in words or, with `--json`, in one document; return the document."""
        if self.silent:
            return document
        if self.as_json:
            from helix.doors.documents import as_json

            click.echo(as_json(document, spread=sys.stdout.isatty()))
        else:
            click.echo(text)
        return document


def _no_store(path: Path) -> BadInput:
    from helix.doors.neutral import one_line
    from helix.model.errors import BadInput

    return BadInput(
        f"there is no store at {one_line(str(path))}",
        code="no_such_store",
        remedy="check the path; `helix init`, `helix remember` or `helix import` begin one there",
    )


def _noted(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if not value and value is not None and value is not False:
        # An empty variable in a script: without a name it would be the user who speaks.
        raise click.BadParameter("it is empty; leave the option out, or give it a value")
    # Given after the command, it counts as much as before it; the last one wins.
    if value and param.name:
        setattr(ctx.ensure_object(Door), param.name, value)


def shared_options(*, hidden: bool = False) -> Callable[[Function], Function]:
    """Return a decorator that adds the options every command takes."""

    def add(function: Function) -> Function:
        for names, settings in reversed(_SHARED):
            option = click.option(
                *names, **settings, hidden=hidden, expose_value=False, callback=_noted
            )
            function = option(function)
        return function

    return add


_SHARED: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--store",), {"metavar": "PATH", "help": "The memory's file, if not the user's own."}),
    (
        ("--scope",),
        {"metavar": "SCOPE", "help": "global or project:NAME, if not that of the folder."},
    ),
    (("--agent",), {"metavar": "NAME", "help": "Mark what is written as ingested by this agent."}),
    (("--json", "as_json"), {"is_flag": True, "help": "Answer with one JSON document."}),
)


class _WithExamples:
    """Help that ends in examples."""

    examples: Sequence[str] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, and where the shared options are explained."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")
        formatter.write_paragraph()
        formatter.write_text("Also --store, --scope, --agent and --json: see `helix --help`.")


class ExampleCommand(_WithExamples, click.Command):
    """A command whose help ends in examples."""


class ExampleGroup(_WithExamples, click.Group):
    """A command that answers by itself and has commands of its own; its help ends in examples."""


def group(name: str, examples: Sequence[str]) -> Callable[[Function], ExampleGroup]:
    """Return a decorator that makes a function a command with commands of its own.

    The function answers only where none of them is called.
    """

    def make(function: Function) -> ExampleGroup:
        @click.pass_context
        def answered(ctx: click.Context, /, **options: object) -> object:
            if ctx.invoked_subcommand is not None:
                return None
            return function(ctx.ensure_object(Door), **options)

        answered.__doc__ = function.__doc__
        answered.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
        shared = shared_options(hidden=True)(answered)
        made = click.group(name, cls=ExampleGroup, invoke_without_command=True)(shared)
        made.examples = examples
        return made

    return make


def command(name: str, examples: Sequence[str]) -> Callable[[Function], click.Command]:
    """Return a decorator that makes a function a command; it gets the `Door` first."""

    def make(function: Function) -> click.Command:
        opened = click.make_pass_decorator(Door, ensure=True)(function)
        made = click.command(name, cls=ExampleCommand)(shared_options(hidden=True)(opened))
        made.examples = examples
        return made

    return make
