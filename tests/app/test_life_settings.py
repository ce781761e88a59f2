"""The `[life]` table: a bundle, and every number of it on its own."""

from __future__ import annotations

import pytest

from helix.app.life_settings import policy_of
from helix.app.settings import load
from helix.model.errors import BadInput
from helix.rules.policy import BUNDLES, HELIX, LAYERS, NEVER, Fading, first_half_life


def test_nothing_said_is_the_default():
    assert policy_of({}) == (HELIX, [])


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_is_chosen_by_name(name):
    assert policy_of({"policy": name}) == (BUNDLES[name], [])


def test_single_values_override_the_bundle():
    policy, faults = policy_of({
        "policy": "layers", "fading": "elastic", "spacing_hours": 2, "promotion_uses": 9,
        "trust_weighted": False, "half_life_days": {"episode": 14, "snippet": "never"},
    })  # fmt: skip
    assert faults == []
    assert (policy.fading, policy.spacing_hours) == (Fading.ELASTIC, 2.0)
    assert (policy.promotion_uses, policy.trust_weighted) == (9, False)
    assert first_half_life(policy, "episode", "episodic") == 14
    assert first_half_life(policy, "snippet", "procedural") == NEVER
    assert policy.archiving is LAYERS.archiving


def test_all_faults_are_listed_at_once(tmp_path):
    (tmp_path / "settings.toml").write_text(
        "nonsense = 1\n"
        "[life]\n"
        'policy = "steady"\nfading = "cubic"\nfloor = 5\nspacing_hours = "soon"\n'
        "promotion_uses = 2.5\nhalf_life = 3\nsweep_cap = 0\n"
        "[life.half_life_days]\nepisode = -1\n"
    )
    with pytest.raises(BadInput) as refused:
        load({"HELIX_HOME": str(tmp_path)}, tmp_path)
    said = refused.value.message
    for part in (
        "'nonsense' is not a setting", "life.policy", "life.fading", "life.floor",
        "life.spacing_hours", "life.promotion_uses", "life.half_life is not", "life.sweep_cap",
        "life.half_life_days.episode",
    ):  # fmt: skip
        assert part in said


def test_tiers_must_rise():
    _, faults = policy_of({"warm_days": 40})
    assert "must not fall" in faults[0]


def test_a_table_is_needed():
    assert policy_of("helix")[1]
    assert policy_of({"half_life_days": 7})[1]
