"""Tombs: recognising words that must not come back, without keeping them.

The digest is keyed with the seal of the tenant's first record: it cannot be compared between
stores, and says nothing to somebody who does not hold the store. Whoever holds it could still
guess short texts one by one; that is the price of recognising them at all.
"""

from __future__ import annotations

import hashlib
import unicodedata

LETTERS = 32


def tomb(seal: bytes, content: str) -> str:
    """Return the keyed digest of a text, whatever its case and spacing."""
    plain = " ".join(unicodedata.normalize("NFKC", content).casefold().split())
    keyed = hashlib.blake2b(plain.encode(errors="replace"), key=seal[:64], person=b"helix-tomb")
    return keyed.hexdigest()[:LETTERS]
