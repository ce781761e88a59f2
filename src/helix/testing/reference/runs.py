"""Runs of sleep as one list per tenant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from helix.model.run import Run, RunState
from helix.model.scope import Realm
from helix.testing.reference.state import State


class ReferenceRuns:
    """Implements `Runs`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def begin(self, run: Run) -> Run:
        """See `Runs.begin`."""
        runs = self._state.runs.setdefault(run.realm.tenant, [])
        runs.append(replace(run, number=len(runs) + 1))
        return runs[-1]

    def save(self, run: Run) -> None:
        """See `Runs.save`."""
        self._state.runs[run.realm.tenant][run.number - 1] = run

    def run(self, tenant: str, number: int) -> Run | None:
        """See `Runs.run`."""
        runs = self._state.runs.get(tenant, [])
        return runs[number - 1] if 0 < number <= len(runs) else None

    def unfinished(self, realm: Realm) -> Run | None:
        """See `Runs.unfinished`."""
        return next((each for each in self._of(realm) if each.state is RunState.RUNNING), None)

    def latest(self, realm: Realm, limit: int = 20) -> Sequence[Run]:
        """See `Runs.latest`."""
        return self._of(realm)[:limit]

    def reverted(self, realm: Realm) -> Sequence[Run]:
        """See `Runs.reverted`."""
        return [each for each in self._of(realm) if each.state is RunState.REVERTED]

    def clear(self, tenant: str) -> None:
        """See `Runs.clear`."""
        self._state.runs.pop(tenant, None)

    def _of(self, realm: Realm) -> list[Run]:
        runs = self._state.runs.get(realm.tenant, [])
        return [each for each in reversed(runs) if each.realm == realm]
