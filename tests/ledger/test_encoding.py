"""Acts as bytes: canonical, strict, and readable for ever."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helix.ledger import encoding
from helix.ledger.encoding import KINDS, NAMES, VERSION, decode, encode, kind_of
from helix.model.act import Act, Pinned
from helix.model.errors import IntegrityBroken, StoreUnavailable
from helix.testing.builders import USER, a_capture, an_assertion

PINNED = Pinned("mem_x", pinned=True, source=USER)


def test_every_kind_of_act_has_a_name() -> None:
    """The kinds are named once each, and the names never change: ledgers hold them."""
    assert set(KINDS) == {
        "captured", "session_started", "session_ended", "asserted", "corrected", "confirmed",
        "related", "forgotten", "restored", "pinned", "resolved", "approved", "rejected",
        "used", "promoted", "demoted", "trusted",
        "rolled_back", "erased", "purged",
    }  # fmt: skip
    assert set(KINDS.values()) == set(Act.__args__)
    assert {NAMES[kind]: kind for kind in KINDS.values()} == KINDS


def test_bytes_written_today_are_read_for_ever() -> None:
    """These bytes were written by version 1; they must decode to the same act in any later one."""
    body = (
        b'{"memory_id":"mem_x","pinned":true,"source":'
        b'{"agent":"me","origin":"user-asserted","ref":"","extractor":"direct"}}'
    )
    assert decode("pinned", 1, body) == PINNED
    assert encode(PINNED) == body


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_equal_acts_give_equal_bytes(order: tuple[str, str]) -> None:
    """The order in which attributes were given does not count."""
    act = replace(an_assertion(), attributes=dict.fromkeys(order, 1))
    assert encode(act) == encode(replace(an_assertion(), attributes={"a": 1, "b": 1}))


@pytest.mark.parametrize(("kind", "version"), [("dreamt", 1), ("pinned", VERSION + 1)])
def test_what_a_newer_helix_wrote_is_not_guessed_at(kind: str, version: int) -> None:
    """An unknown kind or a higher version asks for an update."""
    with pytest.raises(StoreUnavailable) as refused:
        decode(kind, version, encode(PINNED))
    assert refused.value.code == "record_too_new"


@pytest.mark.parametrize(
    "body", [b"", b"nonsense", b"{}", b"[]", b"null", b'{"memory_id":1,"pinned":true,"source":{}}']
)
def test_bytes_that_no_helix_wrote_are_named(body: bytes) -> None:
    """A payload that cannot be an act of its kind is broken, not empty."""
    with pytest.raises(IntegrityBroken):
        decode("pinned", VERSION, body)


def test_an_act_is_not_read_as_another_kind() -> None:
    """Types are checked strictly on the way in."""
    with pytest.raises(IntegrityBroken):
        decode("asserted", VERSION, encode(a_capture()))
    assert kind_of(a_capture()) == "captured"


@pytest.fixture
def later_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Helix two versions on, in which `pinned` was first called `fixed`, then `nailed`."""

    def renamed(old: str, new: str) -> encoding.Upcast:
        return lambda plain: {new if key == old else key: each for key, each in plain.items()}

    monkeypatch.setattr(encoding, "VERSION", 3)
    monkeypatch.setitem(encoding.UPCASTS, ("pinned", 1), renamed("fixed", "nailed"))
    monkeypatch.setitem(encoding.UPCASTS, ("pinned", 2), renamed("nailed", "pinned"))


@pytest.mark.usefixtures("later_version")
def test_old_versions_are_lifted_step_by_step() -> None:
    """What an earlier version wrote is turned into the next one's form until it is today's."""
    today = encode(PINNED)
    assert decode("pinned", 1, today.replace(b'"pinned"', b'"fixed"')) == PINNED
    assert decode("pinned", 2, today.replace(b'"pinned"', b'"nailed"')) == PINNED
    assert decode("pinned", 3, today) == PINNED
