"""A group that knows its commands by name and imports one only when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from helix.doors.cli.table import COMMANDS, SECTIONS

PACKAGE = "helix.doors.cli.commands"


class LazyGroup(click.Group):
    """Prints its help from the table, without loading a single command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module, says = COMMANDS[cmd_name]
        found = getattr(import_module(f"{PACKAGE}.{module}"), f"{cmd_name}_command")
        assert isinstance(found, click.Command)
        found.short_help = says
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, section by section."""
        widest = max(map(len, COMMANDS))
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                # Padded names keep the columns of all sections in line.
                formatter.write_dl(
                    [(name.ljust(widest), each.says) for name, each in entries.items()]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was called; a misspelt one is answered with a guess."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"there is no command {args[0]!r}{_guess(args[0])}")
        return super().resolve_command(ctx, args)


def _guess(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=2)
    return f"; did you mean {' or '.join(near)}?" if near else ""
