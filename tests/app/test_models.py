"""Which embedder is in use, and what it takes to have another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from helix.adapters.models import building, locating
from helix.adapters.models.recipes import MINILM_INT8, RECIPES, STATIC_256
from helix.app import models
from helix.app.embedder_settings import BEST, Choice, choice_of
from helix.model.errors import BadInput
from helix.ports.embedder import EmbedderUnavailable

pytestmark = pytest.mark.skipif(
    bool(locating.missing_packages(MINILM_INT8)),
    reason="this platform has no wheels of onnxruntime",
)
needs_weights = pytest.mark.skipif(
    not (locating.installed_package(MINILM_INT8) and locating.installed_package(STATIC_256)),
    reason="the packages with the weights are not installed",
)


@pytest.fixture
def only(tmp_path: Path) -> dict[str, str]:
    """An environment in which models are looked for in one empty folder."""
    return {"HELIX_MODELS": str(tmp_path / "models")}


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no package of weights were installed."""
    monkeypatch.setattr(locating, "installed_package", lambda _recipe: None)


def test_models_live_in_the_home_or_beside_the_interpreter(tmp_path: Path) -> None:
    """They are installed in the home; those built for the environment are found as well."""
    assert models.folders(tmp_path, {}) == (tmp_path / "models", locating.shared_folder())


def test_one_folder_can_be_named(tmp_path: Path) -> None:
    """HELIX_MODELS replaces both."""
    assert models.folders(tmp_path, {"HELIX_MODELS": "/elsewhere"}) == (Path("/elsewhere"),)


@needs_weights
def test_installing_makes_a_model_usable(tmp_path: Path, only: dict[str, str]) -> None:
    """From the installed weights, without the network; and twice is once."""
    told: list[str] = []
    folder = models.install(
        "minilm-l6-int8", tmp_path, lambda what, _: told.append(what), environment=only
    )
    assert set(told) == {"building minilm-l6-int8"}
    assert models.installed(tmp_path, only) == {"minilm-l6-int8": folder}
    told.clear()
    assert models.install("minilm-l6-int8", tmp_path, environment=only) == folder
    assert not told
    found = models.active(tmp_path, environment=only)
    assert found.embedder is not None
    assert found.embedder.name == "minilm-l6-int8/1"
    assert found.embedder.embed(["text"]).shape == (1, 384)
    assert found.says == "minilm-l6-int8: on this machine, free"
    assert not found.remedy


@needs_weights
def test_a_damaged_model_is_mended_by_installing_it(tmp_path: Path, only: dict[str, str]) -> None:
    """Installing looks at every byte."""
    folder = models.install("static-256", tmp_path, environment=only)
    (folder / "tokenizer.json").write_bytes(b"{}")
    models.install("static-256", tmp_path, environment=only)
    assert building.damaged(STATIC_256, folder) == ()


