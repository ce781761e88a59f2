"""Life in recall: of two memories that answer equally well, the livelier goes first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.spec.reading import kept

from helix.app.facade import Helix
from helix.model.recollection import Recollected
from helix.rules.policy import BUNDLES, Policy
from helix.testing.builders import AGENT
from helix.testing.clock import SettableClock

DAY = timedelta(days=1)


def order(memory: Helix, question: str) -> list[str]:
    answer = memory.recall(question)
    assert isinstance(answer, Recollected)
    return [each.memory.id for each in answer.remembered]


@pytest.mark.parametrize("policy", BUNDLES.values(), ids=list(BUNDLES))
def test_the_used_goes_before_the_unused(seen_from, clock: SettableClock, policy: Policy) -> None:
    """Under every bundle, though the unused one is newer."""
    memory = Helix(replace(seen_from(source=AGENT).context, policy=policy))
    first = kept(memory.capture("deployed staging with the blue script after lunch in Berlin")).id
    clock.move(DAY)
    second = kept(memory.capture("the blue script went to staging before dinner in Lisbon")).id
    assert order(memory, "blue script staging") == [second, first]
    clock.move(20 * DAY)
    memory.life.used(first, 5)
    clock.move(DAY)
    assert order(memory, "blue script staging") == [first, second]


def test_life_does_not_bury_what_answers(seen_from, clock: SettableClock) -> None:
    """A memory used every day does not push out the one that holds the answer."""
    memory = seen_from(source=AGENT)
    answer = kept(memory.capture("the payment gateway times out after 30 seconds")).id
    busy = kept(memory.capture("the payment service was restarted")).id
    for _ in range(30):
        clock.move(DAY)
        memory.life.used(busy, 5)
    assert order(memory, "when does the payment gateway time out")[0] == answer
