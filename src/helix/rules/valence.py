"""How strongly a text is felt, from its words alone. Strong feelings are remembered better.

Developers' words, not poetry: an outage, a relief, a warning in capitals. The sign does not
matter for memory, only the strength.
"""

from __future__ import annotations

import re

_STRONG = frozenset({
    "outage", "disaster", "catastrophe", "catastrophic", "panic", "nightmare", "horrible",
    "terrible", "awful", "hate", "furious", "angry", "frustrated", "frustrating", "broken",
    "destroyed", "lost", "leaked", "breach", "critical", "urgent", "emergency", "love", "amazing",
    "excellent", "brilliant", "fantastic", "perfect", "wonderful", "relief", "thrilled", "proud",
    "celebrate", "finally",
})  # fmt: skip
_MILD = frozenset({
    "fail", "failed", "fails", "failing", "failure", "error", "errors", "crash", "crashed",
    "crashes", "bug", "bugs", "wrong", "bad", "annoying", "confusing", "slow", "risky", "worry",
    "worried", "sorry", "problem", "stuck", "revert", "reverted", "good", "great", "nice", "works",
    "working", "happy", "glad", "thanks", "fixed", "solved", "success", "succeeded", "passed",
    "clean",
})  # fmt: skip
_WORD = re.compile(r"[A-Za-z']+")
STRONG, MILD, SHOUTED = 0.4, 0.15, 0.1
_SHORTEST_SHOUT = 4
_LETTERS_LOOKED_AT = 2000


def valence(text: str) -> float:
    """Return how strongly a text is felt, in [0, 1]; 0 for a plain statement."""
    head = text[:_LETTERS_LOOKED_AT]
    felt = SHOUTED * min(head.count("!"), 2)
    for word in _WORD.findall(head):
        small = word.lower()
        if small in _STRONG:
            felt += STRONG
        elif small in _MILD:
            felt += MILD
        elif len(word) >= _SHORTEST_SHOUT and word.isupper():
            felt += SHOUTED
    return min(1.0, felt)
