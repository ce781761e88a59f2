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
from pathlib import Path

from helix.adapters import signatures
from helix.app.keyring import private_key
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


def is_genuine(document: Mapping[str, object], home: Path) -> bool:
    """Return whether a signed document is as it was signed, with this home's own key."""
    seed = private_key(home / KEY)
    body = _canonical({name: each for name, each in document.items() if name not in _SIGNATURE})
    scheme, signature = document.get("scheme"), str(document.get("signature", ""))
    if scheme == KEYED:
        keyed = hmac.new(seed, body, hashlib.sha256).hexdigest()
        return bool(seed) and hmac.compare_digest(keyed, signature)
    if scheme != ED25519 or not seed:
        return False
    if not signatures.is_available():
        raise BadInput(
            "this signature needs the `signing` extra to be checked",
            code="no_ed25519",
            remedy="install helix-memory[signing]",
        )
    return signatures.is_signed(seed, body, str(document.get("key", "")), signature)


def _canonical(document: Mapping[str, object]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
