"""Fading: what is left of a memory after a time without use."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from helix.model.provenance import Origin, Source
from helix.model.types import Shape
from helix.rules import decay
from helix.rules.policy import (
    BUNDLES,
    HELIX,
    LAYERS,
    LEDGER,
    NEVER,
    Fading,
    first_half_life,
    half_life_of_time_constant,
)  # fmt: skip
from helix.rules.trust import fading_rate, trust_of
from helix.testing.builders import AGENT, USER, a_life
from helix.testing.clock import SOME_MOMENT

DAY = timedelta(days=1)
WEB = Source("some-agent", Origin.AGENT_INGESTED, ref="https://example.org/page")
OF_SHAPE = {
    "episode": Shape.EPISODIC, "snippet": Shape.PROCEDURAL, "procedure": Shape.PROCEDURAL,
    "convention": Shape.PROCEDURAL, "entity": Shape.ENTITY,
}  # fmt: skip


def test_the_documents_rates():
    """λ is 0.099 a day for an episode, 0.0077 for a procedure, and 0 for a fact."""
    assert decay.rate(7) == pytest.approx(0.099, abs=5e-5)
    assert decay.rate(90) == pytest.approx(0.0077, abs=5e-6)
    assert decay.rate(NEVER) == 0.0


@pytest.mark.parametrize(
    ("name", "days"),
    [
        ("episode", 7), ("snippet", 90), ("procedure", 90), ("decision", NEVER),
        ("convention", NEVER), ("fact", NEVER), ("preference", NEVER), ("identity", NEVER),
        ("project", NEVER), ("entity", NEVER),
    ],
)  # fmt: skip
def test_the_shape_decides_the_half_life_and_the_type_may_override_it(name, days):
    """A convention is procedural, yet holds until it is superseded."""
    shape = OF_SHAPE.get(name, Shape.SEMANTIC)
    assert first_half_life(HELIX, name, shape.value) == days


@pytest.mark.parametrize("fading", list(Fading))
def test_one_half_life_leaves_exactly_half(fading):
    """Under every curve, for a memory of middling strength."""
    assert decay.curve(fading, 1.0) == 0.5
    assert decay.curve(fading, 0.0) == 1.0


@pytest.mark.parametrize(
    ("days", "left"), [(0, 0.6), (7, 0.3), (14, 0.15), (21, 0.075), (30.25, 0.03)]
)
def test_salience_is_importance_times_what_is_left(days, left):
    """An episode of importance 0.6 comes to a twentieth of it after thirty days."""
    life = a_life(importance=0.6)
    weight = decay.salience(life, SOME_MOMENT + days * DAY, HELIX)
    assert weight == pytest.approx(left, rel=2e-3)


def test_a_time_constant_is_not_a_half_life():
    """S = 168 h leaves 1/e after 168 h and half after 116.4 h."""
    assert half_life_of_time_constant(168) * 24 == pytest.approx(116.4, abs=0.05)
    life = a_life(importance=1.0)
    after = decay.retention(life, SOME_MOMENT + timedelta(hours=168), LEDGER)
    assert after == pytest.approx(1 / math.e, rel=1e-6)
    half = decay.retention(life, SOME_MOMENT + timedelta(hours=116.4), LEDGER)
    assert half == pytest.approx(0.5, abs=5e-4)


@pytest.mark.parametrize(
    ("half_lives", "left"),
    [(0.5, 0.7071), (1, 0.5), (2, 0.4446), (4, 0.3337), (8, 0.1119), (10, 0.0010), (12, 0.0002)],
)
def test_huber_forgets_old_memories_later(half_lives, left):
    """It is l2 up to one half-life, then a straight line, and l2 again when little is left."""
    assert decay.huber(half_lives) == pytest.approx(left, abs=5e-5)
    assert decay.huber(half_lives) >= decay.exponential(half_lives)


def test_elastic_keeps_the_strong_and_lets_the_weak_go():
    """After two half-lives l2 leaves a quarter; elastic leaves more or less by strength."""
    assert decay.elastic(2.0, 1.0) == pytest.approx(0.5)
    assert decay.elastic(2.0, 0.5) == pytest.approx(0.25)
    assert decay.elastic(2.0, 0.0) == pytest.approx((0.125 - 0.1) / 0.9)
    assert decay.elastic(3.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("source", "trust", "times"), [(USER, 1.0, 1.0), (AGENT, 0.7, 2.2), (WEB, 0.5, 3.0)]
)
def test_what_is_less_trusted_fades_faster(source, trust, times):
    """A person's word keeps the full half-life; what was ingested fades exactly 3 times as fast."""
    assert trust_of(source) == trust
    assert fading_rate(trust) == pytest.approx(times)
    life = a_life(sources=[source])
    assert decay.standing(life, LAYERS).half_life_days == pytest.approx(30 / times)
    assert decay.standing(life, HELIX).half_life_days == 7


def test_use_adds_a_capped_bonus_under_layers_only():
    """Log-scaled, at most 0.3."""
    assert decay.use_bonus(0, 0.3) == 0.0
    assert decay.use_bonus(5, 0.3) == pytest.approx(0.179, abs=5e-4)
    assert decay.use_bonus(1000, 0.3) == 0.3
    assert decay.use_bonus(1000, HELIX.use_bonus_cap) == 0.0


@pytest.mark.parametrize("policy", BUNDLES.values(), ids=list(BUNDLES))
def test_a_pinned_memory_and_a_fact_do_not_fade(policy):
    """Facts end by contradiction, not by the clock."""
    later = SOME_MOMENT + 3650 * DAY
    fact = a_life(type="fact", shape=Shape.SEMANTIC)
    assert decay.retention(fact, later, policy) == 1.0
    assert decay.retention(a_life(pinned=True), later, policy) == 1.0
    assert decay.reaches(fact, 0.05, policy) is None


def test_one_can_say_when_a_memory_will_reach_the_floor():
    """An unused episode comes to 5 % after 30.25 days."""
    moment = decay.reaches(a_life(), 0.05, HELIX)
    assert moment is not None
    assert (moment - SOME_MOMENT) / DAY == pytest.approx(7 * math.log2(20), abs=1e-6)
