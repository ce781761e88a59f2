"""A signed head or receipt shows later whether a store was changed or swapped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helix import Helix
from helix.adapters import signatures
from helix.app import keyring
from helix.app.signing import Signer, signed
from helix.ledger.verifying import Broken, Sound
from helix.model.errors import BadInput, StoreUnavailable


@pytest.fixture
def memory(tmp_path, monkeypatch):
    monkeypatch.setenv("HELIX_HOME", str(tmp_path / "home"))
    with Helix.open(tmp_path / "memory.db", scope="global") as memory:
        memory.remember("the first thing")
        yield memory


@pytest.fixture(params=["ed25519", "hmac-sha256"])
def scheme(request, monkeypatch):
    if request.param == "hmac-sha256":
        monkeypatch.setattr(signatures, "is_available", lambda: False)
    elif not signatures.is_available():
        pytest.skip("the signing extra is not installed")
    return request.param


def test_a_store_that_went_on_still_bears_its_signed_head(memory, scheme):
    head = memory.attesting.head()
    assert head["scheme"] == scheme
    memory.remember("the second thing")
    assert isinstance(memory.attesting.check(json.loads(json.dumps(head))), Sound)


def test_another_store_does_not_bear_it(memory, scheme, tmp_path):
    head = memory.attesting.head()
    with Helix.open(tmp_path / "other.db", scope="global") as other:
        other.remember("quite another thing")
        assert other.attesting.check(head) == Broken(1, "it is not the record that was signed")


@pytest.mark.parametrize("field", ["position", "seal", "tenant", "signature"])
def test_a_changed_head_is_not_genuine(memory, scheme, field):
    head = memory.attesting.head()
    head[field] = 7 if field == "position" else "00" * 32
    with pytest.raises(BadInput) as refused:
        memory.attesting.check(head)
    assert refused.value.code == "not_genuine"


@pytest.fixture
def moved(memory, tmp_path):
    """The same store on another machine: another home, which has no key yet."""
    memory.context.store.copy_to(tmp_path / "moved.db")
    with Helix.open(tmp_path / "moved.db", scope="global") as moved:
        moved.attesting._home = tmp_path / "elsewhere"
        yield moved


def test_a_head_signed_elsewhere_is_checked_with_the_key_in_it(memory, moved, tmp_path):
    """It says whose it is not, no key is made for it, and the ledger is compared as ever."""
    if not signatures.is_available():
        pytest.skip("the signing extra is not installed")
    head = memory.attesting.head()
    assert memory.attesting.signer(head).own
    assert isinstance(moved.attesting.check(head), Sound)
    assert moved.attesting.signer(head) == Signer(str(head["key"]), own=False)
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(BadInput):
        moved.attesting.check({**head, "seal": "00" * 32})
    foreign = Helix.open(tmp_path / "foreign.db", scope="global")
    with foreign:
        foreign.remember("quite another thing")
        assert isinstance(foreign.attesting.check(head), Broken)
    moved.attesting.head()
    assert not moved.attesting.signer(head).own


def test_a_keyed_digest_is_checked_at_home_alone(memory, moved, tmp_path, monkeypatch):
    monkeypatch.setattr(signatures, "is_available", lambda: False)
    head = memory.attesting.head()
    for _ in range(2):
        with pytest.raises(BadInput) as refused:
            moved.attesting.check(head)
        assert refused.value.code == "not_genuine"
        assert not (tmp_path / "elsewhere" / "signing.key").exists()


@pytest.mark.parametrize("key", ["", "zz", "00", "ü" * 64, 7, None])
@pytest.mark.parametrize("scheme", ["ed25519", "hmac-sha256", "none"])
def test_what_is_no_signature_is_refused(memory, scheme, key):
    head = {**memory.attesting.head(), "scheme": scheme, "key": key, "signature": "ü\ud800"}
    with pytest.raises(BadInput):
        memory.attesting.check(head)


@pytest.mark.parametrize("position", [2**70, -1, "1", None])
def test_a_stranger_signs_what_no_store_knows(memory, tmp_path, position):
    """Anybody can sign anything: it is refused or broken, and nothing stumbles."""
    head = memory.attesting.head()
    plain = {name: head[name] for name in head if name not in ("scheme", "key", "signature")}
    elsewhere = tmp_path / "stranger"
    with pytest.raises(BadInput):
        memory.attesting.check(signed({**plain, "position": position}, elsewhere))
    if not signatures.is_available():
        return
    odd = {"journal": {"number": position, "seal": "00"}, "records": [{"position": position}]}
    memory.attesting.check(signed({**plain, **odd}, elsewhere))


def test_a_receipt_notices_what_came_back(memory, tmp_path, scheme):
    held = memory.remember("a thing to be erased for good").memory
    backup = tmp_path / "backup.db"
    memory.context.store.copy_to(backup)
    receipt = memory.attesting.receipt(memory.erasing.memory(held.id))
    assert isinstance(memory.attesting.check(receipt), Sound)
    assert "thing to be erased" not in json.dumps(receipt)
    with Helix.open(backup, scope="global") as restored:
        assert isinstance(restored.attesting.check(receipt), Broken)


def test_keys_are_private_and_never_in_the_store(memory, tmp_path, scheme):
    memory.attesting.head()
    key = tmp_path / "home" / "signing.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_bytes() not in (tmp_path / "memory.db").read_bytes()


def test_a_symlink_is_not_taken_for_a_key(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "signing.key").symlink_to(elsewhere)
    keyring.private_key(tmp_path / "signing.key")
    assert not elsewhere.exists()


def test_without_a_place_for_keys_nothing_is_signed(memory, monkeypatch):
    monkeypatch.setattr(memory.attesting, "_home", Path("/proc/nowhere"))
    with pytest.raises(StoreUnavailable) as refused:
        memory.attesting.head()
    assert refused.value.code == "no_signing_key"


def conclude(memory):
    """Let sleep conclude something."""
    memory.remember("we use postgres 14")
    memory.remember("we use postgres 15")
    memory.sleeping.sleep()


def test_conclusions_drawn_anew_are_not_those_that_were_signed(memory, scheme, tmp_path):
    """The signed head holds the journal's as well; what follows it is welcome."""
    conclude(memory)
    head = memory.attesting.head()
    memory.remember("we use postgres 16")
    memory.sleeping.sleep()
    assert isinstance(memory.attesting.check(head), Sound)
    with memory.context.store.writing() as unit:
        entries = unit.journal.entries(memory.context.realm.tenant)
        unit.journal.clear(memory.context.realm.tenant)
        for each in entries[1:]:
            unit.journal.record(
                memory.context.realm.tenant, each.change_set, each.recorded_at, each.after
            )
    found = memory.attesting.check(head)
    assert isinstance(found, Broken)
    assert found.conclusion


def test_an_erasure_since_explains_other_seals(memory, scheme):
    """The ledger tells that words were taken out of what was concluded."""
    conclude(memory)
    head = memory.attesting.head()
    held = memory.list(types=["fact"], limit=1)[0]
    memory.erasing.memory(held.id)
    assert isinstance(memory.attesting.check(head), Sound)
