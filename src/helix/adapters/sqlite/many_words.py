"""Scoring hundreds of texts by their words at once.

The measure is that of `rules/relevance`, worked out with numpy. Whoever asks by words alone in
a fresh process should not wait until numpy is loaded, which takes longer than the loops it
saves; where it is loaded already, because somebody asked by meaning, it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from helix.adapters.sqlite import stems
from helix.rules.relevance import LENGTH_SHARE, SATURATION

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def is_at_hand() -> bool:
    """Return whether numpy is loaded."""
    return "numpy" in sys.modules


class Counts:
    """How often each weighed stem stands in each of some texts."""

    def __init__(self, texts: Mapping[str, bytes], weights: Mapping[str, float]) -> None:
        """Take texts with the numbers of their stems, and what each asked stem weighs."""
        import numpy as np  # noqa: PLC0415 - see above

        self._row = {text: row for row, text in enumerate(texts)}
        self._weights = np.array(list(weights.values()), dtype=np.float64)
        wanted = np.frombuffer(b"".join(map(stems.number, weights)), dtype="<u4")
        every = np.frombuffer(b"".join(texts.values()), dtype="<u4")
        self._lengths = np.array([len(each) // stems.WIDTH for each in texts.values()], np.int64)
        self._counts = np.zeros((len(texts), len(wanted)), np.int64)
        ends = np.cumsum(self._lengths)
        for column, stem in enumerate(wanted):
            # Few words of a text are asked for: those are looked up, the others only passed.
            rows = np.searchsorted(ends, np.flatnonzero(every == stem), side="right")
            self._counts[:, column] = np.bincount(rows, minlength=len(texts))

    def scores(self, groups: Sequence[Sequence[str]], average_length: float) -> list[float]:
        """Return the relevance of each group of texts, read as one."""
        import numpy as np  # noqa: PLC0415 - see above

        sizes = np.array([len(group) for group in groups], np.int64)
        row = self._row
        rows = np.array([row[text] for text in chain.from_iterable(groups)], np.intp)
        counts = _summed(self._counts[rows], sizes)
        lengths = _summed(self._lengths[rows, None], sizes)
        share = LENGTH_SHARE * lengths / max(average_length, 1.0)
        stretch = SATURATION * (1 - LENGTH_SHARE + share)
        found: list[float] = (
            counts * (SATURATION + 1) / (counts + stretch) @ self._weights
        ).tolist()
        return found


def _summed(rows: npt.NDArray[np.generic], sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the sums of so many rows after another each; nothing sums to nothing."""
    import numpy as np  # noqa: PLC0415 - see above

    upto = np.zeros((len(rows) + 1, rows.shape[1]), np.int64)
    np.cumsum(rows, axis=0, out=upto[1:])
    ends = np.cumsum(sizes)
    return np.asarray(upto[ends] - upto[ends - sizes])
