"""The settings file as a whole: what is not understood is refused, all faults at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from helix import Helix
from helix.adapters.models.recipes import RECIPES
from helix.app import embedder_settings
from helix.app.language import faults_in
from helix.app.settings import load
from helix.model.errors import BadInput
from helix.model.types import MemoryType, Shape

RECIPE = MemoryType("recipe", Shape.PROCEDURAL, "how a dish is made")
A_MODEL = {"url": "http://127.0.0.1:1/v1", "model": "m"}


@pytest.fixture
def refused(tmp_path):
    """Return a way to what is said of a settings file that must be refused."""

    def said(text):
        (tmp_path / "settings.toml").write_text(text)
        with pytest.raises(BadInput) as raised:
            load({"HELIX_HOME": str(tmp_path)}, tmp_path)
        assert raised.value.code == "bad_settings"
        return raised.value.message

    return said


def test_the_faults_of_every_table_are_told_at_once(refused):
    """One correction is enough, whichever part of Helix would have used the table."""
    said = refused(
        "foo = 1\n[embedder]\nmodle = 'x'\n[language_model]\nz = 1\n"
        "[language_model.online]\nurl = 'nowhere'\n[life.half_life_days]\nepisodes = 14\n"
        "[sleep]\nnever = true\n[redaction]\nx = 1\n[ledger]\nkeep_days = 1\n"
        "[reranker]\nx = 1\n[projects]\nx = 1\n"
    )
    for part in (
        "'foo'", "'embedder.modle'", "'language_model.z'", "'language_model.url'",
        "'language_model.online.url'", "life.half_life_days.episodes", "'sleep.never'",
        "'redaction'", "'ledger.keep_days'", "'reranker'", "'projects'",
    ):  # fmt: skip
        assert part in said


@pytest.mark.parametrize("table", ["embedder", "language_model"])
def test_a_model_that_cannot_be_meant_is_refused_before_it_is_used(tmp_path, monkeypatch, table):
    """Not only by the one command that would have asked it."""
    (tmp_path / "settings.toml").write_text(f"[{table}]\nz = 1\n")
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with pytest.raises(BadInput, match=rf"'{table}.z' is not a setting"):
        Helix.open(scope="project:x")


@pytest.mark.parametrize(
    "line",
    ["policy = ['helix']", "fading = ['l2']", "ranker = [1]", "half_life_days = [1]"],
)
def test_a_list_where_a_word_belongs_is_a_fault_like_any_other(refused, line):
    assert line.split()[0] in refused(f"[life]\n{line}\n")


@pytest.mark.parametrize("name", ["threads", "dimension", "timeout"])
@pytest.mark.parametrize("value", ["inf", "nan", "-1", "0", "true", "'two'", "1e300"])
def test_numbers_of_an_embedder_that_are_none_are_faults(refused, name, value):
    assert f"'embedder.{name}' must be a" in refused(f"[embedder]\n{name} = {value}\n")


@pytest.mark.parametrize("name", ["threads", "dimension"])
def test_what_is_counted_is_whole(refused, name):
    assert f"'embedder.{name}' must be a whole number" in refused(f"[embedder]\n{name} = 2.5\n")


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -1, 1.5, True, "many"])
def test_tokens_are_whole_numbers(value):
    """Half a token, or no end of them, would otherwise break the sleep that counts them."""
    assert faults_in({**A_MODEL, "tokens_per_day": value}) == [
        "'language_model.tokens_per_day' must be a whole number"
    ]
    assert faults_in({**A_MODEL, "tokens_per_day": 0}) == []


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -1, 0, True, "long", 1e300])
def test_a_timeout_is_a_time(value):
    (fault,) = faults_in({**A_MODEL, "timeout": value})
    assert fault.startswith("'language_model.timeout' must be a number of seconds")


def test_a_model_has_one_smaller_one_and_that_has_none():
    (fault,) = faults_in({"online": {**A_MODEL, "online": A_MODEL}})
    assert fault == "'language_model.online.online' is not a setting"
    assert faults_in({"online": 5}) == ["'language_model.online' must be a table"]
    assert faults_in({**A_MODEL, "key_variable": 5}) == [
        "'language_model.key_variable' must be text"
    ]


@pytest.mark.parametrize("url", ["ftp://x/v1", "nowhere", "http://", "http://[::1/v1"])
def test_an_embedder_is_looked_for_at_an_address(refused, url):
    said = refused(f"[embedder]\nmodel = 'openai:m'\nurl = '{url}'\n")
    assert "'embedder.url' must begin with http:// or https:// and name a server" in said


def test_an_embedders_address_shows_no_password_and_carries_no_key_openly(refused):
    said = refused("[embedder]\nmodel = 'openai:m'\nurl = 'http://me:hunter2@h/v1'\n")
    assert "'embedder.url' holds a password" in said
    assert "hunter2" not in said
    far = "[embedder]\nmodel = 'openai:m'\nkey_variable = 'K'\nurl = 'http://far.example/v1'\n"
    assert "'embedder.url' would be sent the key unencrypted" in refused(far)


def test_a_type_of_ones_own_may_have_a_half_life_where_it_is_registered(tmp_path, monkeypatch):
    """Elsewhere nobody could tell its name from a slip."""
    (tmp_path / "settings.toml").write_text("[life.half_life_days]\nrecipe = 30\n")
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with Helix.open(scope="project:x", types=[RECIPE], background=False) as memory:
        held = memory.remember("Risotto: stock must be hot", type="recipe").memory.id
        assert memory.life.standing(held).strength.half_life_days == 30
        assert memory.seen_from(None, "somebody").scope == "global"
    with pytest.raises(BadInput, match=r"life\.half_life_days\.recipe") as raised:
        Helix.open(scope="project:x")
    assert "episodic, semantic, procedural, entity" in raised.value.message
    assert "fact" in raised.value.message


def test_the_local_models_are_those_that_can_be_built():
    """Named twice, since reading the settings must not import what runs them."""
    assert tuple(RECIPES) == embedder_settings.LOCAL


@pytest.mark.parametrize(
    ("text", "not_loaded"),
    [
        (
            "owner = 'me'\n",
            {"helix.app.embedder_settings", "helix.app.language", "helix.rules.addresses"},
        ),
        (
            "[embedder]\nmodel = 'minilm-l6-int8'\n",
            {"helix.app.models", "helix.app.language", "helix.rules.addresses", "numpy"},
        ),
        ("[language_model]\nurl = 'http://localhost:1'\nmodel = 'm'\n", {"helix.app.models"}),
    ],
)
def test_reading_the_settings_imports_what_they_mention(tmp_path, text, not_loaded):
    """Every hook reads them."""
    (tmp_path / "settings.toml").write_text(text)
    code = (
        "import sys; from pathlib import Path; from helix.app.settings import load\n"
        f"load({{'HELIX_HOME': {str(tmp_path)!r}}}, Path('/'))\n"
        f"sys.exit(' '.join({not_loaded!r} & set(sys.modules)) or 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
