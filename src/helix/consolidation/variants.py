"""Which of several times that the same steps were done may be told as one.

Steps are gathered by their form, without their values. Those with the same values are one way
of doing it. What is left differs in a value: enough of it is one way with a place to fill.
No time's value is ever told for another's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from helix.rules.command_values import filled
from helix.rules.steps import Step


class Time(NamedTuple):
    """One time that steps were done: in which session, and the steps as they were taken."""

    session: str
    taken: tuple[Step, ...]


def variants(
    times: Sequence[Time], enough: Callable[[Sequence[Time]], bool]
) -> Iterator[list[Time]]:
    """Yield the times that go together and are enough to tell of; all have the same forms."""
    rest = list(times)
    for alike in (_exactly, _but_for_what_passes, _but_for_values):
        groups: dict[object, list[Time]] = defaultdict(list)
        for each in rest:
            groups[alike(each)].append(each)
        yield from (group for group in groups.values() if enough(group))
        rest = [each for each in rest if not enough(groups[alike(each)])]


def told(times: Sequence[Time]) -> tuple[str, ...]:
    """Return the steps in words that hold for every time: a place to fill where they differ."""
    return tuple(map(_told, zip(*(each.taken for each in times), strict=True)))


def _told(steps: Sequence[Step]) -> str:
    places = steps[0].slots
    values = zip(*((slot.value for slot in step.slots) for step in steps), strict=True)
    differing = {number for number, each in enumerate(values) if len(set(each)) > 1}
    return filled(steps[0].words, places, differing)


def _exactly(time: Time) -> object:
    return tuple(slot.value for step in time.taken for slot in step.slots)


def _but_for_what_passes(time: Time) -> object:
    return tuple(step.values for step in time.taken)


def _but_for_values(time: Time) -> object:
    del time
    return None
