"""The pass that asks what connects parts of a project that are seldom touched together.

That the same word comes up in both is a hint, not proof. Without a model a bridge is held as
unconfirmed, believed little, and put to a person (`helix review`). Where a model is configured,
it is asked first, and only what it accepts is concluded (`helix.sleep.bridging`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from helix.model.changes import PutMemory
from helix.model.memory import Memory
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.reflection.insights import (
    MOST_INSIGHTS,
    Insight,
    answered,
    by_subject,
    memory_of,
)
from helix.reflection.tallies import MOST_FILES, TOGETHER_SHARE
from helix.rules.agreement import first_confidence
from helix.rules.concluding import confidence_of, strengthened, weakest_origin
from helix.rules.doubts import was_settled
from helix.rules.entities import entities, key
from helix.rules.vocabulary import listed

PASS = "bridge"

UNCONFIRMED = "unconfirmed: nobody has looked whether it really connects them"
REJECTED = "a model finds that it does not connect them"
SHARE_BELIEVED = 0.5
"""Of what one source is believed, while nobody has looked; and again, if a model rejects it."""

FEWEST_OF_A_PART = 3
"""Episodes about one part of the project in which a thing must come up."""

MOST_COMMON = 0.1
"""Share of all episodes above which a thing comes up everywhere, and connects nothing."""

BRIDGING = frozenset({"error_code", "package"})
"""Kinds of things that lead from one part to another. People work everywhere."""

MOST_PARTS = 4
_BESIDE = frozenset(listed("tests test docs doc docs_src examples scripts requirements tools"))
_CARRIERS = frozenset(listed("src lib packages apps crates services modules internal cmd pkg"))


def bridge(night: Night) -> Findings:
    """Return what connects parts of the project, as far as words can tell: unconfirmed."""
    held = by_subject(night)
    made = [_unconfirmed(night, each, held) for each in bridges(night)]
    return Findings(len(night.episodes), tuple(each for each in made if each))


def bridges(night: Night) -> list[Insight]:
    """Return what may connect parts of the project, and where it came up."""
    return list(what_connects(night))[:MOST_INSIGHTS]


def confirmed(night: Night, insight: Insight) -> Conclusion | None:
    """Return the conclusion that a bridge holds, on the word of somebody who looked."""
    memory = memory_of(night, insight, PASS)
    known = night.held.get(memory.id)
    if known is None:
        return answered(night, insight, memory, by_subject(night).get(insight.subject), PASS)
    if not {UNCONFIRMED, REJECTED} & set(known.belief.doubts):
        return strengthened(night, known, insight.grounds, PASS, insight.question)
    sure = max(known.belief.confidence, confidence_of(insight.grounds))
    return _now(night, known, (), sure, Decision.UPDATE, "a model confirms it")


def rejected(night: Night, insight: Insight) -> Conclusion | None:
    """Return the conclusion that a bridge that is held does not; None if none is."""
    known = night.held.get(memory_of(night, insight, PASS).id)
    if known is None or UNCONFIRMED not in known.belief.doubts or was_settled(
        known.belief, UNCONFIRMED
    ):  # fmt: skip
        return None
    less = round(known.belief.confidence * SHARE_BELIEVED, 6)
    return _now(night, known, (REJECTED,), less, Decision.FLAG, REJECTED)


def _unconfirmed(night: Night, insight: Insight, held: dict[object, Memory]) -> Conclusion | None:
    sure = round(first_confidence(weakest_origin(insight.grounds)) * SHARE_BELIEVED, 6)
    memory = memory_of(night, insight, PASS, sure)
    known = night.held.get(memory.id)
    if known is not None:
        # Coming up again is the same hint again, until somebody has looked.
        if {UNCONFIRMED, REJECTED} & set(known.belief.doubts):
            return None
        return strengthened(night, known, insight.grounds, PASS, insight.question)
    doubting = replace(memory, belief=replace(memory.belief, doubts=(UNCONFIRMED,)))
    return answered(night, insight, doubting, held.get(insight.subject), PASS)


def _now(  # noqa: PLR0917 - what is believed now, and why
    night: Night, known: Memory, doubts: tuple[str, ...], sure: float, decision: Decision, why: str
) -> Conclusion:  # fmt: skip
    others = tuple(each for each in known.belief.doubts if each not in (UNCONFIRMED, REJECTED))
    belief = replace(
        known.belief, doubts=(*others, *doubts), confidence=sure, believed_from=night.now
    )
    change = PutMemory(replace(known, belief=belief))
    return Conclusion(decision, "", why, (known.id,), (change,))


def what_connects(night: Night) -> Iterator[Insight]:
    """Yield things that come up in work on parts that are seldom touched together."""
    about: dict[str, dict[str, list[Memory]]] = defaultdict(lambda: defaultdict(list))
    names: dict[str, str] = {}
    common: Counter[str] = Counter()
    touched: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for episode in night.credible:
        parts = sorted(parts_of(episode))
        touched.update(parts)
        both.update(combinations(parts, 2))
        if not parts:
            continue
        for entity in entities(episode.content):
            if entity.kind in BRIDGING:
                names.setdefault(key(entity), entity.name)
                common[key(entity)] += 1
                for part in parts:
                    about[key(entity)][part].append(episode)
    most = max(MOST_COMMON * len(night.episodes), 4 * FEWEST_OF_A_PART)
    for thing, by_part in sorted(about.items()):
        often = {
            part: episodes
            for part, episodes in by_part.items()
            if len(episodes) >= FEWEST_OF_A_PART
            and _sessions(episodes) > 1
            and names[thing].lower() not in part.lower()  # it has a part of its own
        }
        apart = sorted({
            part
            for pair in combinations(sorted(often), 2)
            # Parts that are worked on together anyway need no bridge.
            if both[pair] <= (1 - TOGETHER_SHARE) * min(touched[part] for part in pair)
            for part in pair
        })  # fmt: skip
        if common[thing] > most or not apart:
            continue
        cited = {each.position: each for part in apart for each in often[part]}
        yield Insight(
            f"What connects {_listed(apart)}?",
            f"{names[thing]} connects {_listed(apart)}: it came up in work on each.",
            tuple(cited[position] for position in sorted(cited)),
            f"connects:{thing}",
        )


def parts_of(episode: Memory) -> set[str]:
    """Return the parts of the project that an episode touches: by the folders of its files."""
    files = episode.circumstances.files if episode.circumstances else ()
    if not 1 <= len(files) <= MOST_FILES:
        return set()
    found = set()
    for file in files:
        first, *below = file.replace("\\", "/").split("/")
        if below and first not in _BESIDE and not first.startswith("."):
            deeper = first in _CARRIERS and len(below) > 1
            found.add(f"{first}/{below[0]}" if deeper else first)
    return found


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:MOST_PARTS])
    if len(names) > MOST_PARTS:
        shown.append("other parts")
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def _sessions(episodes: Sequence[Memory]) -> int:
    return len({each.circumstances.session for each in episodes if each.circumstances})
