"""Where `helix` begins: the group of commands, and what happens when one goes wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

import click

from helix import __version__
from helix.doors.cli.calling import NAME
from helix.doors.cli.door import Door, shared_options
from helix.doors.cli.lazy import LazyGroup
from helix.doors.error_mapping import BROKEN_PIPE, INTERRUPTED, Fault, fault_of
from helix.doors.neutral import one_line

COMPLETE_VARIABLE = "_HELIX_COMPLETE"


@click.group(
    NAME,
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with `helix tour --guided`. Each command explains itself: `helix recall --help`.",
)
@shared_options()
@click.version_option(__version__, message="helix %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Long-term memory for coding agents: local, in one file, explained and reversible.

    Options may stand before or after the command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; see `error_mapping` for the codes."""
    given = list(sys.argv[1:] if args is None else args)
    instruction = os.environ.get(COMPLETE_VARIABLE)
    try:
        if instruction:
            return _complete(instruction)
        return _safely(lambda: _answered(given), given)
    except BrokenPipeError:
        return _quietly()


def failed(error: BaseException, args: Sequence[str]) -> int:
    """Tell what went wrong before this module was loaded, as `run` would; return the exit code."""

    def again() -> NoReturn:
        raise error

    try:
        return _safely(again, args)
    except BrokenPipeError:
        return _quietly()


def called(args: Sequence[str], door: Door | None = None) -> object:
    """Run one command line and return what its command returned; raises what it raised."""
    colour = False if os.environ.get("NO_COLOR") else None
    with cli.make_context(NAME, list(args), obj=door or Door(), color=colour) as ctx:
        return cli.invoke(ctx)


def _answered(args: Sequence[str]) -> None:
    # Some terminals cannot show every letter; an answer must not fail for that.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    called(args)


def _safely(does: Callable[[], object], args: Sequence[str]) -> int:
    try:
        does()
        sys.stdout.flush()
    except click.exceptions.Exit as left:
        sys.stdout.flush()
        return left.exit_code
    except (KeyboardInterrupt, EOFError, click.Abort):
        return _interrupted(as_json=_wants_json(args))
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - a door never shows a traceback unasked
        code = _reported(error, as_json=_wants_json(args))
        _let_go()
        return code
    return 0


def _interrupted(*, as_json: bool) -> int:
    if as_json:
        from helix.doors.documents import as_json as written

        fault = Fault(
            "interrupted", "interrupted", "it was interrupted", "what was done by then is kept"
        )
        click.echo(written(fault.document), err=True)
    else:
        click.echo("\nInterrupted.", err=True)
    return INTERRUPTED


def _reported(error: Exception, *, as_json: bool) -> int:
    fault = _misused(error) if isinstance(error, click.ClickException) else fault_of(error)
    if os.environ.get("HELIX_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    if as_json:
        from helix.doors.documents import as_json as written

        click.echo(written(fault.document), err=True)
    else:
        remedy = fault.remedy[:1].upper() + fault.remedy[1:]
        click.echo(f"{NAME}: {_sentence(fault.message)} {_sentence(remedy)}".rstrip(), err=True)
    return fault.exit_code


def _misused(error: click.ClickException) -> Fault:
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx else NAME
    return Fault("usage", "bad_input", error.format_message(), f"`{path} --help` shows how")


def _sentence(text: str) -> str:
    line = one_line(text)
    return line if not line or line.endswith((".", "?", "!")) else line + "."


def _wants_json(args: Sequence[str]) -> bool:
    # Asked of the bare words: the parser may be what failed.
    end = args.index("--") if "--" in args else len(args)
    return "--json" in args[:end]


def _quietly() -> int:
    # Whoever read the output has gone, as `head` does.
    _into_nothing()
    return BROKEN_PIPE


def _let_go() -> None:
    """Give up what could not be told: Python would try again at exit, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        _into_nothing()


def _into_nothing() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complete(instruction: str) -> int:
    from click.shell_completion import shell_complete

    return shell_complete(cli, {}, NAME, COMPLETE_VARIABLE, instruction)
