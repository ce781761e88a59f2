"""Importance: rated at write, never overwritten; nine factors weigh it at read."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from tests.spec.reading import kept, sound

from helix.app.concluding import conclude
from helix.model.changes import Rate
from helix.model.proposal import Proposal
from helix.model.types import Shape
from helix.rules import effective_importance as nine
from helix.rules import importance, surprise
from helix.rules.effective_importance import Appraisal
from helix.rules.policy import HELIX
from helix.rules.valence import valence
from helix.testing.builders import AGENT, USER, a_life
from helix.testing.clock import SOME_MOMENT

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("content", "exit_status", "rating"),
    [
        ("listed the files", None, 0.2),
        ("pytest ran", 1, 0.4),
        ("we decided to keep sqlite", None, 0.3),
        ("decided to migrate: the build broke and the fix failed", None, 0.5),
        ("x " * 300, None, 0.3),
        ("IMPORTANT: remember that staging is frozen", None, 0.4),
    ],
)
def test_the_rating_at_write(content, exit_status, rating):
    """Decisions, errors, failure, length and emphasis weigh; listing files does not."""
    assert importance.rate("episode", content, exit_status) == pytest.approx(rating)


def test_names_and_numbers_close_together_tell_of_substance():
    """A text dense with paths, versions and identifiers is rated above plain words."""
    dense = "bumped urllib3 to 2.2.1 in requirements/base.txt and src/net/http_pool.py"
    assert importance.rate("episode", dense) == pytest.approx(0.3)


@pytest.mark.parametrize(("points", "due"), [(149_999, False), (150_000, True), (150_001, True)])
def test_sleep_is_due_at_150_points(points, due):
    """The budget counts ten times the importance, and fires at 150 exactly."""
    assert importance.sleep_is_due(points) is due
    assert importance.millipoints(0.8) == 8_000


@pytest.mark.parametrize(
    ("distance", "surprised", "change"),
    [(0.35, 0.5, 0.0), (0.0, 0.0293, -0.2824), (1.0, 0.9985, 0.2991), (0.55, 0.8808, 0.2285)],
)
def test_surprise_moves_importance_by_three_tenths_at_most(distance, surprised, change):
    """Mean distance to the five nearest, through a sigmoid at 0.35 of steepness 10."""
    found = surprise.surprise([distance] * 5)
    assert found == pytest.approx(surprised, abs=1e-4)
    assert surprise.adjustment(found) == pytest.approx(change, abs=1e-4)


def test_only_the_five_nearest_count():
    """And the first memory of all is neither new nor old."""
    assert surprise.surprise([0.35] * 5 + [2.0] * 50) == pytest.approx(0.5)
    assert surprise.surprise([]) == 0.5
    assert surprise.repeats([0.01, 0.5])
    assert not surprise.repeats([0.03])


def test_all_nine_factors_count():
    """The weights of nine factors sum to one, and moving any factor moves the whole."""
    assert len(nine.WEIGHTS) == 9
    assert sum(nine.WEIGHTS.values()) == pytest.approx(1.0)
    values = dict.fromkeys(nine.WEIGHTS, 0.5)
    for name in values:
        assert nine.composite({**values, name: 0.6}) > nine.composite(values)


def test_activation_is_act_r():
    """ln Σ t^-0.5 over the ages of all accesses, in days."""
    assert nine.activation([1.0]) == 0.0
    assert nine.activation([4.0]) == pytest.approx(math.log(0.5))
    assert nine.activation([1.0, 4.0, 16.0]) == pytest.approx(math.log(1.75))


def test_the_factors_of_one_memory():
    """A worked example: an episode of 0.5, used well on three days, asked about a day later."""
    life = a_life(4, 4, 4, importance=0.5, confirmations=1, sources=[AGENT])
    found = nine.factors(life, SOME_MOMENT + 4 * DAY, HELIX, Appraisal(valence=0.4))
    assert found == {
        "base": 0.5,
        "frequency": pytest.approx(math.log(4) / math.log(51)),
        "recency": pytest.approx(2 ** (-1 / 28)),
        "valence": 0.4,
        "stability": pytest.approx(2 / 3),
        "layer": 0.4,
        "trust": 0.7,
        "confirmations": 0.5,
        "activation": pytest.approx(1 / (1 + 1 / (0.5 + 3**-0.5 + 2**-0.5 + 1))),
    }
    whole = nine.effective_importance(life, SOME_MOMENT + 4 * DAY, HELIX, Appraisal(valence=0.4))
    assert whole == pytest.approx(0.5692, abs=5e-5)


def test_steady_use_weighs_more_than_a_burst():
    """Five uses on five days against five uses in one hour."""
    steady = nine.factors(a_life(4, 4, 4, 4, 4), SOME_MOMENT + 6 * DAY, HELIX)
    burst = a_life(4, 4, 4, 4, 4, every=timedelta(minutes=10))
    assert steady["stability"] == pytest.approx(0.8)
    assert nine.factors(burst, SOME_MOMENT + 6 * DAY, HELIX)["stability"] == 0.0


def test_a_thousand_cycles_leave_the_rating_as_it_was():
    """Effective importance is derived; the rating at write is the same after any number."""
    life = a_life(4, 4, importance=0.8, type="fact", shape=Shape.SEMANTIC, sources=[USER])
    for day in range(1000):
        nine.effective_importance(life, SOME_MOMENT + day * DAY, HELIX)
    assert life.importance == 0.8


def test_a_better_rating_is_on_record_and_can_be_taken_back(memory, clock):
    """A model's rating replaces the heuristic's in a change set, which names both."""
    held = kept(memory.capture("decided to keep sqlite"))
    better = Rate(held.realm, held.id, held.importance_base, 0.9)
    back = Rate(held.realm, held.id, 0.9, held.importance_base)
    with memory.context.store.writing() as unit:
        entry = conclude(
            unit, held.realm, [Proposal(held.id, "rated", (better,), (back,))], clock.now(),
            reason="re-rating", concluded_by="a-model",
        )  # fmt: skip
    assert memory.why(held.id).memory.importance == 0.9
    sound(memory)
    memory.life.revert(entry.number)
    assert memory.why(held.id).memory.importance_base == held.importance_base
    sound(memory)


def test_strong_feelings_weigh():
    """An outage in capitals is felt; a plain statement is not."""
    assert valence("the parser reads two files") == 0.0
    assert valence("tests failed") == pytest.approx(0.15)
    assert valence("TOTAL outage, we finally found it!") == pytest.approx(1.0)


def test_a_centre_weighs_more_than_what_stands_alone(memory):
    """What much else hangs on is more important than the same thing alone; base stays."""
    centre = kept(memory.remember("the gateway terminates tls"))
    alone = kept(memory.remember("the gateway terminates ssl"))
    for number in range(6):
        other = kept(memory.remember(f"service {number} sits behind it"))
        memory.relate(other.id, "depends_on", centre.id)
    one, other = (memory.life.standing(each.id) for each in (centre, alone))
    assert one.effective_importance > other.effective_importance
    assert one.memory.importance_base == centre.importance_base


def test_what_others_are_tied_to_weighs_more(memory):
    """By a tenth at most, from twenty ties on; the rating at write stays as it was."""
    assert nine.centrality(0) == 0.0
    assert nine.centrality(4) == pytest.approx(math.log(5) / math.log(21))
    assert nine.centrality(20) == nine.centrality(500) == 1.0
    hub = kept(memory.remember("billing runs on postgres"))
    before = memory.life.standing(hub.id)
    for number in range(4):
        other = kept(memory.remember(f"report {number} reads from the billing tables"))
        memory.relate(other.id, "part_of", hub.id)
    after = memory.life.standing(hub.id)
    assert after.centrality == nine.centrality(4)
    assert after.effective_importance == pytest.approx(
        before.effective_importance + nine.CENTRALITY_MOST * nine.centrality(4), abs=1e-4
    )
    assert after.memory.importance_base == before.memory.importance_base
