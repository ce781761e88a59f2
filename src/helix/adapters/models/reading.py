"""What every embedder does to a text before its model sees it."""

from __future__ import annotations


def readable(text: str, letters: int) -> str:
    """Return the first `letters` of a text, as UTF-8 can write it; blanks alone become nothing.

    Halves of surrogate pairs, which broken JSON brings in, become question marks.
    """
    beginning = text[:letters].strip()
    return beginning.encode("utf-8", "replace").decode("utf-8")
