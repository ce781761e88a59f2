"""Candidates: whatever words, meaning, a day, the archive or a neighbour put forward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from helix.model.memory import Memory, Status
from helix.model.question import View
from helix.ports.projection import Hit
from helix.recall.asking import Asking, asked_spans, may_answer
from helix.recall.fading import LOOKED_BACK_AT
from helix.recall.filling import fill
from helix.recall.fusion import fused
from helix.recall.signals import Candidate

POOL = 60
"""Candidates that each way of finding puts forward."""

LOOKED_AT = 60
"""Candidates whose signals are all worked out."""

BESIDE = 24
"""Candidates whose neighbours become candidates too."""

STEPS_BESIDE = 2
"""How far away such neighbours may be."""

SPANS_SEARCHED = 2
LONGEST_SPAN = timedelta(days=32)
HAPPENED_THEN = 200
"""Stretches of time that are searched by themselves, how long they may be, and what is read."""


def worded(asking: Asking) -> Sequence[Hit]:
    """Return what holds words of the question, best first."""
    if "words" in asking.tuning.switched_off or not asking.words:
        return ()
    return asking.unit.projection.by_words(
        asking.asker, asking.words, asking.standpoint,
        types=asking.question.types, limit=POOL * asking.deeper,
    )  # fmt: skip


def gathered(asking: Asking, hits: Sequence[Hit]) -> list[Candidate]:
    """Return the candidates with their own and their context's words and meaning.

    `hits` are those by words.
    """
    found = {
        hit.memory.id: Candidate(hit.memory, words=hit.score, matched=hit.matched) for hit in hits
    }
    lists = [list(found)]
    if asking.asked is not None:
        near = asking.unit.enrichment.by_meaning(
            asking.asker, asking.model, asking.asked, asking.standpoint,
            types=asking.question.types, limit=POOL * asking.deeper,
        )  # fmt: skip
        lists.append([memory.id for memory, _ in near])
        for memory, cosine in near:
            found.setdefault(memory.id, Candidate(memory)).meaning = cosine
    then = _then(asking)
    lists.append([memory.id for memory in then])
    for memory in then:
        found.setdefault(memory.id, Candidate(memory))
    chosen = [found[memory_id] for memory_id in fused(lists, LOOKED_AT * asking.deeper)]
    archived = _looked_back(asking)
    chosen += _beside(asking, chosen)
    chosen += archived
    fill(asking, chosen, look_twice=True)
    return chosen


def looks_back(asking: Asking) -> bool:
    """Return whether an answer may point to the archive; a deep one holds it anyway."""
    return asking.question.view is View.CURRENT and asking.policy.looks_back


def _looked_back(asking: Asking) -> list[Candidate]:
    """Return what stands in the archive and is among the best of everything there is."""
    if not looks_back(asking):
        return []
    unit, asker, off, types = (
        asking.unit, asking.asker, asking.tuning.switched_off, asking.question.types,
    )  # fmt: skip
    deep = replace(asking.standpoint, view=View.DEEP)
    if not unit.projection.listing(asker, deep, limit=1, statuses=[Status.ARCHIVED]):
        return []
    found: dict[str, Candidate] = {}
    if "words" not in off and asking.words:
        for hit in unit.projection.by_words(
            asker, asking.words, deep, types=types, limit=LOOKED_BACK_AT
        ):
            if hit.memory.status is Status.ARCHIVED:
                found[hit.memory.id] = Candidate(
                    hit.memory, words=hit.score, matched=hit.matched, archived=True
                )
    if asking.asked is not None:
        for memory, cosine in unit.enrichment.by_meaning(
            asker, asking.model, asking.asked, deep, types=types, limit=LOOKED_BACK_AT
        ):
            if memory.status is Status.ARCHIVED:
                found.setdefault(memory.id, Candidate(memory, archived=True)).meaning = cosine
    return list(found.values())


def _then(asking: Asking) -> list[Memory]:
    """Return what happened when the question asks about and comes closest to it.

    Words for a thing are many ("a kitchen appliance") where its day is one.
    """
    if "time" in asking.tuning.switched_off or asking.standpoint.view is not View.CURRENT:
        return []
    found: dict[str, Memory] = {}
    for span in asked_spans(asking)[:SPANS_SEARCHED]:
        if span.end - span.start <= LONGEST_SPAN:
            happened = asking.unit.projection.happened(
                asking.asker, span.start, span.end, HAPPENED_THEN
            )
            found |= {each.id: each for each in happened}
    types = asking.question.types
    then = [each for each in found.values() if not types or each.type in types]
    fit = _fit(asking, then)
    return sorted(then, key=lambda each: (-fit[each.id], each.id))[:POOL]


def _fit(asking: Asking, memories: Sequence[Memory]) -> Mapping[str, float]:
    if not memories:
        return {}
    if asking.asked is None:
        texts = [[each.content] for each in memories]
        (scores,) = asking.unit.projection.word_scores(asking.asker, asking.words, [texts])
        return dict(zip((each.id for each in memories), scores, strict=True))
    ids = [each.id for each in memories]
    vectors = asking.unit.enrichment.vectors_of(asking.asker, asking.model, ids)
    return {each: float(vectors[each] @ asking.asked) if each in vectors else 0.0 for each in ids}


def _beside(asking: Asking, chosen: list[Candidate]) -> list[Candidate]:
    """Return what happened right beside the best candidates: an answer follows its question."""
    if "around" in asking.tuning.switched_off:
        return []
    best = [each.memory for each in chosen[:BESIDE]]
    around = asking.unit.projection.around(asking.asker, best, STEPS_BESIDE)
    there = {each.memory.id for each in chosen}
    ids = dict.fromkeys(each.id for nears in around.values() for each in nears)
    return [Candidate(memory) for memory in may_answer(asking, [i for i in ids if i not in there])]
