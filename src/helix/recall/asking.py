"""A question being answered: everything the steps share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from helix.model.frozen import dataclass
from helix.model.memory import Memory, Status
from helix.model.question import Question, Standpoint, View
from helix.model.scope import Realm
from helix.ports.embedder import Embedded
from helix.ports.store import Unit
from helix.recall.scoring import OF_MEMORIES, OF_SESSIONS, Tuning, Weights
from helix.recall.signals import Candidate
from helix.recall.time_words import Span, spans
from helix.rules.policy import HELIX, Policy
from helix.rules.validity import answers

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors

SESSIONS_DEEPER = 2
"""How many times as many candidates where sessions are asked for, each of which has several."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question being answered: everything the steps share."""

    unit: Unit
    asker: Realm
    question: Question
    standpoint: Standpoint
    words: tuple[str, ...]
    now: datetime
    tuning: Tuning
    policy: Policy = HELIX
    model: str = ""
    asked: Vectors | None = None
    said: Embedded | None = None
    """The question's words, as the model understands each of them."""
    embed: Callable[[Sequence[str]], Vectors] | None = None
    """Embeds a few texts at once, where that is free."""
    unseen: frozenset[Status] = frozenset()
    """Where a memory stands that is kept from whoever asks, however it stood before."""

    @property
    def deeper(self) -> int:
        """How many times as many candidates as usual."""
        return SESSIONS_DEEPER if self.question.by_session else 1

    @property
    def weights(self) -> Weights:
        """What each signal counts for what is asked for."""
        return OF_SESSIONS if self.question.by_session else OF_MEMORIES


def may_answer(asking: Asking, memory_ids: Sequence[str], *, past: bool = False) -> list[Memory]:
    """Return those of some memories that may answer the question, in their order.

    With `past`, what has stepped back is among them.
    """
    if not memory_ids:
        return []
    projection, seen = asking.unit.projection, asking.standpoint
    if past:
        seen = replace(seen, view=View.DEEP)
    found = projection.memories(asking.asker, memory_ids, seen.believed_on)
    types = asking.question.types
    return [
        memory
        for memory in (found[each] for each in memory_ids if each in found)
        if answers(memory, seen) and (not types or memory.type in types)
    ]


def asked_spans(asking: Asking) -> Sequence[Span]:
    """Return the stretches of time that the question speaks of, seen from when it was asked."""
    return spans(asking.question.text, asking.question.asked_at or asking.now)


def session_of(candidate: Candidate) -> str:
    """Return the session in which a candidate happened; "" if in none."""
    around = candidate.memory.circumstances
    return around.session if around else ""
