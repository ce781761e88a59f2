"""Stepping back: which memories leave default retrieval, and which never do."""

from __future__ import annotations

from datetime import timedelta

import pytest

from helix.model.memory import Status
from helix.model.types import Shape
from helix.rules import promotion, stepping_back, tiers
from helix.rules.policy import HELIX, LAYERS
from helix.rules.promotion import Readiness
from helix.rules.tiers import Tier
from helix.testing.builders import AGENT, USER, a_life, an_edge
from helix.testing.clock import SOME_MOMENT

DAY = timedelta(days=1)


def after(days):
    return SOME_MOMENT + timedelta(days=days)


def test_the_floor_needs_both_age_and_fading():
    """Five percent is left after 30.25 days; 30 days alone, or fading alone, is not enough."""
    assert not stepping_back.below_floor(a_life(), after(30.2), HELIX)
    assert stepping_back.below_floor(a_life(), after(30.3), HELIX)
    quick = a_life(type="scratch", shape=Shape.EPISODIC)
    short = HELIX.__class__(half_life_days={"episodic": 1.0})
    assert not stepping_back.below_floor(quick, after(30), short)
    assert stepping_back.below_floor(quick, after(30.001), short)


def test_a_use_keeps_it_above_the_floor():
    """Used once, an episode of an agent lasts for months."""
    assert stepping_back.reason_to_archive(a_life(4), after(60), HELIX) == ""
    assert stepping_back.reason_to_archive(a_life(), after(60), HELIX) == stepping_back.FLOOR


@pytest.mark.parametrize(
    "kept",
    [
        a_life(pinned=True),
        a_life(sources=[USER]),
        a_life(importance=0.8),
        a_life(type="fact", shape=Shape.SEMANTIC),
    ],
    ids=["pinned", "the user's word", "critical", "a fact"],
)
def test_what_never_steps_back_by_itself(kept):
    """Pinned, said by the user, critical, or not fading at all."""
    assert stepping_back.reason_to_archive(kept, after(3650), HELIX) == ""


def test_a_cause_is_protected():
    """What explains something that is held stays with it."""
    assert not stepping_back.protected(a_life(), HELIX)
    assert stepping_back.protected(a_life(), HELIX, is_a_cause=True)


@pytest.mark.parametrize(
    ("life", "days", "archived"),
    [
        (a_life(importance=0.29), 300, True),
        (a_life(importance=0.29), 89.9, False),  # not old enough
        (a_life(importance=0.29, sources=[AGENT]), 95, False),  # retention still above 0.15
        (a_life(importance=0.3), 300, False),  # important enough
        (a_life(4, 4, importance=0.29), 320, True),  # two uses are not enough
        (a_life(4, 4, 4, importance=0.29), 320, False),  # used three times
        (a_life(importance=0.1, shape=Shape.SEMANTIC, type="fact"), 900, False),
        (a_life(importance=0.1, shape=Shape.PROCEDURAL, type="snippet"), 900, False),
        (a_life(importance=0.1, pinned=True), 900, False),
    ],
)
def test_the_four_conditions_of_layers(life, days, archived):
    """90 days, retention below 0.15, importance below 0.3, fewer than three uses: all of them."""
    reason = stepping_back.reason_to_archive(life, after(days), LAYERS)
    assert bool(reason) is archived


def test_ninety_days_is_the_edge():
    """With retention out of the way, the rule begins at 90 days exactly."""
    life = a_life(importance=0.1)
    faded = HELIX.__class__(archiving=LAYERS.archiving)
    assert not stepping_back.meets_four_conditions(life, after(89.999), faded)
    assert stepping_back.meets_four_conditions(life, after(90), faded)


def test_expiry():
    """What was to be held until a moment is expired from that moment on."""
    life = a_life(expires_at=after(2))
    assert not stepping_back.expired(life, after(1.999))
    assert stepping_back.expired(life, after(2))


