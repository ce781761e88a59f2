"""Answering a question, step by step: the only module here that touches a port.

plan → candidates by words, by meaning → fused choice → a look into the archive → what speaks
     for each → spreading over the graph → ranking → rereading, if set up → an answer, or an
     abstention
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from helix.model.edge import FOLLOWS
from helix.model.frozen import dataclass
from helix.model.memory import Memory, Status
from helix.model.question import Question, Standpoint, View
from helix.model.recollection import Abstained, LeftOut, Reason, Recollection
from helix.model.scope import Realm
from helix.ports.embedder import Embedder
from helix.ports.projection import Beside
from helix.ports.reranker import Reranker, RerankerUnavailable
from helix.ports.store import Unit
from helix.recall import abstention
from helix.recall.answering import answer
from helix.recall.fading import LOOKED_BACK_AT, asks_for_the_latest, has_faded, with_few_pointers
from helix.recall.fusion import fused
from helix.recall.intent import EDGE_WEIGHTS, intent
from helix.recall.naming import asked_names, asked_role, named, names_something
from helix.recall.planning import asked_words, planned, standpoint
from helix.recall.reranking import READ_AGAIN, reordered
from helix.recall.scoring import OF_MEMORIES, OF_SESSIONS, Tuning, Weights, ranked
from helix.recall.screening import shown
from helix.recall.signals import Candidate, context_share
from helix.recall.spreading import RAREST_SHARED, SEEDS, spread, weight_of_name
from helix.recall.time_words import Span, spans
from helix.recall.vitality import enliven
from helix.rules.entities import entities
from helix.rules.policy import HELIX, Policy
from helix.rules.validity import answers

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors

POOL = 60
"""Candidates that each way of finding puts forward."""

LOOKED_AT = 80
"""Candidates whose signals are all worked out."""

SESSIONS_DEEPER = 2
"""How many times as many where sessions are asked for, each of which has several."""

REACH = 3
"""Episodes before and after that count as an episode's context."""

SECOND = 0.1
"""What the second best of a session adds to the best, at most."""

WHOLE_SESSION = 60
"""The same, where the session is asked for."""

AROUND_SHARE = 0.6
"""How much a neighbour's vector adds to an episode's own, halved with each step away."""

BESIDE = 40
"""Candidates whose neighbours become candidates too."""

STEPS_BESIDE = 2
"""How far away such neighbours may be."""

SPANS_SEARCHED = 2
LONGEST_SPAN = timedelta(days=32)
HAPPENED_THEN = 200
"""Stretches of time that are searched by themselves, how long they may be, and what is read."""

PAST_SHOWN = 10
"""Memories of the past that an explanation names."""

REACHED_AT_MOST = 40
"""Memories that only the graph leads to."""

ROOM = 3
"""Times the memories asked for that are looked over, since some say the same twice."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question being answered: everything the steps share."""

    unit: Unit
    asker: Realm
    question: Question
    standpoint: Standpoint
    words: tuple[str, ...]
    now: datetime
    tuning: Tuning
    policy: Policy = HELIX
    model: str = ""
    asked: Vectors | None = None

    @property
    def deeper(self) -> int:
        """How many times as many candidates as usual."""
        return SESSIONS_DEEPER if self.question.by_session else 1

    @property
    def weights(self) -> Weights:
        """What each signal counts for what is asked for."""
        return OF_SESSIONS if self.question.by_session else OF_MEMORIES


def recall(
    unit: Unit,
    asker: Realm,
    question: Question,
    now: datetime,
    *,
    embedder: Embedder | None = None,
    tuning: Tuning | None = None,
    reranker: Reranker | None = None,
    policy: Policy = HELIX,
) -> Recollection:
    """Return what memory holds for a question, best first, or why it does not know.

    `now` must not lie before the newest record, or what was just corrected would still
    seem to hold.
    """
    question = planned(question)
    latest = asks_for_the_latest(question.text)
    share = policy.archived_share_now if latest else policy.archived_share
    tuning = replace(tuning or Tuning(), archived_share=share)
    asking = Asking(
        unit, asker, question, standpoint(question, now), asked_words(question), now, tuning, policy
    )
    if embedder is not None and "meaning" not in tuning.switched_off:
        asked = embedder.embed([question.text])[0]
        asking = replace(asking, model=embedder.name, asked=asked)
    if not asking.words and asking.asked is None:
        return Abstained(question, asker.scope, "the question has no words to look for")
    candidates = gathered(asking)
    if not candidates:
        return Abstained(question, asker.scope, "nothing here speaks of it")
    linked(asking, candidates)
    ids = [each.memory.id for each in candidates]
    uses = unit.lives.uses_of(asker, ids)
    degrees = unit.lives.degrees(asker, ids) if policy.ranker == "nine_factor" else {}
    enliven(candidates, uses, now, policy, degrees)
    order = ranked(
        candidates,
        now,
        asking.tuning,
        in_time=in_time(asking, candidates),
        asked_at=question.asked_at,
        weights=asking.weights,
    )
    return answered(asking, reread(asking, order, reranker))


