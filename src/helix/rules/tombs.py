"""Tombs: recognising words that must not come back, without keeping them.

The digest is keyed with the seal of the tenant's first record: it cannot be compared between
stores, and says nothing to somebody who does not hold the store. Whoever holds it could still
guess short texts one by one; that is the price of recognising them at all.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from helix.rules.screening.disguises import undisguised

LETTERS = 32

_SELECTORS = re.compile("[\ufe00-\ufe0f]")


def tomb(seal: bytes, content: str) -> str:
    """Return the keyed digest of a text, whatever its case, spacing, disguise and end signs."""
    seen, _ = undisguised(content)
    plain = _plain(_SELECTORS.sub("", seen))
    return _digest(seal, _between_signs(plain) or plain)


def tombs(seal: bytes, content: str) -> tuple[str, ...]:
    """Return every digest under which a text may have been laid, older kinds of digest as well."""
    return tomb(seal, content), _digest(seal, _plain(content))


def _plain(content: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", content).casefold().split())


def _between_signs(plain: str) -> str:
    """Return a text from its first letter to its last: quotes and full stops change no words."""
    first = next((at for at, each in enumerate(plain) if each.isalnum()), len(plain))
    last = next((at for at in range(len(plain), first, -1) if plain[at - 1].isalnum()), first)
    return plain[first:last]


def _digest(seal: bytes, plain: str) -> str:
    keyed = hashlib.blake2b(plain.encode(errors="replace"), key=seal[:64], person=b"helix-tomb")
    return keyed.hexdigest()[:LETTERS]
