"""Serving: which model's vectors answer in a store, and which one is to take over.

Kept in the store and not in a process's settings: every process that opens the store asks
with the same model, and a switch is one transaction for all of them.
"""

from __future__ import annotations

from typing import Protocol


class Serving(Protocol):
    """One model serves at a time; at most one other is coming. Names are the embedders' own."""

    def current(self) -> str:
        """Return the model that serves, or "" before anything was embedded."""
        ...

    def coming(self) -> str:
        """Return the model that is to take over, or "" if none is."""
        ...

    def adopt(self, model: str) -> str:
        """Let a model serve if none does yet; return the one that serves now."""
        ...

    def prepare(self, model: str) -> None:
        """Let a model take over once it has caught up.

        One that was coming before is given up; preparing the one that serves gives up the
        switch.
        """
        ...

    def take_over(self, model: str) -> bool:
        """Let the coming model serve, if it has come as far as the one that serves.

        So nothing that is found by meaning today is lost by switching. False, and nothing
        changes, if it is behind or was given up.
        """
        ...

    def left_over(self) -> tuple[str, ...]:
        """Return the models that neither serve nor are coming but have something kept."""
        ...
