"""How many of the truly nearest vectors the index finds, on directions drawn evenly and on real ones.

The index is asked as recall asks it: vectors in a store's own tables, caught up from there.
"""  # noqa: E501 - one sentence

from __future__ import annotations

ASKED = 200
"""Vectors looked for in each set."""

NEAREST = 10
REAL = 20_000
"""Real texts embedded, at most."""

LETTERS = 400
"""What of a real text is embedded: enough to tell it from others, at a third of the time."""
