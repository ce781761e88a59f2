"""Opening a memory the way a benchmark means it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from helix import Helix


def words_only(path: Path | str, scope: str) -> Helix:
    """Open a memory that finds by words alone, whatever embedder is installed here."""
    opened = Helix.open(path, scope=scope, background=False).context
    return Helix(replace(opened, embedder=lambda: None))
