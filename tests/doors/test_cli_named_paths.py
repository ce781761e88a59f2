"""Paths and numbers that people, scripts and settings name, and that lead nowhere."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "args",
    [
        ["--store", "~nobody-is-called-so/x.db", "remember", "water is wet"],
        ["--store", ":memory:", "remember", "water is wet"],
        ["runs", "retry", "99999999999999999999"],
        ["runs", "show", "99999999999999999999"],
        ["runs", "revert", "99999999999999999999"],
        ["list", "--before", "99999999999999999999"],
        ["log", "--before", "99999999999999999999"],
        ["rollback", "99999999999999999999", "--yes"],
        ["rollback", "--to", "99999999999999999999", "--yes"],
        ["sweep", "--revert", "99999999999999999999"],
        ["sweep", "--cap", "99999999999999999999"],
        ["sleep", "--minutes", "inf"],
        ["sleep", "--minutes", "nan"],
        ["retain", "--keep-days", "1e300"],
        ["retain", "--keep-days", "nan"],
        ["remember", "water is wet", "--confidence", "nan"],
        ["relate", "a", "supports", "b", "--weight", "nan"],
    ],
)
def test_what_leads_nowhere_is_refused_in_a_sentence(helix, args):
    ran = helix(*args)
    assert ran.code == 2, ran.err
    assert "unexpected" not in ran.err
    assert sorted(each.name for each in helix.home.iterdir() if ":" in each.name) == []


@pytest.mark.parametrize("asks", [["status"], ["recall", "water"]])
@pytest.mark.parametrize(
    "line",
    [
        'store = "~nobody-is-called-so/x.db"',
        r'store = "a\u0000b"',
        "life.spacing_hours = 1e300",
        f"life.half_life_max_days = 1{'0' * 400}",
        "life.floor_age_days = 1e9",
        "life.cold_days = 800000",
        "life.half_life_days.fact = 0",
        f"life.half_life_days.fact = 1{'0' * 400}",
        "ledger.keep_days = 1e300",
        "ledger.keep_days = inf",
        "life = 3",
        "redaction.personal = 1",
    ],
)
def test_settings_that_lead_nowhere_are_refused(helix, line, asks):
    """By what is answered quickly too, which looks for a running server first."""
    (helix.home / "settings.toml").write_text(f"{line}\n")
    ran = helix(*asks)
    assert ran.code == 2, ran.err
    assert ran.err.startswith("helix: ")
    assert ran.err.count("\n") == 1


def test_homes_that_lead_nowhere_are_refused(helix):
    for name in ("HELIX_HOME", "HELIX_STORE"):
        assert helix("status", environment={name: "~nobody-is-called-so/x"}).code == 2


def test_a_source_may_be_called_like_a_home_or_lie_in_a_circle(helix):
    """It is a name like any other: what is imported from there would bear it."""
    (helix.home / "circle").symlink_to("circle")
    for name in ("~nobody-is-called-so", "circle"):
        ran = helix("trust", name)
        assert ran.code == 0, ran.err
        assert f"/{name} is trusted" in ran.out
        assert "0 memories from it count now" in ran.out
