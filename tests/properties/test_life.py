"""Laws of a memory's life that hold for every life, moment and policy."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from helix.model.life import Use
from helix.model.provenance import Origin
from helix.model.types import Shape
from helix.recall.signals import normalised
from helix.rules import decay, surprise
from helix.rules.effective_importance import Appraisal, effective_importance, factors
from helix.rules.policy import BUNDLES, Fading, Lasting
from helix.rules.reinforcement import LEAST_EASINESS
from helix.rules.tiers import Tier, tier
from helix.testing.builders import AGENT, USER, a_life
from helix.testing.clock import SOME_MOMENT

SHARES = st.floats(0, 1)
HALF_LIVES = st.floats(0, 10_000)
IDLE = st.floats(0, 3650).map(lambda days: timedelta(days=days))
POLICIES = st.builds(
    lambda bundle, fading, lasting, trusted: replace(
        bundle, fading=fading, lasting=lasting, trust_weighted=trusted
    ),
    st.sampled_from(list(BUNDLES.values())),
    st.sampled_from(Fading),
    st.sampled_from(Lasting),
    st.booleans(),
)


@st.composite
def lives(draw):
    gaps = draw(st.lists(st.integers(1, 40 * 24 * 60), max_size=30))
    uses, at = [], SOME_MOMENT
    for position, minutes in enumerate(gaps, 2):
        at += timedelta(minutes=minutes)
        origin = draw(st.sampled_from(Origin))
        uses.append(Use(at, draw(st.integers(0, 5)), origin, position))
    shape = draw(st.sampled_from(Shape))
    life = a_life(
        shape=shape,
        type="episode" if shape is Shape.EPISODIC else "anything",
        importance=draw(SHARES),
        pinned=draw(st.booleans()),
        confirmations=draw(st.integers(0, 5)),
        sources=draw(st.sampled_from([[AGENT], [USER], [AGENT, USER], []])),
    )
    return replace(life, uses=tuple(uses))


def end_of(life):
    return life.uses[-1].at if life.uses else life.recorded_at


@given(lives(), POLICIES, IDLE, IDLE)
def test_time_never_strengthens(life, policy, first, second):
    """Left alone, a memory's salience, importance and tier only ever fall."""
    start = end_of(life)
    sooner, later = sorted([start + first, start + second])
    assert decay.salience(life, later, policy) <= decay.salience(life, sooner, policy)
    before = effective_importance(life, sooner, policy)
    assert effective_importance(life, later, policy) <= before + 1e-12
    order = list(Tier)
    assert order.index(tier(life, later, policy)) >= order.index(tier(life, sooner, policy))


@given(lives(), POLICIES, IDLE, IDLE, st.integers(3, 5))
def test_a_good_use_never_weakens(life, policy, until, after, quality):
    """Whatever came before, from the use on a memory weighs at least what it would have."""
    at = end_of(life) + until
    used = replace(life, uses=(*life.uses, Use(at, quality, Origin.AGENT_INGESTED, 99)))
    now = at + after
    assert decay.salience(used, now, policy) >= decay.salience(life, now, policy)
    importance = effective_importance(life, now, policy)
    assert effective_importance(used, now, policy) >= importance - 1e-12


@given(lives(), POLICIES, IDLE, st.integers(0, 2))
def test_a_poor_use_never_strengthens(life, policy, after, quality):
    """It resets no clock and grows no half-life."""
    at = end_of(life) + timedelta(hours=2)
    used = replace(life, uses=(*life.uses, Use(at, quality, Origin.AGENT_INGESTED, 99)))
    now = at + after
    assert decay.salience(used, now, policy) == decay.salience(life, now, policy)


@given(HALF_LIVES)
def test_huber_equals_l2_before_the_transition_and_is_never_below_it_after(half_lives):
    plain = decay.curve(Fading.L2, half_lives)
    gentle = decay.curve(Fading.HUBER, half_lives)
    if half_lives <= decay.TRANSITION:
        assert gentle == plain
    assert gentle >= plain


@given(st.sampled_from(Fading), HALF_LIVES, HALF_LIVES, SHARES)
def test_every_curve_stays_in_bounds_and_never_rises(fading, first, second, strength):
    sooner, later = sorted([first, second])
    before, after = (decay.curve(fading, each, strength) for each in (sooner, later))
    assert 0.0 <= after <= before <= 1.0


@given(HALF_LIVES, SHARES, SHARES)
def test_elastic_favours_the_stronger(half_lives, first, second):
    weak, strong = sorted([first, second])
    assert decay.elastic(half_lives, weak) <= decay.elastic(half_lives, strong)


@given(lives(), POLICIES)
def test_growth_never_exceeds_its_cap(life, policy):
    """Nor does easiness fall below its clamp; what never fades stays so."""
    held = decay.standing(life, policy)
    fresh = decay.standing(replace(life, uses=()), policy).half_life_days
    assert fresh <= held.half_life_days <= max(fresh, policy.half_life_max_days)
    assert held.easiness >= LEAST_EASINESS
    assert held.uses <= len(life.uses)


@given(lives(), POLICIES, IDLE, st.builds(Appraisal, SHARES, SHARES, SHARES))
def test_each_factor_is_a_share(life, policy, idle, appraisal):
    """And so is the importance made of them; the rating at write is not touched."""
    now, rated = end_of(life) + idle, life.importance
    found = factors(life, now, policy, appraisal)
    assert all(0.0 <= value <= 1.0 for value in found.values()), found
    assert 0.0 <= effective_importance(life, now, policy, appraisal) <= 1.0
    assert life.importance == rated


@given(st.lists(st.floats(0, 2), max_size=20))
def test_surprise_is_bounded(distances):
    found = surprise.surprise(distances)
    assert 0.0 <= found <= 1.0
    assert -surprise.MOST <= surprise.adjustment(found) <= surprise.MOST


@given(st.floats(-1e6, 1e6), st.integers(1, 20))
def test_normalising_equals_gives_one(value, count):
    """One candidate, or several that are equal, all become 1.0."""
    assert normalised([value] * count) == [1.0] * count


@given(lives(), POLICIES, st.floats(0.01, 0.99))
def test_the_moment_of_reaching_a_share_is_where_the_curve_crosses_it(life, policy, share):
    moment = decay.reaches(life, share, policy)
    if moment is not None:
        assert decay.retention(life, moment, policy) <= share + 1e-9
        before = moment - (moment - life.recorded_at) / 1000
        if before >= end_of(life):
            assert decay.retention(life, before, policy) >= share - 1e-9
