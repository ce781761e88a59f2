"""Patterns that are compiled when they are first used.

Helix knows some two hundred patterns, and compiling them all takes longer than a whole command.
A text needs a handful of them, if any.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = (
    "search", "match", "fullmatch", "findall", "finditer", "sub", "split", "groupindex", "pattern",
    "flags",
)  # fmt: skip


class _Lazy:
    """Stands for a pattern until something is asked of it, and is as fast as one from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        made = re.compile(self._pattern, self._flags)
        # Found on the instance from now on, so that this is not asked again.
        self.__dict__.update({each: getattr(made, each) for each in _METHODS})
        return getattr(made, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what can be used like the compiled pattern."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
