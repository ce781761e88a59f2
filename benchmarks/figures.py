"""Numbers from measurements: percentiles, growth, memory in use, and targets held or missed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import apsw

PAGE = 4096


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution in a few numbers, all in milliseconds."""

    count: int
    p50: float
    p95: float
    p99: float
    max: float


@dataclass(frozen=True, slots=True)
class Check:
    """A target, what was measured, and whether it was held."""

    target: str
    measured: float
    held: bool

    def plain(self) -> dict[str, object]:
        """Return it as JSON knows it."""
        return asdict(self)


def spread(seconds: Iterable[float]) -> Spread:
    """Return the distribution of some durations given in seconds."""
    ordered = sorted(seconds)
    at = [1000 * percentile(ordered, share) for share in (0.5, 0.95, 0.99, 1.0)]
    return Spread(len(ordered), *(round(each, 4) for each in at))


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which this share of the sorted values lies (nearest rank)."""
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def growth_exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return b of y = a x^b by least squares in log-log; NaN with fewer than two points."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    if len(logs) < 2:
        return math.nan
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / sum((x - mean_x) ** 2 for x, _ in logs)


def resident_bytes() -> int:
    """Return this process's resident memory; 0 where the system does not tell it."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * PAGE if status.exists() else 0


def log_bytes(path: Path) -> int:
    """Return the length of a store's write-ahead log; 0 if there is none."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size
    except FileNotFoundError:
        return 0


def stored_bytes(path: Path) -> int:
    """Return the size of a database once its write-ahead log has been moved in."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        return int(connection.pragma("page_count")) * int(connection.pragma("page_size"))
