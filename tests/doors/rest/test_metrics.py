"""A real scrape of a real server: every name monitoring expects, in Prometheus' own format."""

import re
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.rest.conftest import ended, started

from helix import Helix
from helix.app.figures import BOUNDS, Figures
from helix.app.watching import Watch
from helix.testing.clock import SettableClock

SAMPLE = re.compile(r'([a-z_]+[a-z0-9_]*)(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})? (-?[0-9.]+|\+Inf)')

EXPECTED = {
    "consolidation_lag_seconds": "gauge",
    "enrichment_lag_seconds": "gauge",
    "reconsolidation_last_run": "gauge",
    "graph_nodes_total": "gauge",
    "graph_nodes_pruned_total": "counter",
    "reflection_triggers_total": "counter",
    "decay_score_p50": "histogram",
}


def scraped(text):
    """Read Prometheus' text format strictly: kinds by name, and samples by name and labels."""
    kinds, samples = {}, {}
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds
            kinds[name] = kind
        elif not line.startswith("# HELP "):
            name, labels, value = SAMPLE.fullmatch(line).groups()
            family = name if name in kinds else re.sub("_(bucket|sum|count)$", "", name)
            assert family in kinds
            assert (name, labels or "") not in samples
            samples[name, labels or ""] = float(value)
    return kinds, samples


@pytest.fixture
def place(tmp_path):
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    home = tmp_path / "home"
    home.mkdir()
    return home, folder


def test_every_name_is_there_from_the_start(place):
    """An empty store has figures too, and a lag of 0."""
    server = started(*place)
    try:
        status, text = server.ask("GET", "/metrics")
    finally:
        ended(server)
    assert status == 200
    kinds, samples = scraped(text)
    assert EXPECTED.items() <= kinds.items()
    assert samples["consolidation_lag_seconds", ""] == 0
    assert samples["reconsolidation_last_run", ""] == 0
    assert {labels for name, labels in samples if name == "graph_nodes_total"} == {
        'tier="hot"', 'tier="warm"', 'tier="cold"', 'tier="archive"',
    }  # fmt: skip
    assert samples["decay_score_p50_count", ""] == 0


def test_figures_follow_what_happens(place):
    """Every scope counts; sleep, sweeps and questions show, whoever did them."""
    home, folder = place
    began = time.time()
    with Helix.open(home / "memory.db", scope="project:other", background=False) as other:
        kept = [other.capture(f"pytest failed in test_{n}: fixture {n} not found") for n in "abc"]
        other.remember("This repo uses pnpm, not npm", type="convention")
        other.life.demote(kept[0].memory.id)
    server = started(home, folder)
    try:
        server.ask("POST", "/v1/captures", {"content": "make failed: no rule for target x"})
        before = scraped(server.ask("GET", "/metrics")[1])[1]
        with Helix.open(home / "memory.db", scope="project:other", background=False) as other:
            other.sleeping.sleep()
        for question in ("what failed in make, no rule?", "who is the queen of Saturn?"):
            assert server.ask("POST", "/v1/recall", {"question": question})[0] == 200
        after = scraped(server.ask("GET", "/metrics")[1])[1]
    finally:
        ended(server)
    nodes = {labels: n for (name, labels), n in before.items() if name == "graph_nodes_total"}
    assert nodes['tier="archive"'] == 1
    assert sum(nodes.values()) == 5
    assert before["reflection_triggers_total", ""] == 0
    assert before["consolidation_lag_seconds", ""] > 0
    assert after["reflection_triggers_total", ""] == 1
    assert began - 1 <= after["reconsolidation_last_run", ""] <= time.time() + 1
    assert after["decay_score_p50_count", ""] == 1
    assert after["helix_recall_misses_total", ""] == 1
    assert after["decay_score_p50_bucket", 'le="+Inf"'] == 1
    assert 0 < after["decay_score_p50_sum", ""] <= 1
    assert after["helix_requests_total", 'operation="recall"'] == 2


def test_what_sweeps_archive_is_counted_once_and_never_uncounted(place):
    """Taking a sweep back prunes nothing, and a counter never falls."""
    home, _ = place
    store = home / "memory.db"
    with Helix.open(store, scope="project:x", agent="tester", background=False) as memory:
        for number in range(3):
            memory.capture(f"looked at file {number}", importance_hint=0.1)
        clock = SettableClock(memory.context.clock.now() + timedelta(days=400))
        later = Helix(replace(memory.context, clock=clock))
        watch = Watch(later.context)
        assert watch.state().pruned == 0
        swept = later.life.sweep(everything=True)
        pruned = watch.state().pruned
        assert pruned == 3
        for number in [each for one in swept for each in one.entries]:
            later.life.revert(number)
        assert later.recall("looked at file").remembered
        assert watch.state().pruned == Watch(later.context).state().pruned == pruned


def test_counting_that_takes_long_rests(place):
    """What took two seconds to count is told again for twenty."""
    home, _ = place
    ticks = iter([0.0, 2.0, 21.9, 22.0, 24.0])
    with Helix.open(home / "memory.db", scope="project:x", background=False) as memory:
        watch = Watch(memory.context, lambda: next(ticks))
        assert watch.state().records == 0
        memory.capture("something happened")
        assert watch.state().records == 0
        assert watch.state().records == 1


def test_the_histogram_is_cumulative():
    """A bucket holds all answers up to its bound."""
    figures = Figures()
    figures.add([0.05])
    figures.add([0.2, 0.55, 0.9])
    figures.add([1.0])
    buckets, total, count = figures.histogram
    assert dict(buckets)[0.1] == 1
    assert dict(buckets)[0.5] == 1
    assert dict(buckets)[0.6] == 2
    assert (dict(buckets)[BOUNDS[-1]], count, total) == (3, 3, pytest.approx(1.6))
