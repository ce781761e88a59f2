"""Readable ids and content fingerprints.

An id is for people (`mem_billing_db_choice`); a fingerprint is for telling whether the
same thing was said before. Neither is ever parsed for meaning.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from itertools import islice

from helix.model.scope import Realm
from helix.rules.words import STOP_WORDS

_WORD = re.compile(r"[a-z0-9]+")
_SPACE = re.compile(r"\s+")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

SLUG_WORDS = 5
SLUG_LETTERS = 40
_LETTERS_LOOKED_AT = 160
_LETTERS_NORMALISED = 4_000  # normalising a long run of combining marks takes quadratic time


def slug(content: str) -> str:
    """Return up to five telling words of the content, joined by underscores; may be empty."""
    head = content[:_LETTERS_LOOKED_AT]
    if not head.isascii():
        head = unicodedata.normalize("NFKD", head).encode("ascii", "ignore").decode()
    words = (word[0] for word in _WORD.finditer(head.lower()) if word[0] not in STOP_WORDS)
    return "_".join(islice(words, SLUG_WORDS))[:SLUG_LETTERS].rstrip("_")


def base36(number: int) -> str:
    """Return a whole number in the 36 digits 0-9a-z."""
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"


def episode_id(content: str, position: int) -> str:
    """Return the id of the episode captured at a position: unique without looking anything up."""
    words = slug(content)
    return f"ep_{words}_{base36(position)}" if words else f"ep_{base36(position)}"


def note_id(content: str, event_id: str, realm: Realm) -> str:
    """Return the id of a note on a scratchpad: its words, and a mark of its event id.

    And of its realm: two projects may name an event alike, and must not write over each other.
    """
    words, mark = slug(content), _mark(realm.owner, realm.scope, event_id)[:6]
    return f"note_{words}_{mark}" if words else f"note_{mark}"


def edge_id_stem(position: int) -> str:
    """Return what the ids of all edges drawn by the record at a position begin with."""
    return f"edge_{base36(position)}"


def edge_id(position: int, ordinal: int) -> str:
    """Return the id of the n-th edge drawn by the record at a position."""
    return f"{edge_id_stem(position)}_{ordinal}"


def fingerprint(type_name: str, content: str) -> str:
    """Return what two statements share when they say the same in the same words.

    Case, spacing and Unicode form do not count; a different value does.
    """
    if len(content) <= _LETTERS_NORMALISED:
        content = unicodedata.normalize("NFKC", content)
    plain = _SPACE.sub(" ", content).strip().casefold()
    return hashlib.sha256(f"{type_name}\n{plain}".encode()).hexdigest()[:32]


def same_words(one: str, other: str) -> bool:
    """Return whether two texts say the same in the same words; see `fingerprint`."""
    return fingerprint("", one) == fingerprint("", other)


def concluded_id(realm: Realm, type_name: str, content: str) -> str:
    """Return the id of what Helix concluded: the same conclusion has the same id for ever.

    It follows from where it holds and what it says, so that concluding again, on another
    machine or after a rebuild, finds the same memory, with its pins and statistics.
    """
    mark = _mark(realm.owner, realm.scope, fingerprint(type_name, content))
    return f"mem_{slug(content) or type_name}_{mark[:6]}"


def link_id(from_id: str, relation: str, to_id: str) -> str:
    """Return the id of an edge that Helix concluded; it follows from its ends."""
    return f"link_{_mark(from_id, relation, to_id)[:16]}"


def _mark(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def memory_id(content: str, content_fingerprint: str, taken: Callable[[str], bool]) -> str:
    """Return a readable id that is free, with a short suffix when the plain one is taken."""
    words = slug(content)
    if not words:
        words = content_fingerprint[:8]
    plain = f"mem_{words}"
    if not taken(plain):
        return plain
    for length in range(4, len(content_fingerprint) + 1):
        candidate = f"{plain}_{content_fingerprint[:length]}"
        if not taken(candidate):
            return candidate
    # The same words were forgotten and said again: count the sayings.
    count = 2
    while taken(f"{plain}_{content_fingerprint[:4]}_{count}"):
        count += 1
    return f"{plain}_{content_fingerprint[:4]}_{count}"
