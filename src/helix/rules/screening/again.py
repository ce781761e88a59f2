"""Screening once more: what today's rules find in a memory that is held.

Rules learn, and a store may be older than they are. Whoever tells memories to an agent asks
here, and not only what was found on the day on which they came.
"""

from __future__ import annotations

from dataclasses import replace

from helix.model.memory import Memory
from helix.model.suspicion import Suspicion
from helix.rules.influence import is_users
from helix.rules.screening.judging import Verdict, cached, worst
from helix.rules.screening.whole import whole_texts


def doubt_of(memory: Memory) -> Suspicion | None:
    """Return what speaks against a memory: what was found before, and what is found today.

    What the user vouches for is not screened: it is the user's to give orders.
    """
    before = memory.belief.suspicion
    if is_users(memory):
        return before
    texts = whole_texts(memory.content, memory.attributes, memory.circumstances)
    found = worst(map(cached, texts))
    if found.verdict is Verdict.PASS:
        return before
    held = found.verdict is Verdict.HOLD
    if before is None:
        return Suspicion(found.score, found.reasons, held)
    # What was found otherwise, as a takeover is, still speaks against it.
    reasons = tuple(dict.fromkeys((*found.reasons, *before.reasons)))
    score = max(found.score, before.score)
    return replace(before, score=score, reasons=reasons, held=held or before.held)


def noted(memory: Memory, doubt: Suspicion | None) -> Memory:
    """Return a memory with what speaks against it."""
    if doubt is None or doubt == memory.belief.suspicion:
        return memory
    return replace(memory, belief=replace(memory.belief, suspicion=doubt))
