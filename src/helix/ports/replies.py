"""Replies of a language model, kept by what was asked: asking again costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from helix.ports.language_model import Reply


class Replies(Protocol):
    """A cache per tenant. It may be thrown away at any time, and must be when words are erased."""

    def kept(self, tenant: str, key: str, model: str) -> Reply | None:
        """Return the reply to a question under a model, if there is one."""
        ...

    def keep(self, tenant: str, key: str, model: str, reply: Reply, now: datetime) -> None:
        """Keep a reply; a later one to the same question replaces it."""
        ...

    def spent(self, tenant: str, since: datetime) -> int:
        """Return the tokens of replies kept since a moment."""
        ...

    def any_of(self, tenant: str, model: str) -> bool:
        """Return whether any reply of a model is kept."""
        ...

    def texts(self, tenant: str) -> Sequence[str]:
        """Return the text of every reply that is kept for a tenant; for scrubbing."""
        ...

    def clear(self, tenant: str) -> None:
        """Throw every reply of a tenant away; what was spent is still counted."""
        ...
