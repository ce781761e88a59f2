"""What the ledger writes down, it reads back."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from helix.ledger.chaining import seal_of, sealed
from helix.ledger.encoding import KINDS, VERSION, decode, encode, kind_of
from helix.ledger.verifying import fault_in, head_of
from helix.model.act import Act
from helix.model.record import EMPTY_HEAD, Payload, Record
from helix.model.scope import Realm
from helix.testing.strategies import any_act, moments, realms


@given(any_act())
def test_decoding_gives_back_what_was_encoded(act: Act) -> None:
    """Every act of every kind survives encoding, and equal acts give equal bytes."""
    kind = kind_of(act)
    body = encode(act)
    again = decode(kind, VERSION, body)
    assert again == act
    assert encode(again) == body
    assert KINDS[kind] is type(act)


@given(any_act(), realms(), moments(), st.binary(min_size=16, max_size=16))
def test_a_sealed_record_is_faultless_and_any_change_shows(
    act: Act, realm: Realm, now: datetime, salt: bytes
) -> None:
    """A record continues its head exactly as sealed, and no other payload fits it."""
    unsealed = Record(
        realm=realm,
        kind=kind_of(act),
        version=VERSION,
        event_id="ev",
        recorded_at=now,
        payload=Payload(salt, encode(act)),
    )
    record = sealed(EMPTY_HEAD, unsealed)
    assert record.seal == seal_of(record)
    assert fault_in(record, EMPTY_HEAD, ()) is None
    assert head_of(record).position == 1
