"""A bar for long work, where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def watched(label: str, records: int) -> Iterator[Callable[[int], None]]:
    """Give a function to report records done; it draws on a terminal's stderr, else nowhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=records, label=label, file=sys.stderr) as bar:
        yield bar.update
