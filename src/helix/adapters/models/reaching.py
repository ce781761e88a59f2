"""Whether a server is there: a connection is opened and closed, and nothing is sent.

The way is that of a request (`http_posting`): through the proxy that is set, if any, and to
this machine without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from helix.adapters.models.keys import key_for
from helix.ports.health import Reached
from helix.rules.addresses import is_loopback

SECONDS = 1.0
_MIND_THE_PROXY = "correct the proxy of the environment (`https_proxy`, `http_proxy`, `no_proxy`)"
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class _Way:
    """Where a connection goes, and whether that is a proxy."""

    host: str
    port: int
    proxy: bool = False


def reached(
    url: str, key_variable: str, environment: Mapping[str, str], seconds: float = SECONDS
) -> Reached:
    """Return whether a server could be asked. Its key is looked for, and not shown."""
    try:
        way = _way(url)
    except ValueError:
        return Reached(False, "the proxy that is set for it has no address", _MIND_THE_PROXY)
    silence = _silence(way, seconds)
    at = f"the proxy {way.host}:{way.port}"
    if silence and way.proxy:
        says = f"{at}, through which it is asked, does not answer: {silence}"
        return Reached(False, says, _MIND_THE_PROXY)
    if silence:
        return Reached(False, f"nothing answers there: {silence}")
    says = f"{at} answers, through which it is asked" if way.proxy else "something answers there"
    key = key_for(url, key_variable, environment)
    if key.fault:
        return Reached(False, f"{says}; {key.fault}", key.remedy)
    return Reached(True, says)


def _way(url: str) -> _Way:
    """Return where a request would connect to; raises `ValueError` if a proxy's address is none."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    host = parts.hostname or ""
    proxy = getproxies().get(parts.scheme)
    if is_loopback(host) or not proxy or proxy_bypass(parts.netloc):
        return _Way(host, parts.port or _PORTS[parts.scheme])
    by = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return _Way(by.hostname or "", by.port or _PORTS.get(by.scheme, 80), proxy=True)


def _silence(way: _Way, seconds: float) -> str:
    """Return why no connection came about; nothing if one did."""
    import socket
    from threading import Thread

    found: list[str] = []

    def attempt() -> None:
        try:
            socket.create_connection((way.host, way.port), seconds).close()
        except (OSError, ValueError) as error:  # a name that cannot be one is a ValueError
            found.append(getattr(error, "strerror", None) or str(error))
        else:
            found.append("")

    # Looking up a name knows no deadline, and a name may have several addresses.
    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(2 * seconds)
    return found[0] if found else f"not within {2 * seconds:g} s"
