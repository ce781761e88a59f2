"""What a project has taken in already: under which id a piece is written, if it is at all.

An id names its project. The same line in two repositories, or the history of a fork, is news
to each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix.app.events import event_in
from helix.app.facade import Helix
from helix.capture.admission import admitted
from helix.connect.importing.pieces import digest
from helix.model.memory import Memory, Status
from helix.model.scope import Realm

PLACE = 12
"""Letters of an id that tell projects apart."""

OWN = "+own"
"""Ends the id of a copy that counts, where the first one waits for a foreign source."""


def event_id(key: str, realm: Realm) -> str:
    """Return the id of a piece's event in a project."""
    return f"{_plain(key)}@{digest(realm.owner, realm.scope)[:PLACE]}"


def names(keys: Sequence[str], realm: Realm) -> list[str]:
    """Return the ids by which a piece may be known: today's first, then those without a project.

    Earlier versions gave such ids, and hooks do.
    """
    return [name for key in keys for name in (event_id(key, realm), _plain(key))]


def unused(memory: Helix, ids: Sequence[str], *, own: bool) -> str:
    """Return the id to write a piece under, or nothing if the project knows it by one of `ids`.

    What waits for a foreign source, and for nothing else, is written again where an `own` one
    says it too: the foreign copy goes on waiting, as nobody has decided on that source.
    """
    realm = memory.context.realm
    waits = False
    with memory.context.store.reading() as unit:
        for each in ids:
            found, _ = event_in(unit.ledger, realm, each)
            if found is None:
                continue
            held = unit.projection.born_at(realm.tenant, found.position)
            waits = own and held is not None and only_waits(held)
            if not waits:
                return ""
    return ids[0] + OWN if waits else ids[0]


def stood_there(memory: Helix, key: str, content: str) -> bool:
    """Return whether an earlier version took in these words under a key that tells only where.

    Today's ids of such pieces follow from the words as well.
    """
    held = in_project(memory, [_plain(key)])
    if held is None:
        return False
    # As it says: what is held back is told to nobody here, only compared.
    with memory.context.store.reading() as unit:
        there = unit.projection.held(held.realm.tenant, held.id)
    return there is not None and there.content == admitted(content, memory.context.gates)


def in_project(memory: Helix, ids: Sequence[str]) -> Memory | None:
    """Return the memory that one of these events brought about in the project itself."""
    found = (memory.by_event(each) for each in ids)
    return next((each for each in found if each and each.realm == memory.context.realm), None)


def only_waits(memory: Memory) -> bool:
    """Return whether a memory is held back for nothing but a source that nobody trusts yet."""
    doubt = memory.belief.suspicion
    waits = doubt is not None and bool(doubt.waits_for) and not doubt.held
    return memory.status is Status.QUARANTINED and waits


def _plain(key: str) -> str:
    return key if ":" in key else f"import:{key}"
