"""`python -m benchmarks recall`, run as a process on tiny sets."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.benchmarks.made_sets import MAKERS

ROOT = Path(__file__).parents[2]

ALWAYS = {
    "set", "embedder", "ranker", "n", "seconds", "p50_ms", "p95_ms",
    "by_category", "sessions", "corrected", "baselines", "ablations", "rankers",
}  # fmt: skip
RANKING = {
    "recall@5", "recall@10", "recall@20", "mrr", "any@5", "all@5", "ndcg@10", "hit@1", "hit@10",
}  # fmt: skip


def recall(tmp_path, *args):
    environment = os.environ | {"HELIX_HOME": str(tmp_path / "home")}
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "recall", *args],
        capture_output=True, check=False, text=True, cwd=ROOT, env=environment, timeout=60,
    )  # fmt: skip


def document(tmp_path, *args):
    done = recall(tmp_path, *args, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_every_set_is_measured_with_all_keys(name, tmp_path):
    MAKERS[name](tmp_path / "data", ".zst")
    found = document(tmp_path, "--set", name, "--data", str(tmp_path / "data"))
    assert found.keys() >= ALWAYS | RANKING
    assert found["set"] == name
    assert found["n"] > 0
    assert found["p95_ms"] >= found["p50_ms"] > 0
    assert found["baselines"].keys() >= {"plain_bm25", "plain_dense"}
    assert found["baselines"]["plain_bm25"].keys() >= RANKING
    assert sum(each["n"] for each in found["by_category"].values()) == found["n"]
    for figure in RANKING:
        assert 0.0 <= found[figure] <= 1.0


def test_locomo_reports_sessions_corrections_and_abstention(tmp_path):
    MAKERS["locomo"](tmp_path / "data")
    found = document(tmp_path, "--set", "locomo", "--data", str(tmp_path / "data"))
    assert found["n"] == 2
    assert found["recall@5"] == 1.0
    assert found["sessions"] == {"any@5": 1.0, "all@5": 1.0}
    assert found["corrected"]["hit@1"] < found["hit@1"]
    assert found["by_category"]["1"]["name"] == "multi-hop"
    assert found["abstention"].keys() >= {"precision", "recall", "auc", "curve"}
    assert found["abstention"]["unanswerable"] == 1


def test_mutable_needs_no_data_and_shows_no_stale_value(tmp_path):
    found = document(tmp_path, "--set", "mutable", "--no-ablations")
    assert found["n"] == 120
    assert found.keys() >= {"current@1", "stale@5", "as_of@1", "as_of_in_words@1"}
    assert found["stale@5"] == 0.0
    assert found["baselines"]["plain_bm25"]["stale@5"] > found["stale@5"]


def test_superseded_decisions_are_flagged(tmp_path):
    MAKERS["peps"](tmp_path / "data")
    found = document(tmp_path, "--set", "peps", "--data", str(tmp_path / "data"))
    assert (found["flagged"], found["stale@5"], found["current@1"]) == (1.0, 0.0, 1.0)


def test_a_limit_is_kept_and_the_document_also_lands_in_a_file(tmp_path):
    MAKERS["git"](tmp_path / "data")
    kept = tmp_path / "found.json"
    found = document(
        tmp_path, "--set", "git", "--part", "made", "--data", str(tmp_path / "data"),
        "--limit-questions", "2", "--out", str(kept),
    )  # fmt: skip
    assert found["n"] == 2
    assert json.loads(kept.read_text(encoding="utf-8")) == found


def test_without_json_there_is_a_table(tmp_path):
    MAKERS["cosqa"](tmp_path / "data")
    done = recall(tmp_path, "--set", "cosqa", "--data", str(tmp_path / "data"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("cosqa: 1 questions, 2 notes in 1 stores")
    assert "plain_bm25" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--set", "cosqa"], "--set cosqa needs --data"),
        (["--set", "cosqa", "--data", "."], "no code_idx_map* in ."),
        (["--set", "mutable", "--ranker", "coin_toss"], "there is no ranker 'coin_toss'"),
        (["--set", "mutable", "--embedder", "coin_toss"], "there is no embedder 'coin_toss'"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(args, said, tmp_path):
    done = recall(tmp_path, *args)
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
