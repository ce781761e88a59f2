"""Digests, seals and moments: what ties a record to its payload and to the record before."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, timedelta

import pytest

from helix.ledger.chaining import digest, moment_after, seal_of, sealed
from helix.ledger.verifying import bears_its_seal, fault_in, head_of
from helix.model.record import EMPTY_HEAD, Head, Payload, Record
from helix.model.scope import Realm
from helix.testing.clock import SOME_MOMENT

UNSEALED = Record(
    realm=Realm("acme", "ann", "project:a"),
    kind="pinned",
    version=1,
    event_id="ev1",
    recorded_at=SOME_MOMENT,
    payload=Payload(b"s" * 16, b"{}"),
)
MICROSECOND = timedelta(microseconds=1)

DIGEST = "7525933f0e78f8a1b6144ced4eb2b43a4468d44f5ba6ba03c155c11d5196e53b"
SEAL = "0fe03523f285f53178cbe7a3755cf7f9a6d01744ddce5dabb9a61668ddad6559"
"""Of `UNSEALED` as the first record of a ledger, computed apart from Helix."""


def test_a_seal_of_today_stays_what_it_is() -> None:
    """Seals are compared across versions and machines, so their making must never change."""
    record = sealed(EMPTY_HEAD, UNSEALED)
    assert record.digest.hex() == DIGEST
    assert record.seal.hex() == SEAL


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("realm", Realm("acme", "ann", "project:b")),
        ("realm", Realm("acme", "bob", "project:a")),
        ("realm", Realm("other", "ann", "project:a")),
        ("position", 2),
        ("kind", "asserted"),
        ("version", 2),
        ("event_id", "ev2"),
        ("recorded_at", SOME_MOMENT + MICROSECOND),
        ("digest", b"x" * 32),
        ("previous", b"x" * 32),
    ],
)
def test_everything_but_the_payload_is_under_the_seal(field: str, other: object) -> None:
    """Changing any field of the header changes the seal the record ought to bear."""
    record = sealed(EMPTY_HEAD, UNSEALED)
    changed = replace(record, **{field: other})
    assert seal_of(changed) != record.seal
    assert not bears_its_seal(changed)
    assert {each.name for each in fields(Record)} == {
        "realm", "position", "kind", "version", "event_id", "recorded_at", "digest",
        "previous", "seal", "payload",
    }  # fmt: skip


def test_the_payload_is_tied_by_its_salted_digest() -> None:
    """The same text under another salt has another digest, so a digest betrays nothing."""
    payload = Payload(b"a" * 16, b"secret")
    assert digest(payload) != digest(replace(payload, salt=b"b" * 16))
    assert digest(payload) != digest(replace(payload, body=b"Secret"))


def test_neighbouring_fields_cannot_be_confused() -> None:
    """Moving letters from one field to the next changes the seal."""
    one = sealed(EMPTY_HEAD, replace(UNSEALED, kind="pin", event_id="ned"))
    other = sealed(EMPTY_HEAD, replace(UNSEALED, kind="pinn", event_id="ed"))
    assert one.seal != other.seal


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (SOME_MOMENT + MICROSECOND, SOME_MOMENT + MICROSECOND),
        (SOME_MOMENT, SOME_MOMENT + MICROSECOND),
        (SOME_MOMENT - timedelta(days=400), SOME_MOMENT + MICROSECOND),
        (SOME_MOMENT + timedelta(days=400), SOME_MOMENT + timedelta(days=400)),
    ],
)
def test_moments_rise_whatever_the_clock_says(now: datetime, expected: datetime) -> None:
    """A record is dated now, or just after the head if the clock is behind it."""
    head = Head(7, SOME_MOMENT, b"x" * 32)
    assert moment_after(head, now) == expected


def test_a_chain_is_faultless_record_by_record() -> None:
    """Each sealed record continues the one before it."""
    head = EMPTY_HEAD
    for number in range(1, 4):
        record = sealed(head, replace(UNSEALED, event_id=f"ev{number}"))
        assert record.position == number
        assert fault_in(record, head, ()) is None
        head = head_of(record)


def test_an_erased_payload_is_excused_by_name() -> None:
    """A record without a payload is faultless only if its position was erased."""
    bare = replace(sealed(EMPTY_HEAD, UNSEALED), payload=None)
    assert fault_in(bare, EMPTY_HEAD, {1}) is None
    assert fault_in(bare, EMPTY_HEAD, {2}) == "its payload is missing but was never erased"


def test_a_resealed_record_in_the_past_is_found() -> None:
    """Even under a valid seal, a record must be later than the one before it."""
    first = sealed(EMPTY_HEAD, UNSEALED)
    second = sealed(head_of(first), UNSEALED)
    backdated = replace(second, recorded_at=first.recorded_at)
    backdated = replace(backdated, seal=seal_of(backdated))
    found = fault_in(backdated, head_of(first), ())
    assert found == "it is not later than the record before it"
