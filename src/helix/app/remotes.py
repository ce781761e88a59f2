"""The address of a remote as a project's name: one name for all its spellings.

Ssh host aliases are not followed: they differ between machines.
"""

from __future__ import annotations

import re

LONGEST_ID = 190
"""Characters of a project id; a scope has at most 200 with its prefix."""

_SAFE_ID = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[\w.~%+:-]+(?:/[\w.~%+:-]+)*", re.ASCII)
_NETWORK = frozenset({"https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https", "git+http"})
_ENCODED = re.compile("%([0-9A-Fa-f]{2})")  # importing urllib.parse would take longer than all this
_UNSAFE = re.compile("[^A-Za-z0-9_.~+:/-]")
_SHORT_FORM = re.compile(r"(?P<authority>[^/:]{2,}):(?!:)(?P<rest>.*)")
_HOST = re.compile(r"((?:[a-z0-9_-]+\.)*[a-z0-9_-]+)\.?(?::(\d{0,5}))?")
_TOKEN = re.compile(r"gh[a-z]_[A-Za-z0-9]{16}|github_pat_|glpat-|x-access-token|x-oauth-basic")

# One server answers https and ssh on different ports; the project is the same.
_DEFAULT_PORTS = frozenset({22, 80, 443, 9418})
_IGNORE_CASE = frozenset({"github.com", "gitlab.com", "bitbucket.org"})
# Documented second names for ssh through port 443.
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}


def normalise_remote(url: str) -> str | None:
    """Return a remote as `host/path`, the same for all its spellings; None if it has no name.

    None for local paths, which differ between machines, and for whatever is not plainly a
    network address. User names, passwords and tokens never survive: where they might hide
    in the path, the answer is None.
    """
    address = _address(url.strip())
    if address is None:
        return None
    authority, rest = address
    # A password with a bare "/", "?" or "#" ends the authority early; its "@" gives it away.
    host = None if "@" in rest else _host(authority.rpartition("@")[2])
    path = host and _path(re.split("[?#]", rest)[0], host.partition(":")[0])
    found = f"{host}/{path}"
    return found if path and is_safe(found) else None


def is_safe(project_id: str) -> bool:
    """Return whether a text may serve as a project id: short, printable, no odd segments."""
    return len(project_id) <= LONGEST_ID and _SAFE_ID.fullmatch(project_id) is not None


def _address(url: str) -> tuple[str, str] | None:
    """Return authority and the rest of a network address, or None for a path or noise."""
    if not _is_plain(url):
        return None
    scheme, separator, rest = url.partition("://")
    if separator:
        end = re.search("[/?#]", rest)
        at = end.start() if end else len(rest)
        return (rest[:at], rest[at:]) if scheme.lower() in _NETWORK else None
    short = _SHORT_FORM.fullmatch(url)
    if short is None or short["authority"].lower() in _NETWORK:
        return None
    return short["authority"], short["rest"]


def _host(text: str) -> str | None:
    match = _HOST.fullmatch(text.lower())
    if match is None:
        return None
    name = _SAME_HOST.get(match[1], match[1])
    port = int(match[2] or 22)
    return name if port in _DEFAULT_PORTS else f"{name}:{port}"


def _path(encoded: str, host: str) -> str | None:
    plain = _ENCODED.sub(lambda match: chr(int(match[1], 16)), encoded)
    if not _is_plain(plain) or "@" in plain or _TOKEN.search(plain):
        return None
    plain = plain.lower() if host in _IGNORE_CASE else plain
    segments = [segment for segment in plain.split("/") if segment]
    while segments and segments[-1].endswith(".git"):
        last = segments.pop().removesuffix(".git")
        segments += [last] if last else []
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", "/".join(segments))


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and "\\" not in text
