"""Numbers that are counted up from one: positions, runs, work that is owed."""

from __future__ import annotations

import click

LARGEST = 2**63 - 1
"""A store counts no further; SQLite takes no greater number for an answer to compare with."""

FROM_ONE = click.IntRange(1, LARGEST)
FROM_ZERO = click.IntRange(0, LARGEST)
