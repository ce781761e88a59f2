"""Acts as bytes, and back: the language in which the ledger is kept.

msgspec does the work: it checks types strictly on the way in and costs under a
microsecond on the way out. A record names the kind and the version of its encoding;
`UPCASTS` lifts what an earlier version wrote, so old ledgers stay readable for ever.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from helix.model import act as acts
from helix.model.act import Act
from helix.model.errors import IntegrityBroken, StoreUnavailable

VERSION = 1
"""The version in which every kind is written today."""

KINDS: dict[str, type[Act]] = {
    "captured": acts.Captured,
    "session_started": acts.SessionStarted,
    "session_ended": acts.SessionEnded,
    "asserted": acts.Asserted,
    "corrected": acts.Corrected,
    "confirmed": acts.Confirmed,
    "related": acts.Related,
    "forgotten": acts.Forgotten,
    "restored": acts.Restored,
    "pinned": acts.Pinned,
    "resolved": acts.Resolved,
    "used": acts.Used,
    "promoted": acts.Promoted,
    "demoted": acts.Demoted,
    "approved": acts.Approved,
    "rejected": acts.Rejected,
    "trusted": acts.Trusted,
    "rolled_back": acts.RolledBack,
    "erased": acts.Erased,
    "purged": acts.Purged,
}
NAMES = {act_class: name for name, act_class in KINDS.items()}

Upcast = Callable[[dict[str, object]], dict[str, object]]
UPCASTS: dict[tuple[str, int], Upcast] = {}
"""(kind, version) to the step that turns its plain form into that of the next version."""

_encode = msgspec.json.Encoder(order="deterministic").encode
_decoders = {name: msgspec.json.Decoder(act_class) for name, act_class in KINDS.items()}


def encode(act: Act) -> bytes:
    """Return the canonical bytes of an act: equal acts give equal bytes."""
    return _encode(act)


def kind_of(act: Act) -> str:
    """Return the name under which the ledger files an act."""
    return NAMES[type(act)]


def decode(kind: str, version: int, body: bytes) -> Act:
    """Return the act that was encoded, lifted to today's version.

    Raises `StoreUnavailable` for what a newer Helix wrote, `IntegrityBroken` for bytes
    that no Helix wrote.
    """
    if kind not in KINDS or version > VERSION:
        raise StoreUnavailable(
            f"a record of kind {kind!r}, version {version}, is not known to this Helix",
            code="record_too_new",
            remedy="update Helix: a newer version wrote this store",
        )
    try:
        if version == VERSION:
            return _decoders[kind].decode(body)
        return msgspec.convert(_lifted(kind, version, body), KINDS[kind])
    except (msgspec.MsgspecError, LookupError) as error:
        raise IntegrityBroken(
            f"the payload of a {kind!r} record cannot be read: {error}",
            code="payload_unreadable",
            remedy="run `helix verify`; restore the store from a backup if it names this record",
        ) from error


def _lifted(kind: str, version: int, body: bytes) -> dict[str, object]:
    plain: dict[str, object] = msgspec.json.decode(body)
    for step in range(version, VERSION):
        plain = UPCASTS[kind, step](plain)
    return plain
