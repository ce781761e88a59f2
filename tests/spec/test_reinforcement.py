"""Lasting: use makes a memory last, and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from helix.model.provenance import Origin, Source
from helix.rules import decay
from helix.rules.policy import HELIX, LAYERS, LEDGER, Lasting, half_life_of_time_constant
from helix.rules.reinforcement import easiness_after
from helix.testing.builders import USER, a_life
from helix.testing.clock import SOME_MOMENT

DAY = timedelta(days=1)


def held(*qualities, policy=HELIX, **given):
    given.setdefault("sources", [USER])
    return decay.standing(a_life(*qualities, **given), policy)


@pytest.mark.parametrize(
    ("quality", "easiness"), [(5, 2.6), (4, 2.5), (3, 2.36), (2, 2.18), (1, 1.96), (0, 1.7)]
)
def test_easiness_follows_the_quality(quality, easiness):
    """EF' = EF + (0.1 - (5 - q)(0.08 + (5 - q) 0.02)), from 2.5."""
    assert easiness_after(2.5, quality) == pytest.approx(easiness)


def test_easiness_never_falls_below_the_clamp():
    """A run of poor uses leaves 1.3."""
    assert easiness_after(1.3, 0) == 1.3
    assert held(0, 0, 0, 0, 0).easiness == 1.3


def test_a_good_use_multiplies_the_half_life_and_resets_the_clock():
    """Seven days become seven times the new easiness, counted from the use."""
    strength = held(4)
    assert strength.half_life_days == pytest.approx(7 * 2.5)
    assert strength.last_good_at == SOME_MOMENT + DAY
    life = a_life(4, sources=[USER])
    assert decay.retention(life, SOME_MOMENT + DAY, HELIX) == 1.0


@pytest.mark.parametrize("quality", [0, 1, 2])
def test_a_poor_use_neither_grows_nor_resets(quality):
    """It lowers the easiness, and the memory goes on fading."""
    strength = held(quality)
    assert (strength.half_life_days, strength.last_good_at, strength.uses) == (7, None, 0)
    assert strength.easiness < 2.5


@pytest.mark.parametrize("policy", [HELIX, LEDGER, replace(LEDGER, lasting=Lasting.LOGARITHMIC)])
def test_growth_ends_at_the_cap(policy):
    """A memory used every day for three years lasts ten years, not for ever."""
    assert held(*[5] * 1000, policy=policy).half_life_days <= 3650
    assert held(*[5] * 10).half_life_days == 3650


def test_growth_counts_once_in_an_hour():
    """Cramming refreshes, and does not make a memory last; easiness is not driven up either."""
    crammed = held(5, 5, 5, 5, every=timedelta(minutes=10))
    once = held(5, every=timedelta(minutes=10))
    assert (crammed.half_life_days, crammed.easiness) == (once.half_life_days, once.easiness)
    assert crammed.uses == 1
    assert crammed.last_good_at == SOME_MOMENT + timedelta(minutes=40)
    spaced = held(5, 5, every=timedelta(hours=1))
    assert spaced.half_life_days == pytest.approx(7 * 2.6 * 2.7)


def test_the_ledger_grows_its_time_constant_by_a_day_each_use():
    """S is 168 h, then 192, 216, 240; the logarithmic option grows by 24 log2(1 + n)."""
    for uses, hours in [(0, 168), (1, 192), (2, 216), (3, 240)]:
        days = held(*[4] * uses, policy=LEDGER).half_life_days
        assert days == pytest.approx(half_life_of_time_constant(hours))
    slower = replace(LEDGER, lasting=Lasting.LOGARITHMIC)
    for uses, hours in [(1, 192), (3, 216), (7, 240)]:
        days = held(*[4] * uses, policy=slower).half_life_days
        assert days == pytest.approx(half_life_of_time_constant(hours))


def test_layers_add_a_bonus_and_leave_the_half_life():
    """Use counts through the capped bonus; the clock is reset all the same."""
    assert held(5, 5, 5, policy=LAYERS).half_life_days == 30
    assert held(5, 5, 5, policy=LAYERS).last_good_at == SOME_MOMENT + 3 * DAY


def test_an_agents_word_alone_does_not_become_lasting():
    """Without a second source it reaches four half-lives, however often agents use it."""
    agent = Source("some-agent", Origin.AGENT_INGESTED)
    other = Source("other-agent", Origin.AGENT_INGESTED)
    often = [5] * 20
    assert held(*often, sources=[agent]).half_life_days == 28
    assert held(*often, sources=[agent, agent]).half_life_days == 28
    assert held(*often, sources=[agent, other]).half_life_days == 3650
    assert held(*often, sources=[agent], used_by=Origin.USER_ASSERTED).half_life_days == 3650
