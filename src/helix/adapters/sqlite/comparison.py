"""A question compared with every vector of a place, block by block, by several threads.

Whoever embedded the question begins, and whoever needs the products helps: numpy lets go of
Python while it works, so two threads take half as long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from helix.rules.similarity import BLOCK, Coarse, CoarseQuestion, Room, Vectors, room

Products = npt.NDArray[np.number[Any]]

PATIENCE = 0.05
"""Seconds that another thread gets for its last block before its place is looked at again."""


class Comparison:
    """How alike a question and each of many vectors are, in the order of these."""

    def __init__(
        self, among: Coarse | Vectors, asked: Vectors, rooms: list[Room] | None = None
    ) -> None:
        """Prepare; nothing is compared yet. `rooms` holds those that others have left."""
        self._among = among
        self._asked = asked
        self._rooms = [] if rooms is None else rooms
        count = len(among.sums) if isinstance(among, Coarse) else len(among)
        kind = np.int32 if isinstance(among, Coarse) else np.float32
        self._products: Products = np.empty(count, kind)
        self._waiting = list(range(0, count, BLOCK))
        self._unfinished = len(self._waiting)
        self._counting = threading.Lock()
        self._finished = threading.Event()
        if not count:
            self._finished.set()

    def work(self) -> None:
        """Compare blocks until there is none left to begin with."""
        if not self._waiting:
            return
        if not isinstance(self._among, Coarse):
            self._work(self._exactly)
            return
        try:
            within = self._rooms.pop()
        except IndexError:
            within = room(len(self._asked))
        question, (planes, sums) = CoarseQuestion(self._asked, within), self._among
        try:
            self._work(lambda rows: question.products(Coarse(planes[:, rows], sums[rows])))
        finally:
            self._rooms.append(within)

    def _work(self, compared: Callable[[slice], Products]) -> None:
        while self._waiting:
            try:
                start = self._waiting.pop()
            except IndexError:  # another thread was quicker
                return
            block = slice(start, start + BLOCK)
            try:
                self._products[block] = compared(block)
            except BaseException:
                self._waiting.append(start)
                raise
            with self._counting:
                self._unfinished -= 1
                if not self._unfinished:
                    self._finished.set()

    def _exactly(self, rows: slice) -> Products:
        # Not by a matrix product: BLAS would keep another core busy long after it.
        return np.asarray(np.vecdot(self._among[rows], self._asked))

    def products(self) -> Products:
        """Return how alike they are, after helping to find out."""
        self.work()
        while not self._finished.wait(PATIENCE):
            self.work()  # what another thread could not finish, it has put back
        return self._products
