"""`used`, `promote`, `demote`, `sweep`, `curve`, and what `why` and `status` say of a life."""

from __future__ import annotations

import struct

import pytest


@pytest.fixture
def episode(helix):
    return helix("capture", "npm test failed: ERESOLVE", "--agent", "bot", "--json").memory_id


def test_used(helix, episode):
    assert helix("used", episode, "--quality", "5").out.startswith(f"Used {episode}")
    life = helix("why", episode, "--json").document["life"]
    assert life["half_life_days"] == pytest.approx(18.2)
    assert [use["quality"] for use in life["uses"]] == [5]
    assert len(life["factors"]) == 9
    told = helix("why", episode).out
    assert "half-life 18.2 days" in told
    assert "activation" in told


def test_quality_must_be_zero_to_five(helix, episode):
    ran = helix("used", episode, "-q", "6", "--json")
    assert (ran.code, ran.error["code"]) == (2, "usage")
    assert helix("used", "mem_nowhere").code == 3


def test_a_citation_is_a_use(helix, episode):
    helix("remember", "npm is broken here", "--cites", episode)
    assert helix("why", episode, "--json").document["life"]["uses_counting"] == 1
    helix("capture", "read it again", "--cites", episode)
    assert len(helix("why", episode, "--json").document["life"]["uses"]) == 2


def test_promote_and_demote(helix, episode):
    made = helix("promote", episode, "npm", "test", "fails", "--type", "decision", "--json")
    memory = made.document["memory"]
    assert (memory["content"], memory["type"]) == ("npm test fails", "decision")
    assert helix("demote", memory["id"], "--reason", "too detailed").code == 0
    assert helix("show", memory["id"], "--json").document["memory"]["status"] == "archived"
    assert helix("promote", memory["id"]).code == 4


def test_recall_counts_what_it_shows(helix, episode):
    helix("recall", "npm test")
    helix("recall", "npm test")
    life = helix("why", episode, "--json").document["life"]
    assert life["surfaced"]["count"] == 2
    assert life["uses"] == []


def test_a_sweep_says_what_it_would_do(helix, episode):
    ran = helix("sweep", "--dry-run", "--json").document
    assert ran["dry_run"] is True
    kinds = [each["kind"] for each in ran["sweeps"]]
    assert kinds == ["promotion", "expiry", "edges", "cold", "archive"]
    assert helix("sweep", "spring").code == 2
    assert helix("sweep", "--dry-run", "--history").code == 2


def test_a_sweep_is_taken_back(helix):
    made = helix("remember", "the freeze is on", "--expires", "2020-01-01", "--json").memory_id
    done = helix("sweep", "expiry", "--json").document["sweeps"][0]
    assert (done["changed"], done["conclusions"]) == (1, [1])
    assert helix("show", made, "--json").document["memory"]["status"] == "archived"
    assert "concluded by Helix itself" in helix("why", made).out
    assert helix("sweep", "--revert", "1", "--json").document["changes"] == 1
    assert helix("show", made, "--json").document["memory"]["status"] == "active"
    history = helix("sweep", "--history", "--json").document["conclusions"]
    assert [(each["number"], each["reverted_by"]) for each in history] == [(2, None), (1, 2)]
    assert "taken back by 2" in helix("sweep", "--history").out
    assert helix("sweep", "--revert", "1").code == 4
    assert helix("sweep", "--revert", "7").code == 3
    assert helix("rebuild", "--check").code == 0


def test_a_curve_is_drawn(helix, episode, tmp_path):
    helix("used", episode)
    drawn = helix("curve", episode)
    assert "100% |*" in drawn.out
    assert "used, quality 4" in drawn.out
    file = tmp_path / "curve.png"
    document = helix("curve", episode, "--png", str(file), "--json").document
    assert document["points"][0]["retention"] == 1.0
    head = file.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert struct.unpack(">II", head[16:]) == (900, 360)


def test_the_curve_of_a_type(helix):
    document = helix("curve", "--type", "episode", "--days", "7", "--json").document
    assert document["points"][-1]["retention"] == pytest.approx(0.5)
    never = helix("curve", "--type", "fact", "--days", "1000", "--json").document
    assert never["points"][-1]["retention"] == 1.0
    assert helix("curve").code == 2
    assert helix("curve", "--type", "nonsense").code == 2


def test_status_shows_tiers(helix, episode):
    life = helix("status", "--json").document["life"]
    assert life["tiers"] == [
        {"tier": "hot", "shape": "episodic", "type": "episode", "status": "active", "number": 1}
    ]
    assert "Nothing will reach the floor" in helix("status").out


def test_a_policy_of_ones_own(helix, episode):
    (helix.home / "settings.toml").write_text('[life]\npolicy = "layers"\n')
    life = helix("why", episode, "--json").document["life"]
    assert life["policy"] == "layers"
    (helix.home / "settings.toml").write_text('[life]\npolicy = "x"\nfloor = 7\n')
    said = helix("status").err
    assert "life.policy" in said
    assert "life.floor" in said
