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


class PageEnd(click.ParamType[int | str]):
    """A position, or the id of the last memory that was shown."""

    name = "page end"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Return the position, or the id as it is; whoever looks it up says if it leads nowhere."""
        looks_a_number = str(value).lstrip("-").isdecimal()
        return FROM_ONE.convert(value, param, ctx) if looks_a_number else str(value)


FROM_ONE = click.IntRange(1, LARGEST)
FROM_ZERO = click.IntRange(0, LARGEST)
