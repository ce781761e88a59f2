"""Finding events by the ids that callers gave them, each realm for itself."""

from __future__ import annotations

from helix.model.record import Record
from helix.model.scope import Realm, visible_from
from helix.ports.ledger import Ledger
from helix.rules.event_ids import marked


def event_in(ledger: Ledger, realm: Realm, event_id: str) -> tuple[Record | None, str]:
    """Return the record of an event in this very realm, and the id it is or would be kept by."""
    found = ledger.find(realm.tenant, event_id)
    if found is not None and found.realm != realm:
        event_id = marked(event_id, realm)
        found = ledger.find(realm.tenant, event_id)
    return found, event_id


def event_seen_from(ledger: Ledger, asker: Realm, event_id: str) -> Record | None:
    """Return the record of an event that can be seen from a realm; one of its own comes first."""
    found = (event_in(ledger, each, event_id)[0] for each in visible_from(asker))
    return next((each for each in found if each is not None), None)
