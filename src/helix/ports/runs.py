"""Runs of sleep: where each stands, so that one that was cut short goes on where it stopped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from helix.model.run import Run
from helix.model.scope import Realm


class Runs(Protocol):
    """Numbered runs per tenant. Saved in the transaction that applies what a pass concluded."""

    def begin(self, run: Run) -> Run:
        """Write down a new run and return it with its number, which rises by one per tenant."""
        ...

    def save(self, run: Run) -> None:
        """Write down how a run stands now."""
        ...

    def run(self, tenant: str, number: int) -> Run | None:
        """Return one run, if there is one."""
        ...

    def unfinished(self, realm: Realm) -> Run | None:
        """Return the run of exactly this realm that has not come to its end, if there is one."""
        ...

    def latest(self, realm: Realm, limit: int = 20) -> Sequence[Run]:
        """Return the runs of exactly this realm, newest first."""
        ...

    def reverted(self, realm: Realm) -> Sequence[Run]:
        """Return the runs of exactly this realm that a person took back."""
        ...

    def clear(self, tenant: str) -> None:
        """Forget every run of a tenant; its journal is being concluded anew."""
        ...
