"""`helix models`: what there is, installing it, and letting it serve."""

from __future__ import annotations

import pytest

from helix.adapters.models import locating
from helix.adapters.models.recipes import MINILM_INT8, STATIC_256

pytestmark = pytest.mark.skipif(
    bool(locating.missing_packages(MINILM_INT8))
    or not (locating.installed_package(MINILM_INT8) and locating.installed_package(STATIC_256)),
    reason="the packages with the weights are not installed",
)


def served_by(helix):
    document = helix("status", "--json").document["enrichment"]
    return document["serving"], document["coming"]


def test_list_says_what_there_is_and_what_it_costs(helix):
    document = helix("models", "list", "--json").document
    rows = {each["name"]: each for each in document["models"]}
    assert set(rows) >= {"minilm-l6-int8", "minilm-l6-fp32", "static-256", "none"}
    assert rows["static-256"]["dimension"] == 256
    assert rows["static-256"]["cost"] == "on this machine, free"
    assert {each["role"] for each in rows.values()} == {None}
    shown = helix("models", "list")
    assert "static-256" in shown.out
    assert "256" in shown.out


def test_install_builds_from_what_is_here_and_twice_is_once(helix, tmp_path):
    only = {"HELIX_MODELS": str(tmp_path / "models")}
    first = helix("models", "install", "static-256", "--offline", environment=only)
    assert first.code == 0, first.err
    assert (tmp_path / "models" / "static-256" / "vectors.safetensors").is_file()
    again = helix("models", "install", "static-256", "--offline", "--json", environment=only)
    assert again.document["folder"] == str(tmp_path / "models" / "static-256")


def test_a_model_of_another_version_is_told_of_and_built_anew(helix, tmp_path):
    """It serves all the same; `models install` brings what this version builds."""
    only = {"HELIX_MODELS": str(tmp_path / "models")}
    helix("models", "install", "static-256", "--offline", environment=only)
    file = tmp_path / "models" / "static-256" / "tokenizer.json"
    file.write_bytes(file.read_bytes() + b"\n")
    helix("remember", "the otter swims at night", environment=only)
    helix("models", "use", "static-256", environment=only)
    doctor = helix("doctor", environment=only).out
    assert "its files are damaged, or of another version of Helix" in doctor
    assert "`helix models install static-256` builds them anew" in doctor
    helix("models", "install", "static-256", "--offline", environment=only)
    assert "static-256/1: on this machine, free" in helix("doctor", environment=only).out


def test_install_checks_what_it_is_given(helix, tmp_path):
    """A wheel that is not the published one installs nothing."""
    only = {"HELIX_MODELS": str(tmp_path / "models")}
    (tmp_path / "some.whl").write_bytes(b"not a wheel")
    ran = helix(
        "models", "install", "static-256", "--wheel", "some.whl", "--json", environment=only
    )
    assert ran.code == 5
    assert ran.error["code"] == "model_files_missing"
    assert not (tmp_path / "models").exists()


def test_an_unknown_model_is_refused_by_name(helix):
    for command in ("install", "use"):
        ran = helix("models", command, "gpt-9", "--json")
        assert ran.code == 2
        assert ran.error["code"] == "unknown_model"
        assert "static-256" in ran.error["remedy"]


def test_use_lets_another_model_serve_and_keeps_it(helix, memory):
    memory.remember("deploys happen on fridays")
    assert helix("models", "use", "static-256").code == 0
    helix("enrich")
    assert served_by(helix) == ("static-256/1", None)
    ran = helix("models", "use", "minilm-l6-int8", "--json")
    assert ran.document["serving"] == "minilm-l6-int8/1"
    assert served_by(helix) == ("minilm-l6-int8/1", None)
    assert "minilm-l6-int8/1: on this machine, free" in helix("doctor").out


def test_a_switch_left_for_later_is_told_of_and_carried_on(helix, memory):
    memory.remember("deploys happen on fridays")
    helix("models", "use", "static-256")
    helix("enrich")
    later = helix("models", "use", "minilm-l6-int8", "--later")
    assert "0 of 1 memories" in later.out
    assert served_by(helix) == ("static-256/1", "minilm-l6-int8/1")
    doctor = helix("doctor").out
    assert "to minilm-l6-int8/1: 0 of 1 memories; until then static-256/1 answers" in doctor
    assert helix("recall", "when do we deploy").code == 0
    helix("enrich")
    assert served_by(helix) == ("minilm-l6-int8/1", None)


def test_words_alone_can_be_chosen(helix, memory):
    memory.remember("deploys happen on fridays")
    helix("models", "use", "static-256")
    helix("enrich")
    assert helix("models", "use", "none").code == 0
    assert "words only, as chosen" in helix("doctor").out
    assert helix("recall", "fridays").code == 0
