"""Replies of a language model as one dict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from helix.ports.language_model import Reply
from helix.testing.reference.state import State


class ReferenceReplies:
    """Implements `Replies`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def kept(self, tenant: str, key: str, model: str) -> Reply | None:
        """See `Replies.kept`."""
        found = self._state.replies.get((tenant, key, model))
        return None if found is None or found[1] is None else Reply(found[1], found[2])

    def keep(self, tenant: str, key: str, model: str, reply: Reply, now: datetime) -> None:
        """See `Replies.keep`."""
        earlier = self._state.replies.get((tenant, key, model))
        tokens = reply.tokens + (earlier[2] if earlier else 0)
        self._state.replies[tenant, key, model] = (now, reply.text, tokens)

    def spent(self, tenant: str, since: datetime) -> int:
        """See `Replies.spent`."""
        kept = self._state.replies.items()
        return sum(tokens for (name, *_), (at, _, tokens) in kept if name == tenant and at >= since)

    def any_of(self, tenant: str, model: str) -> bool:
        """See `Replies.any_of`."""
        kept = self._state.replies.items()
        return any((name, by) == (tenant, model) and text for (name, _, by), (_, text, _) in kept)

    def texts(self, tenant: str) -> Sequence[str]:
        """See `Replies.texts`."""
        kept = sorted(self._state.replies.items())
        return [text for (name, *_), (_, text, _) in kept if name == tenant and text is not None]

    def clear(self, tenant: str) -> None:
        """See `Replies.clear`."""
        for key, (at, _, tokens) in list(self._state.replies.items()):
            if key[0] == tenant:
                self._state.replies[key] = (at, None, tokens)
