"""Under which id the ledger keeps an event whose own id another realm has used.

A ledger holds each id once, and all realms of a tenant share one. Callers name their events
themselves, and two projects may choose alike: the later one's is kept under its id with a mark
of the realm, so that neither gets in the other's way, or learns that it is there.
"""

from __future__ import annotations

import hashlib

from helix.model.scope import Realm

SEPARATOR = "\t"
"""Stands before the mark. No caller's id holds one: such ids are refused."""

MARK_LETTERS = 24


def marked(event_id: str, realm: Realm) -> str:
    """Return the id by which an event of a realm is kept where its own is another realm's."""
    of = f"{realm.owner}\n{realm.scope}".encode()
    return f"{event_id}{SEPARATOR}{hashlib.sha256(of).hexdigest()[:MARK_LETTERS]}"


def as_given(kept_id: str) -> str:
    """Return the id that a caller gave an event, whatever it is kept under.

    A mark tells that another realm has the id, which is nobody's business.
    """
    return kept_id.partition(SEPARATOR)[0]
