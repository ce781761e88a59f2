"""Where a memory is named by its id, which is made of its words. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_WORD = re.compile(r"\w+")


def mentioned(texts: Iterable[str], ids: Collection[str]) -> set[str]:
    """Return which of the ids stand in the texts, each as a whole word.

    `mem_vault_key` is not named where `mem_vault_key_2` is.
    """
    found: set[str] = set()
    for text in texts:
        found.update(each for each in _WORD.findall(text) if each in ids)
    return found
