"""Ed25519 signatures, where the `signing` extra is installed."""

from __future__ import annotations


def is_available() -> bool:
    """Return whether signatures can be made and checked here."""
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401, PLC0415
    except ImportError:
        return False
    return True


def sign(seed: bytes, body: bytes) -> tuple[str, str]:
    """Return the public key and the signature of a body, both in hexadecimal."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - optional

    private = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    return private.public_key().public_bytes_raw().hex(), private.sign(body).hex()


def is_signed(seed: bytes, body: bytes, public: str, signature: str) -> bool:
    """Return whether a body bears the signature of the key that belongs to this seed."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - optional
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - optional

    own = ed25519.Ed25519PrivateKey.from_private_bytes(seed).public_key()
    if own.public_bytes_raw().hex() != public:
        return False
    try:
        own.verify(bytes.fromhex(signature), body)
    except (InvalidSignature, ValueError):
        return False
    return True
