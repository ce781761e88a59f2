"""Which memories Helix concluded itself. Every question asks it, so it knows nothing of nights."""

from __future__ import annotations

from helix.model.memory import Memory

EXTRACTOR = "sleep"
"""What the extractor of every conclusion begins with; after a colon follows the pass."""


def is_concluded(memory: Memory) -> bool:
    """Return whether Helix concluded a memory itself."""
    witnesses = memory.belief.provenance
    return bool(witnesses) and witnesses[0].source.extractor.startswith(f"{EXTRACTOR}:")


def is_summary(memory: Memory) -> bool:
    """Return whether a memory sums up what happened; it claims nothing about what is so."""
    return is_concluded(memory) and "level" in memory.attributes
