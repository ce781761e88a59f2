"""Ingredients become a model folder: checked, built beside its place, moved in at once.

Whoever looks for a model finds a whole one or none, whatever is killed when. Two processes
that build the same model make the same bytes; the second one's work is dropped.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from helix.adapters.models.locating import Progress
from helix.adapters.models.recipes import Recipe
from helix.ports.embedder import EmbedderUnavailable

_BESIDE = ".building-"
_ABANDONED_SECONDS = 3600
"""A build takes seconds. One that is an hour old was killed."""


def damaged(recipe: Recipe, folder: Path) -> tuple[str, ...]:
    """Return the files of a built model that are not what was built."""
    return tuple(
        name for name, sha256 in recipe.products.items() if _sha256(folder / name) != sha256
    )


def build(recipe: Recipe, given: Mapping[str, bytes], models: Path, progress: Progress) -> Path:
    """Make a model's folder below `models` and return it; a damaged one is replaced."""
    _clear_abandoned(models)
    folder = models / recipe.name
    if folder.exists() and not damaged(recipe, folder):
        return folder
    models.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=_BESIDE, dir=models))
    try:
        _make(recipe, given, beside / recipe.name, progress)
        _move_in(recipe, beside, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return folder


def _make(recipe: Recipe, given: Mapping[str, bytes], folder: Path, progress: Progress) -> None:
    folder.mkdir()
    for done, (name, body) in enumerate(recipe.make(given)):
        progress(f"building {recipe.name}", (done + 0.5) / len(recipe.products))
        with (folder / name).open("wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    if wrong := damaged(recipe, folder):
        raise EmbedderUnavailable(
            f"building {recipe.name} gave another {' and '.join(wrong)} than it should",
            code="model_checksum",
            remedy="nothing was installed; please report this with `helix doctor`",
        )
    progress(f"building {recipe.name}", 1.0)


def _move_in(recipe: Recipe, beside: Path, folder: Path) -> None:
    if folder.exists() and damaged(recipe, folder):
        folder.rename(beside / "damaged")
    try:
        (beside / recipe.name).rename(folder)
    except OSError:
        # Another process was quicker. Anything else that stops a rename is a real fault.
        if not folder.exists() or damaged(recipe, folder):
            raise


def _clear_abandoned(models: Path) -> None:
    # This clock is the file system's, which wrote the folders' times.
    now = time.time()
    for folder in models.glob(_BESIDE + "*"):
        try:
            abandoned = now - folder.stat().st_mtime > _ABANDONED_SECONDS
        except FileNotFoundError:
            continue
        if abandoned:
            shutil.rmtree(folder, ignore_errors=True)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
