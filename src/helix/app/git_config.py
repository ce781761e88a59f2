"""The remotes in a git configuration file, read without starting git.

Included files and `insteadOf` rewrites are not followed: they differ between machines.
"""

from __future__ import annotations

import re

_SECTION = re.compile(r'[ \t\r]*\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*+)")?[ \t]*\]')
_ENTRY = re.compile(
    r"[ \t\r]*([A-Za-z][\w-]*)[ \t]*=[ \t]*"
    r'((?:[^"\\\n#;]|\\(?:\r?\n|.)|"(?:[^"\\\n]|\\(?:\r?\n|.))*+"?)*+)'
)
_ESCAPED = re.compile(r'\\(\r?\n|.)|"')
_CONTROL = {"n": "\n", "t": "\t", "b": "\b", "\n": "", "\r\n": ""}


def remote_urls(config: str) -> dict[str, str]:
    """Return the first url of each remote, which is the one git fetches from."""
    urls: dict[str, str] = {}
    remote: str | None = None
    at = 0
    while at < len(config):
        if section := _SECTION.match(config, at):
            remote = _unquoted(section[2] or "") if section[1].lower() == "remote" else None
            at = section.end()
        elif entry := _ENTRY.match(config, at):
            if remote and entry[1].lower() == "url":
                urls.setdefault(remote, _unquoted(entry[2].rstrip()))
            at = entry.end()
        else:
            at = config.find("\n", at) + 1 or len(config)
    return urls


def _unquoted(value: str) -> str:
    return _ESCAPED.sub(lambda match: _CONTROL.get(match[1], match[1]) if match[1] else "", value)
