"""Which model serves, in two fields of the state."""

from __future__ import annotations

from helix.model.memory import Status
from helix.testing.reference.state import State


class ReferenceServing:
    """Implements `Serving`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def current(self) -> str:
        """See `Serving.current`."""
        return self._state.serving

    def coming(self) -> str:
        """See `Serving.coming`."""
        return self._state.coming

    def adopt(self, model: str) -> str:
        """See `Serving.adopt`."""
        self._state.serving = self._state.serving or model
        return self._state.serving

    def prepare(self, model: str) -> None:
        """See `Serving.prepare`."""
        self._state.coming = "" if self.adopt(model) == model else model

    def take_over(self, model: str) -> bool:
        """See `Serving.take_over`."""
        if self._state.coming != model:
            return False
        standing = {
            key for key, each in self._state.memories.items() if each.status is not Status.PURGED
        }
        done = self._state.enriched
        if (done.get(self._state.serving, set()) & standing) - done.get(model, set()):
            return False
        self._state.serving, self._state.coming = model, ""
        return True

    def left_over(self) -> tuple[str, ...]:
        """See `Serving.left_over`."""
        taken = {self._state.serving, self._state.coming}
        return tuple(model for model in self._state.vectors if model not in taken)
