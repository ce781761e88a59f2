"""Numbers as options take them: counted up from one, or measured."""

from __future__ import annotations

from typing import Any

import click

LARGEST = 2**63 - 1
"""A store counts no further; SQLite takes no greater number for an answer to compare with."""


class Measured(click.FloatRange):
    """A number within bounds; what is not a number at all lies within none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or raise what says why it is none that fits."""
        found = float(super().convert(value, param, ctx))
        if found != found:  # noqa: PLR0124 - that is how NaN shows itself
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


FROM_ONE = click.IntRange(1, LARGEST)
FROM_ZERO = click.IntRange(0, LARGEST)
