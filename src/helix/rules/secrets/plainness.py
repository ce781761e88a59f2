"""Names that cannot hold a secret, told without the rules that find one.

Every process names a scope when it opens a memory. Nearly all are like `project:acme/shop`:
nothing in them is as long as a token, and nothing calls itself a credential.
"""

from __future__ import annotations

import re

_LONGEST_PART = 15
"""Letters; the shortest token that is known by its form alone has twenty."""

_TELLING = re.compile(
    rf"[\w-]{{{_LONGEST_PART + 1},}}|[=@+~%&?!#$'\"\\\s]|pass|pwd|secret|token|key|auth|cred|pin\b",
    re.IGNORECASE,
)


def is_plain(name: str) -> bool:
    """Return whether a name is made of short, harmless parts; False means: look closer."""
    return _TELLING.search(name) is None
