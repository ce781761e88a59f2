"""Asking before something is done that cannot easily be undone."""

from __future__ import annotations

import click

from helix.doors.error_mapping import NO


def agree(question: str, *, usually: bool = False) -> None:
    """Ask; whoever declines is told that nothing was changed, and the program ends with `NO`."""
    # On stderr, so that the answer on stdout stays one document.
    if not click.confirm(question, err=True, default=usually):
        click.echo("Nothing was changed.", err=True)
        raise click.exceptions.Exit(NO)
