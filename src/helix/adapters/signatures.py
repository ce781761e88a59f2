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


def public_key(seed: bytes) -> str:
    """Return the public key that belongs to a seed, in hexadecimal."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - optional

    return ed25519.Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()


def is_signed(body: bytes, public: str, signature: str) -> bool:
    """Return whether a body bears the signature of the key whose public half this is."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - optional
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - optional

    try:
        key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), body)
    except (InvalidSignature, ValueError):
        return False
    return True