@pytest.mark.usefixtures("no_packages")
def test_nothing_is_downloaded_unless_asked(
    tmp_path: Path, only: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without weights and without leave to fetch them, installing says what it would take."""
    monkeypatch.setattr(locating, "download", lambda *_: pytest.fail("it downloads"))
    with pytest.raises(EmbedderUnavailable) as raised:
        models.install("minilm-l6-int8", tmp_path, environment=only)
    assert raised.value.code == "model_not_installed"
    assert "83 MB" in raised.value.remedy
    assert models.active(tmp_path, environment=only).embedder is None


@pytest.mark.usefixtures("no_packages")
def test_a_forged_wheel_installs_nothing(tmp_path: Path, only: dict[str, str]) -> None:
    """A wheel named by hand is checked like any other."""
    wheel = tmp_path / "forged.whl"
    wheel.write_bytes(b"PK\x05\x06" + bytes(18))
    with pytest.raises(EmbedderUnavailable):
        models.install("minilm-l6-int8", tmp_path, wheel=wheel, environment=only)
    assert models.installed(tmp_path, only) == {}


@needs_weights
def test_weights_that_wait_to_be_built_are_mentioned(tmp_path: Path, only: dict[str, str]) -> None:
    """Until MiniLM is built, static vectors serve, and one is told how to get the better one."""
    found = models.active(tmp_path, environment=only)
    assert found.embedder is not None
    assert found.embedder.name == "static-256/1"
    assert found.embedder.embed(["text"]).any()
    assert "without the network" in found.remedy


@pytest.mark.usefixtures("no_packages")
def test_without_models_there_are_words(tmp_path: Path, only: dict[str, str]) -> None:
    """No model is no error: recall works by words, and says how to have more."""
    found = models.active(tmp_path, environment=only)
    assert found.embedder is None
    assert found.says == "words only: minilm-l6-int8 is not installed"
    assert found.remedy == "`helix models install minilm-l6-int8` fetches 83 MB, once"


def test_without_packages_there_are_words(
    tmp_path: Path, only: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra, one is told its name."""
    monkeypatch.setattr(locating, "missing_packages", lambda recipe: recipe.needs[1:])
    found = models.active(tmp_path, environment=only)
    assert found.embedder is None
    assert found.says == "words only: minilm-l6-int8 needs onnxruntime and tokenizers"
    assert found.remedy == "pip install 'helix-memory[semantic]'"


@needs_weights
def test_a_chosen_model_is_not_replaced_by_another(tmp_path: Path, only: dict[str, str]) -> None:
    """Who chose a model that is not there gets words and a remedy, not another model's vectors."""
    found = models.active(tmp_path, Choice("minilm-l6-fp32"), only)
    assert found.embedder is None
    assert "minilm-l6-fp32" in found.remedy


def test_words_alone_can_be_chosen(tmp_path: Path, only: dict[str, str]) -> None:
    """`none` is a choice like any other."""
    found = models.active(tmp_path, Choice("none"), only)
    assert found.embedder is None
    assert not found.remedy


def test_a_server_is_asked_for_nothing_yet(tmp_path: Path, only: dict[str, str]) -> None:
    """A configured server is named, with what it costs; nobody has called it."""
    chosen = Choice("openai:some-model", url="https://models.example.com/v1", dimension=3)
    found = models.active(tmp_path, chosen, only)
    assert found.embedder is not None
    assert found.embedder.name == "openai:some-model@models.example.com/v1"
    assert found.embedder.dimension == 3
    assert "sent to models.example.com" in found.says


def test_an_unknown_model_is_refused(tmp_path: Path, only: dict[str, str]) -> None:
    """The error lists what there is."""
    with pytest.raises(BadInput) as raised:
        models.install("gpt-9", tmp_path, environment=only)
    assert "minilm-l6-int8" in raised.value.remedy


def test_the_settings_are_read() -> None:
    """Every setting is taken as given."""
    chosen, faults = choice_of(
        {
            "model": "openai:m",
            "url": "http://localhost:1/v1",
            "key_variable": "KEY",
            "dimension": 768,
            "timeout": 2.5,
            "threads": 1,
        }
    )
    assert chosen == Choice("openai:m", 1, "http://localhost:1/v1", "KEY", 768, 2.5)
    assert not faults


def test_an_empty_table_takes_the_best() -> None:
    """Nothing has to be set."""
    assert choice_of({}) == (BEST, [])


def test_every_fault_of_the_settings_is_named() -> None:
    """All at once, so that one correction is enough."""
    _, faults = choice_of(
        {"model": "gpt-9", "threads": 0, "timeout": True, "url": 5, "key": "sk-1"}
    )
    assert faults == [
        "'embedder.key' is not a setting",
        "'embedder.threads' must be a number above 0, up to 1,000,000",
        "'embedder.url' must be text",
        "'embedder.timeout' must be a number above 0, up to 1,000,000",
        "'embedder.model' must be one of "
        "minilm-l6-int8, minilm-l6-fp32, static-256, none, openai:<model>",
    ]
    _, faults = choice_of({"model": "openai:m"})
    assert faults == ["'embedder.url' must say where the server is"]


def test_the_catalogue_describes_what_can_be_installed() -> None:
    """Every local model is described to people."""
    assert [offer.name for offer in models.CATALOGUE] == list(RECIPES)


def test_choosing_is_cheap(tmp_path: Path) -> None:
    """Finding out which embedder is in use imports none of the heavy packages."""
    code = (
        "import sys; from pathlib import Path\n"
        "from helix.app import models\n"
        f"models.active(Path({str(tmp_path)!r}))\n"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'urllib.request', 'subprocess'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_serves_and_is_not_here_is_told_with_a_command_that_works():
    """It names the model; one that a server offers cannot be installed."""
    assert models.way_to("static-256/1").startswith("`helix models install static-256` brings it")
    assert "models install" not in models.way_to("http:nomic/768")
