"""How findings reach the reader: a table or one JSON document on stdout, progress on a terminal."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.figures import Check


def progress(saying: str) -> None:
    """Say how far it is, on a terminal only, in place."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{saying}")
        sys.stderr.flush()


def finish(
    findings: Mapping[str, object], lines: Sequence[str], *, as_json: bool, out: Path | None = None
) -> None:
    """Print the findings as they were asked for, and keep them in a file if one is named."""
    progress("")
    document = json.dumps(_finite(findings), indent=2)
    print(document if as_json else "\n".join(lines))
    if out is not None:
        out.write_text(document + "\n", encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return rows set under their headings, numbers to the right."""
    cells = [[_cell(each) for each in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    lined = [head, ["-" * width for width in widths], *cells]
    return ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in lined]


def verdicts(checks: Sequence[Check]) -> list[str]:
    """Return one line per target."""
    return [
        f"{'pass' if check.held else 'FAIL'}  {check.target}  (measured {_cell(check.measured)})"
        for check in checks
    ]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _finite(value: object) -> object:
    # JSON has no NaN; what could not be measured is null.
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value
