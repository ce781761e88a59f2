"""Signing: a receipt or a ledger's head, so that a copy can be checked against it later.

Ed25519 where the `signing` extra is installed: anybody can check such a signature with the
public key in it. Elsewhere a keyed digest, which only the holder of the key file can check.
The key lies beside the settings, never in the store: whoever changes the store cannot sign.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helix.adapters import signatures
from helix.app.keyring import existing_key, private_key
from helix.model.errors import BadInput, StoreUnavailable

KEY = "signing.key"
ED25519 = "ed25519"
KEYED = "hmac-sha256"
_SIGNATURE = ("scheme", "key", "signature")


def signed(document: Mapping[str, object], home: Path) -> dict[str, object]:
    """Return the document with its signature; raises `StoreUnavailable` without a key."""
    seed = private_key(home / KEY)
    if not seed:
        raise StoreUnavailable(
            f"the key {home / KEY} can be neither read nor made",
            code="no_signing_key",
            remedy="check the folder's permissions and the disk's space, or set HELIX_HOME",
        )
    body = _canonical(document)
    if not signatures.is_available():
        keyed = hmac.new(seed, body, hashlib.sha256).hexdigest()
        return {**document, "scheme": KEYED, "key": "", "signature": keyed}
    public, signature = signatures.sign(seed, body)
    return {**document, "scheme": ED25519, "key": public, "signature": signature}


@dataclass(frozen=True, slots=True)
class Signer:
    """Whose signature a document bears: the public key, and whether it is this home's own.

    Anybody can make a key. One that is not this home's shows that nothing was changed since
    its holder signed; who that is must be known from elsewhere.
    """

    key: str
    own: bool


def signer(document: Mapping[str, object], home: Path) -> Signer | None:
    """Return who signed a document that is as it was signed; None if it is not, or unsigned.

    No key is made for it: a keyed digest can be checked with the key it was made with alone.
    """
    seed = existing_key(home / KEY)
    body = _canonical({name: each for name, each in document.items() if name not in _SIGNATURE})
    scheme, signature = document.get("scheme"), str(document.get("signature", ""))
    if scheme == KEYED:
        keyed = hmac.new(seed, body, hashlib.sha256).hexdigest()
        given = signature.encode(errors="replace")
        is_ours = bool(seed) and hmac.compare_digest(keyed.encode(), given)
        return Signer("", own=True) if is_ours else None
    if scheme != ED25519:
        return None
    if not signatures.is_available():
        raise BadInput(
            "this signature needs the `signing` extra to be checked",
            code="no_ed25519",
            remedy="install helix-memory[signing]",
        )
    public = str(document.get("key", ""))
    if not signatures.is_signed(body, public, signature):
        return None
    return Signer(public, own=bool(seed) and signatures.public_key(seed) == public)


def _canonical(document: Mapping[str, object]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
