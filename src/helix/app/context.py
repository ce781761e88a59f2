"""What one open memory works with: whose it is, where it looks, and through what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from helix.app.elsewhere import memories_here
from helix.app.language import Language
from helix.app.tending import Tending
from helix.capture.admission import (
    GATES,
    Gate,
    admitted_id,
    admitted_name,
    cleaning,
    readable,
    redacting,
)
from helix.model.errors import unknown_memory
from helix.model.memory import Memory
from helix.model.provenance import FIRST_HAND, Origin, Source
from helix.model.scope import Realm
from helix.model.types import Schema
from helix.ports.clock import Chance, Clock
from helix.ports.embedder import Embedder
from helix.ports.reranker import Reranker
from helix.ports.store import Store, Unit
from helix.rules.policy import HELIX, Policy

if TYPE_CHECKING:
    from helix.app.figures import Figures
    from helix.app.servers import Server


@dataclass(frozen=True)
class Context:
    """Resolved once when a memory is opened; nothing a model says can change it."""

    store: Store
    realm: Realm
    source: Source
    schema: Schema
    clock: Clock
    chance: Chance
    gates: Sequence[Gate] = GATES
    scope_reason: str = ""
    embedder: Callable[[], Embedder | None] = lambda: None
    """Gives the embedder that serves this store now, if it can be used here."""
    named_embedder: Callable[[str], Embedder | None] = lambda _: None
    """Gives an embedder by its own name, if it can be used here."""
    reranker: Reranker | None = None
    """Reads the best candidates again, where the user has set one up."""
    tending: Tending | None = None
    """The work done in the background while this memory is open, if any."""
    language: Callable[[], Language] = Language
    servers: Callable[[], Sequence[Server]] = lambda: ()
    """Gives the servers that the settings name, of embedders and of language models."""
    root: Path | None = None
    """The project's working tree, where there is one."""
    policy: Policy = HELIX
    waits_for: str = ""
    """The source that is being imported, while nobody trusts it."""
    keep_days: float | None = None
    """How long the ledger keeps what happened; for ever if nobody says."""
    figures: Figures | None = None
    """Counts what is asked, where somebody watches; see `helix.app.figures`."""
    home: Path = Path("/nonexistent")
    """Where the user's own keys lie. Where there is no such place, nothing can be signed."""

    def now(self, unit: Unit) -> datetime:
        """Return the present, which is never before what is recorded."""
        # The machine's clock may have jumped back; what is recorded has still happened.
        return max(self.clock.now(), unit.ledger.head(self.realm.tenant).recorded_at)

    def visible(self, unit: Unit, memory_id: str) -> Memory:
        """Return a memory that can be seen from here, or raise `NotFound`."""
        memory = unit.projection.memory(self.realm, readable(memory_id))
        if memory is None:
            raise unknown_memory(memory_id, self.realm.scope)
        return memories_here(unit, self.realm, [memory])[0]

    @property
    def quotes(self) -> bool:
        """Whether what is written here was read somewhere, as an import does."""
        return self.source.extractor not in FIRST_HAND

    def name(self, text: str, what: str) -> str:
        """Return a name that somebody gave, as it may be kept, or raise `BadInput`.

        What is imported was named by nobody who could be asked for another: there, a secret
        is taken out of the name.
        """
        if self.quotes:
            return admitted_name(cleaning(redacting(self.gates))(text), what)
        return admitted_id(text, what)

    def nudge(self) -> None:
        """Let what tends this memory in the background know that it is in use."""
        if self.tending is not None:
            self.tending.nudge()


def source_of(agent: str, owner: str) -> Source:
    """Return who speaks: an agent if one is named, else the owner in person.

    This is the one place where origin is decided. It depends on how the memory was
    opened, never on what a text claims.
    """
    if agent:
        return Source(admitted_id(agent, "an agent"), Origin.AGENT_INGESTED)
    return Source(owner, Origin.USER_ASSERTED)
