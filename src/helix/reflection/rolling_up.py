"""Writing a summary down, whatever its level: what it rests on, and how little it is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from helix.model.changes import PutMemory
from helix.model.edge import SUMMARISES
from helix.model.memory import Memory
from helix.model.night import Conclusion, Night
from helix.rules.agreement import first_confidence
from helix.rules.concluding import added, link, new_memory, weakest_origin

PASS = "summarise"

STALE = timedelta(days=7)
"""One half-life of an episode: from here on, it is a candidate to step back."""


def rolled_up(  # noqa: PLR0917 - what a summary is made of
    night: Night, content: str, grounds: Sequence[Memory], why: str,
    attributes: Mapping[str, object], below: Sequence[Memory] = (),
) -> Conclusion:  # fmt: skip
    """Return the conclusion that a summary stands for its grounds, and for what is `below` it."""
    # Episodes do not vouch for each other: a summary is as sure as one of them, however many.
    sure = first_confidence(weakest_origin(grounds))
    memory = new_memory(
        night, PASS, "fact", content, grounds, attributes=attributes, confidence=sure
    )
    made = added(night, memory, grounds, PASS, why)
    edges = tuple(link(night, memory, SUMMARISES, each, by=PASS) for each in (*grounds, *below))
    return Conclusion(made.decision, made.key, made.why, made.grounds, (made.changes[0], *edges))


def summary_in(conclusion: Conclusion) -> Memory:
    """Return the summary that a conclusion adds."""
    change = conclusion.changes[0]
    assert isinstance(change, PutMemory)  # a summary begins with itself
    return change.memory
