"""The addresses of servers that a user names: which are none, and where a key may travel."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

SCHEMES = ("http", "https")


def is_loopback(host: str | None) -> bool:
    """Return whether a host is this machine."""
    if host is None:
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def holds_password(url: str) -> bool:
    """Return whether an address names a user or a password; it would be shown with it."""
    parts = _parts(url)
    # Where it is no address at all, nobody knows what would stand before the sign.
    return "@" in (parts.netloc if parts and parts.scheme in SCHEMES else url)


def is_address(url: str) -> bool:
    """Return whether this is the address of a server, over HTTP or HTTPS."""
    parts = _parts(url)
    return parts is not None and parts.scheme in SCHEMES and bool(parts.hostname)


def carries_openly(url: str) -> bool:
    """Return whether whoever is on the way to a server could read the key that is sent there."""
    parts = _parts(url)
    return parts is None or (parts.scheme != "https" and not is_loopback(parts.hostname))


def faults_of(url: str, what: str, *, sends_key: bool) -> list[str]:
    """Return why a server is not looked for at `what.url`; empty is good.

    None of it repeats the address: that may hold a password.
    """
    if holds_password(url):
        return [f"'{what}.url' holds a password; name its variable as '{what}.key_variable'"]
    if not is_address(url):
        return [f"'{what}.url' must begin with http:// or https:// and name a server"]
    if sends_key and carries_openly(url):
        return [f"'{what}.url' would be sent the key unencrypted; it must begin with https://"]
    return []


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # read late, and refused then
    except ValueError:
        return None
    return parts