def gathered(asking: Asking) -> list[Candidate]:
    """Return the candidates with their own and their context's words and meaning."""
    unit, asker, off = asking.unit, asking.asker, asking.tuning.switched_off
    found: dict[str, Candidate] = {}
    lists: list[list[str]] = []
    types = asking.question.types
    if "words" not in off and asking.words:
        hits = unit.projection.by_words(
            asker, asking.words, asking.standpoint, types=types, limit=POOL * asking.deeper
        )
        lists.append([hit.memory.id for hit in hits])
        for hit in hits:
            found[hit.memory.id] = Candidate(hit.memory, words=hit.score, matched=hit.matched)
    if asking.asked is not None:
        near = unit.enrichment.by_meaning(
            asker, asking.model, asking.asked, asking.standpoint, types=types,
            limit=POOL * asking.deeper,
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
    _fill(asking, chosen)
    return chosen


def _looks_back(asking: Asking) -> bool:
    """Return whether an answer may point to the archive; a deep one holds it anyway."""
    return asking.question.view is View.CURRENT and asking.policy.looks_back


def _looked_back(asking: Asking) -> list[Candidate]:
    """Return what stands in the archive and is among the best of everything there is."""
    if not _looks_back(asking):
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
        scores = asking.unit.projection.word_scores(asking.asker, asking.words, texts)
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
    return [Candidate(memory) for memory in _answering(asking, [i for i in ids if i not in there])]


def linked(asking: Asking, candidates: list[Candidate]) -> None:
    """Let the best candidates hand on weight, and take in what only the graph leads to."""
    # A session is spoken of by what is in it; what it leads to is another one.
    if "linked" in asking.tuning.switched_off or asking.question.by_session:
        return
    order = ranked(
        candidates,
        asking.now,
        asking.tuning,
        asked_at=asking.question.asked_at,
        weights=asking.weights,
    )
    seeds = {each.memory.id: score for score, each in order[:SEEDS]}
    graph = _graph(asking, list(seeds))
    reached = spread(seeds, graph)
    if not reached:
        return
    most = max(reached.values())
    known = {each.memory.id: each for each in candidates}
    strangers = sorted(reached.keys() - known.keys(), key=lambda each: (-reached[each], each))
    added = [
        Candidate(memory, archived=memory.status is Status.ARCHIVED and _looks_back(asking))
        # A summary leads to the episodes behind it, wherever they stand.
        for memory in _answering(asking, strangers[:REACHED_AT_MOST], past=_looks_back(asking))
    ]
    known.update((each.memory.id, each) for each in added)
    _fill(asking, added)
    candidates += added
    for memory_id, weight in reached.items():
        if memory_id in known:
            known[memory_id].linked = weight / most


def in_time(asking: Asking, candidates: Sequence[Candidate]) -> set[str]:
    """Return the ids of candidates that happened when the question asks about."""
    asked = asked_spans(asking)
    return {each.memory.id for each in candidates if any(_within(each.memory, s) for s in asked)}


def asked_spans(asking: Asking) -> Sequence[Span]:
    """Return the stretches of time that the question speaks of, seen from when it was asked."""
    return spans(asking.question.text, asking.question.asked_at or asking.now)


def reread(
    asking: Asking, order: Sequence[tuple[float, Candidate]], reranker: Reranker | None
) -> Sequence[tuple[float, Candidate]]:
    """Let a reranker, if there is one, put the best in order; without it the order stands."""
    if reranker is None:
        return order
    texts = [each.memory.content for _, each in order[:READ_AGAIN]]
    try:
        return reordered(order, reranker.scores(asking.question.text, texts))
    except RerankerUnavailable:
        # An answer in the second-best order is better than none; `helix doctor` tells of it.
        return order


def answered(asking: Asking, order: Sequence[tuple[float, Candidate]]) -> Recollection:
    """Return the best of the order, or an abstention if the best does not convince."""
    unit, asker = asking.unit, asking.asker
    if asking.question.by_session:
        order = best_of_sessions(order)
    order = shown(
        order,
        ROOM * max(1, asking.question.limit),
        lambda memory_id: unit.projection.neighbours(asker, memory_id),
        lambda memory_id: unit.projection.memory(asker, memory_id),
    )
    if not order:
        return Abstained(asking.question, asker.scope, "what speaks of it waits for review")
    order = with_few_pointers(order, asking.question.limit, asking.words)
    if not order:
        return Abstained(asking.question, asker.scope, "nothing here speaks of it")
    # What the archive may know makes nobody surer of what is current.
    best = next((each for _, each in order if not each.archived), None)
    sure = 0.0 if best is None else abstention.confidence(asking.words, best)
    found = answer(
        asking.question,
        asking.asker.scope,
        order,
        confidence=sure,
        abstains=asking.tuning.abstains and sure < abstention.THRESHOLD,
        faded=lambda each: has_faded(each, asking.policy) and asking.question.view is View.CURRENT,
        words=asking.words,
    )
    if not asking.question.explain:
        return found
    pointed = {each.memory.id for each in found.archived}
    past = [each for each in _past(asking) if each.memory.id not in pointed]
    return replace(found, left_out=(*found.left_out, *past))


def best_of_sessions(
    order: Sequence[tuple[float, Candidate]],
) -> Sequence[tuple[float, Candidate]]:
    """Return the best of each session; what belongs to none stands for itself.

    A second memory that speaks of it speaks for its session.
    """
    if not order:
        return order
    most, least = order[0][0], order[-1][0]
    of_session: dict[str, list[tuple[float, Candidate]]] = {}
    for entry in order:
        of_session.setdefault(_session(entry[1]) or f" {entry[1].memory.id}", []).append(entry)
    best = [
        (entries[0][0] + sum(SECOND * (entry[0] - least) / (most - least or 1.0)
         for entry in entries[1:2]), entries[0][1])
        for entries in of_session.values()
    ]  # fmt: skip
    return sorted(best, key=lambda entry: -entry[0])


def _past(asking: Asking) -> list[LeftOut]:
    """Return what speaks of it in these words, but holds no more or was put aside."""
    if not asking.words:
        return []
    hits = asking.unit.projection.by_words(
        asking.asker,
        asking.words,
        replace(asking.standpoint, view=View.HISTORY),
        types=asking.question.types,
        limit=POOL,
    )
    past = [hit.memory for hit in hits if not answers(hit.memory, asking.standpoint)]
    return [LeftOut(each, _why_not(each), each.belief.superseded_by) for each in past[:PAST_SHOWN]]


def _why_not(memory: Memory) -> Reason:
    if memory.status is Status.SUPERSEDED:
        return Reason.SUPERSEDED
    return Reason.ARCHIVED if memory.status is Status.ARCHIVED else Reason.ENDED


def _fill(asking: Asking, candidates: list[Candidate]) -> None:
    unit, asker, off = asking.unit, asking.asker, asking.tuning.switched_off
    if not candidates:
        return
    names = asked_names(entities(asking.question.text))
    text, role = asking.question.text.casefold(), asked_role(asking.question.text)
    for each in candidates:
        each.named = named(each.memory, names, text, role)
    around: Mapping[str, Sequence[Beside]] = {}
    if "around" not in off:
        around = unit.projection.around(asker, [each.memory for each in candidates], REACH)
        for each in candidates:
            each.in_context = bool(_session(each)) or each.memory.id in around
    if "words" not in off and asking.words:
        _fill_words(asking, candidates, around)
    if asking.asked is not None:
        _fill_meaning(asking, candidates, around, asking.asked)


def _fill_words(
    asking: Asking, candidates: list[Candidate], around: Mapping[str, Sequence[Beside]]
) -> None:
    def scores(groups: list[list[str]]) -> Sequence[float]:
        return asking.unit.projection.word_scores(asking.asker, asking.words, groups)

    contexts = [
        {each.memory.id: each.memory.content}
        | {near.id: near.content for near in around.get(each.memory.id, ())}
        for each in candidates
    ]
    shares = [context_share(each.memory.content) for each in candidates]
    own = scores([[each.memory.content] for each in candidates])
    beside = scores([list(context.values()) for context in contexts])
    for each, share, alone, together in zip(candidates, shares, own, beside, strict=True):
        each.words, each.words_around = alone, share * together + (1 - share) * alone
    sessions = _sessions(asking, candidates, contexts)
    whole = scores([list(texts.values()) for texts in sessions.values()])
    by_session = dict(zip(sessions, whole, strict=True))
    for each, share in zip(candidates, shares, strict=True):
        # What belongs to no session stands for itself, and must not lose by it.
        session = by_session.get(_session(each), each.words_around)
        if asking.question.by_session:
            each.words_in_session = session
        else:
            each.words_in_session = share * session + (1 - share) * each.words_around


def _sessions(
    asking: Asking, candidates: list[Candidate], contexts: list[dict[str, str]]
) -> dict[str, dict[str, str]]:
    """Return what is known of the candidates' sessions: all of it where sessions are asked for."""
    sessions: dict[str, dict[str, str]] = {}
    for each, context in zip(candidates, contexts, strict=True):
        sessions.setdefault(_session(each), {}).update(context)
    sessions.pop("", None)
    if asking.question.by_session:
        one = {_session(each): each.memory for each in candidates}
        one.pop("", None)
        around = asking.unit.projection.around(asking.asker, list(one.values()), WHOLE_SESSION)
        for session, memory in one.items():
            sessions[session] |= {near.id: near.content for near in around.get(memory.id, ())}
    return sessions


def _fill_meaning(
    asking: Asking,
    candidates: list[Candidate],
    around: Mapping[str, Sequence[Beside]],
    asked: Vectors,
) -> None:
    # Without numpy for whoever asks by words alone.
    from helix.rules.similarity import closeness  # noqa: PLC0415

    ids = {each.memory.id for each in candidates}
    ids |= {near.id for nears in around.values() for near in nears}
    vectors = asking.unit.enrichment.vectors_of(asking.asker, asking.model, sorted(ids))
    row = {memory_id: place for place, memory_id in enumerate(vectors)}
    measured = [each for each in candidates if each.memory.id in row]
    groups = [
        [row[each.memory.id]]
        + [row[near.id] for near in around.get(each.memory.id, ()) if near.id in row]
        for each in measured
    ]
    shares = [AROUND_SHARE * context_share(each.memory.content) for each in measured]
    found = closeness(asked, list(vectors.values()), groups, shares)
    for each, (own, together) in zip(measured, found, strict=True):
        each.vector = vectors[each.memory.id]
        each.meaning, each.meaning_around = own, together


def _session(candidate: Candidate) -> str:
    around = candidate.memory.circumstances
    return around.session if around else ""


def _graph(asking: Asking, seeds: list[str]) -> dict[str, dict[str, float]]:
    unit, asker = asking.unit, asking.asker
    graph: dict[str, dict[str, float]] = {seed: {} for seed in seeds}
    weights = EDGE_WEIGHTS[intent(asking.question.text)]
    # A question that names nothing has nothing to go on from: there, a shared name is chance.
    leads = asking.asked is not None and names_something(asking.question.text)
    held = unit.enrichment.entities_of(asker, seeds) if leads else {}
    # What the question itself says is found by its words; a lead is what it does not say.
    said = asking.question.text.casefold()
    shared = sorted(
        {
            entity
            for names in held.values()
            for entity in names
            if entity.partition(":")[2] not in said
        }
    )
    mentioning = unit.enrichment.mentioning(asker, shared, RAREST_SHARED) if shared else {}
    for seed, names in held.items():
        for name in names:
            others = mentioning.get(name, ())
            tie = weight_of_name(len(others), words=len(name.split()))
            for other in others:
                if tie and other != seed:
                    graph[seed][other] = graph[seed].get(other, 0.0) + tie
    for seed in seeds:
        for edge in unit.projection.neighbours(asker, seed):
            # What stands beside an episode is its context, and counted as such already.
            if edge.relation == FOLLOWS:
                continue
            other = edge.to_id if edge.from_id == seed else edge.from_id
            tie = edge.weight * weights.get(edge.relation, 0.3)
            graph[seed][other] = graph[seed].get(other, 0.0) + tie
    return graph


def _answering(asking: Asking, memory_ids: Sequence[str], *, past: bool = False) -> list[Memory]:
    """Return those of some memories that may answer the question, in their order.

    With `past`, what has stepped back is among them.
    """
    if not memory_ids:
        return []
    projection, seen = asking.unit.projection, asking.standpoint
    if past:
        seen = replace(seen, view=View.DEEP)
    found = projection.memories(asking.asker, memory_ids, seen.believed_on)
    types = asking.question.types
    return [
        memory
        for memory in (found[each] for each in memory_ids if each in found)
        if answers(memory, seen) and (not types or memory.type in types)
    ]


def _within(memory: Memory, span: Span) -> bool:
    at = memory.event_time.start if memory.event_time and memory.event_time.start else None
    at = at or memory.recorded_at
    return span.start <= at < span.end
