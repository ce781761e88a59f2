"""Everything a reference store holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from helix.model.changes import JournalEntry
from helix.model.edge import Edge
from helix.model.life import Surfacing, Use
from helix.model.memory import Belief, Memory
from helix.model.note import Note
from helix.model.record import Record
from helix.model.run import Run
from helix.model.scope import Realm
from helix.model.session import Session
from helix.ports.enrichment import Novelty
from helix.ports.jobs import Job

Key = tuple[str, str]
"""A tenant's name and an id."""

Kept = tuple[int, int, bytes]
"""A vector: bits a dimension, dimension, and its bytes."""


@dataclass(frozen=True, slots=True)
class Past:
    """What was believed about a memory until a moment, and the record that ended it, if any."""

    until_at: datetime
    until_position: int | None
    belief: Belief


@dataclass
class State:
    """Dicts and lists of frozen values; a copy of these containers is a copy of the store."""

    records: dict[str, list[Record]] = field(default_factory=dict)
    checkpoints: dict[str, int] = field(default_factory=dict)
    memories: dict[Key, Memory] = field(default_factory=dict)
    past: dict[Key, list[Past]] = field(default_factory=dict)
    edges: dict[Key, Edge] = field(default_factory=dict)
    sessions: dict[tuple[Realm, str], Session] = field(default_factory=dict)
    budgets: dict[Realm, int] = field(default_factory=dict)
    uses: dict[Key, dict[int, Use]] = field(default_factory=dict)
    surfaced: dict[Key, Surfacing] = field(default_factory=dict)
    vectors: dict[str, dict[Key, Kept]] = field(default_factory=dict)
    words: dict[str, dict[Key, bytes]] = field(default_factory=dict)
    tombs: set[tuple[str, str]] = field(default_factory=set)
    trusts: dict[tuple[Realm, int, str], bool] = field(default_factory=dict)
    mentions: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    novelty: dict[Key, Novelty] = field(default_factory=dict)
    enriched: dict[str, set[Key]] = field(default_factory=dict)
    naming: dict[Key, tuple[tuple[str, bool], ...]] = field(default_factory=dict)
    likenesses: dict[str, dict[tuple[Key, Key], float]] = field(default_factory=dict)
    serving: str = ""
    coming: str = ""
    jobs: dict[int, Job] = field(default_factory=dict)
    jobs_given: int = 0
    entries: dict[str, list[JournalEntry]] = field(default_factory=dict)
    seals: dict[tuple[str, int], bytes] = field(default_factory=dict)
    runs: dict[str, list[Run]] = field(default_factory=dict)
    replies: dict[tuple[str, str, str], tuple[datetime, str | None, int]] = field(
        default_factory=dict
    )
    notes: dict[Key, Note] = field(default_factory=dict)
    contents: dict[Key, str] = field(default_factory=dict)
    aside: State | None = None

    def forget_enrichment(self, *keys: Key) -> None:
        """Drop what was found out about memories that are no longer there."""
        for key in keys:
            self.mentions.pop(key, None)
            self.novelty.pop(key, None)
            self.naming.pop(key, None)
            for likenesses in self.likenesses.values():
                for pair in [pair for pair in likenesses if key in pair]:
                    del likenesses[pair]
            for vectors in self.vectors.values():
                vectors.pop(key, None)
            for words in self.words.values():
                words.pop(key, None)
            for done in self.enriched.values():
                done.discard(key)

    def copy(self) -> State:
        """Return a state that can be changed without changing this one."""
        return State(
            records={tenant: list(each) for tenant, each in self.records.items()},
            checkpoints=dict(self.checkpoints),
            memories=dict(self.memories),
            past={key: list(each) for key, each in self.past.items()},
            edges=dict(self.edges),
            sessions=dict(self.sessions),
            budgets=dict(self.budgets),
            uses={key: dict(each) for key, each in self.uses.items()},
            surfaced=dict(self.surfaced),
            tombs=set(self.tombs),
            trusts=dict(self.trusts),
            vectors={model: dict(each) for model, each in self.vectors.items()},
            words={model: dict(each) for model, each in self.words.items()},
            mentions=dict(self.mentions),
            novelty=dict(self.novelty),
            naming=dict(self.naming),
            likenesses={model: dict(each) for model, each in self.likenesses.items()},
            enriched={model: set(each) for model, each in self.enriched.items()},
            serving=self.serving,
            coming=self.coming,
            jobs=dict(self.jobs),
            jobs_given=self.jobs_given,
            entries={tenant: list(each) for tenant, each in self.entries.items()},
            seals=dict(self.seals),
            runs={tenant: list(each) for tenant, each in self.runs.items()},
            replies=dict(self.replies),
            notes=dict(self.notes),
        )
