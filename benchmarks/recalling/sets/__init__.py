"""One loader per set: files of a folder become haystacks of plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.recalling.sets import (
    beam,
    cosqa,
    git,
    locomo,
    longmemeval,
    multihop,
    mutable,
    peps,
    scifact,
)
from benchmarks.recalling.values import Haystack

Load = Callable[[Path, str | None, int], list[Haystack]]

LOADERS: Mapping[str, Load] = {
    "locomo": locomo.load,
    "longmemeval-pooled": longmemeval.load_pooled,
    "longmemeval-s500": longmemeval.load_s500,
    "beam": beam.load,
    "cosqa": cosqa.load,
    "scifact": scifact.load,
    "multihop": multihop.load,
    "git": git.load,
    "peps": peps.load,
    "mutable": mutable.load,
}