@pytest.mark.parametrize(
    ("hours", "tier"),
    [
        (0, Tier.HOT), (23.99, Tier.HOT), (24, Tier.WARM), (167.99, Tier.WARM), (168, Tier.COLD),
        (719.99, Tier.COLD), (720, Tier.ARCHIVE),
    ],
)  # fmt: skip
def test_the_tiers(hours, tier):
    """Hot for a day, warm for a week, cold for thirty days; each edge belongs to the colder."""
    assert tiers.tier(a_life(), SOME_MOMENT + timedelta(hours=hours), HELIX) is tier


def test_using_a_memory_makes_it_hot_again():
    """And what was archived is in the archive, however young."""
    assert tiers.tier(a_life(4), after(1.5), HELIX) is Tier.HOT
    assert tiers.tier(a_life(status=Status.ARCHIVED), after(0), HELIX) is Tier.ARCHIVE


@pytest.mark.parametrize(
    ("relation", "weight", "tier", "stands"),
    [
        ("similar_to", 0.69, Tier.HOT, True),
        ("similar_to", 0.69, Tier.WARM, False),
        ("similar_to", 0.7, Tier.COLD, True),
        ("caused_by", 0.1, Tier.ARCHIVE, True),
    ],
)
def test_weak_likeness_is_pruned_once_warm(relation, weight, tier, stands):
    """Likeness below 0.7 goes; what was said, caused or followed stays."""
    edge = an_edge("a", "b", relation=relation, weight=weight)
    assert tiers.keeps_edge(edge, tier, HELIX) is stands


@pytest.mark.parametrize(
    ("life", "stays"),
    [
        (a_life(importance=0.5), True),
        (a_life(importance=0.49), False),
        (a_life(4, 4, importance=0.1), False),
        (a_life(4, 4, 4, importance=0.1), True),
    ],
)
def test_cold_keeps_what_matters(life, stays):
    """Importance 0.5 or three uses; the rest may leave once a summary stands for it."""
    assert tiers.stays_when_cold(life, HELIX) is stays


@pytest.mark.parametrize(
    ("life", "ready"),
    [
        (a_life(4, 4, 4, 4, 4, importance=0.7, sources=[USER]), Readiness.READY),
        (a_life(4, 4, 4, 4, 4, importance=0.69, sources=[USER]), Readiness.UNIMPORTANT),
        (a_life(4, 4, 4, 4, importance=0.7, sources=[USER]), Readiness.UNUSED),
        (a_life(4, 4, 4, 4, 2, importance=0.7, sources=[USER]), Readiness.UNUSED),
        (a_life(4, 4, 4, 4, 4, importance=0.9), Readiness.UNCORROBORATED),
        (
            a_life(4, 4, 4, 4, 4, importance=0.9, type="fact", shape=Shape.SEMANTIC),
            Readiness.NOT_AN_EPISODE,
        ),
    ],
)
def test_promotion_needs_importance_use_and_a_second_word(life, ready):
    """Importance 0.7, five good uses, and the user or two sources behind it."""
    assert promotion.readiness(life, HELIX) is ready


@pytest.mark.parametrize(
    ("minutes", "reads", "leaves"), [(29.9, 1, False), (30, 0, True), (0, 2, True)]
)
def test_the_scratchpad_is_left_after_thirty_minutes_or_two_reads(minutes, reads, leaves):
    """Working memory becomes an episode by age or by use."""
    assert promotion.leaves_the_scratchpad(timedelta(minutes=minutes), reads) is leaves


@pytest.mark.parametrize(
    ("retention", "tier", "bits"),
    [
        (0.81, Tier.COLD, 32), (0.8, Tier.WARM, 8), (0.5, Tier.WARM, 8), (0.3, Tier.COLD, 4),
        (0.3, Tier.ARCHIVE, 2),
    ],
)  # fmt: skip
def test_how_finely_a_vector_is_kept(retention, tier, bits):
    """As it came above 0.8; then 8, 4 and 2 bits as the tier grows colder."""
    assert tiers.bits_for(retention, tier) == bits
