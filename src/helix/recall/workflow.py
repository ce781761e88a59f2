"""Answering a question, step by step; `finding` and `filling` are the steps that read most.

plan → candidates by words, while the question is embedded, then by meaning → fused choice → a
     look into the archive → what speaks for each → spreading over the graph → ranking →
     rereading, if set up → an answer, or an abstention
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from helix.model.edge import FOLLOWS
from helix.model.life import Use
from helix.model.memory import Memory, Status
from helix.model.question import Question, View
from helix.model.recollection import Abstained, LeftOut, Reason, Recollection
from helix.model.scope import Realm
from helix.ports.embedder import Embedder, EmbedderUnreachable
from helix.ports.reranker import Reranker, RerankerUnavailable
from helix.ports.store import Unit
from helix.recall import abstention
from helix.recall.answering import answer
from helix.recall.asking import Asking, may_answer, session_of
from helix.recall.fading import asks_for_the_latest, has_faded, with_few_pointers
from helix.recall.filling import fill
from helix.recall.finding import POOL, gathered, looks_back, worded
from helix.recall.intent import EDGE_WEIGHTS, intent
from helix.recall.meanwhile import Meanwhile
from helix.recall.naming import names_something
from helix.recall.planning import asked_words, planned, standpoint
from helix.recall.quoting import repeatable
from helix.recall.reranking import READ_AGAIN, reordered
from helix.recall.scoring import Tuning, ranked
from helix.recall.screening import LOOKED_AT, shown
from helix.recall.signals import Candidate
from helix.recall.since_then import tellable
from helix.recall.spreading import RAREST_SHARED, SEEDS, spread, weight_of_name
from helix.recall.timeliness import in_time
from helix.recall.vitality import enliven
from helix.rules.policy import HELIX, Policy
from helix.rules.screening.again import doubt_of, noted
from helix.rules.validity import answers

SECOND = 0.1
"""What the second best of a session adds to the best, at most."""

PAST_SHOWN = 10
"""Memories of the past that an explanation names."""

REACHED_AT_MOST = 40
"""Memories that only the graph leads to."""

ROOM = 3
"""Times the memories asked for that are looked over, since some say the same twice."""


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
    unseen: frozenset[Status] = frozenset(),
) -> Recollection:
    """Return what memory holds for a question, best first, or why it does not know.

    `now` must not lie before the newest record, or what was just corrected would still
    seem to hold. Where the embedder's server cannot be reached, words alone are searched for.
    What stands at an `unseen` status by now does not answer, whatever was believed of it before.
    """
    question = planned(question)
    latest = asks_for_the_latest(question.text)
    share = policy.archived_share_now if latest else policy.archived_share
    tuning = replace(tuning or Tuning(), archived_share=share)
    asking = Asking(
        unit, asker, question, standpoint(question, now), asked_words(question), now, tuning,
        policy, unseen=unseen,
    )  # fmt: skip
    by_meaning = embedder is not None and "meaning" not in tuning.switched_off
    if not asking.words and not by_meaning:
        return Abstained(question, asker.scope, "the question has no words to look for")
    if embedder is not None and by_meaning:
        compare, read = unit.enrichment.ahead(asker, embedder.name), embedder.embed_with_words
        asked = Meanwhile(lambda: read([question.text])[0], then=lambda made: compare(made.vector))
        hits = worded(asking)
        try:
            made = asked.result()
        except EmbedderUnreachable as away:
            from helix.rules.secrets.redacting import redacted  # noqa: PLC0415 - seldom needed

            # An answer by words is better than none, and it tells what it goes without.
            found = recall(
                unit, asker, question, now,
                tuning=tuning, reranker=reranker, policy=policy, unseen=unseen,
            )  # fmt: skip
            return replace(found, words_only=redacted(away.message))
        asking = replace(
            asking, model=embedder.name, asked=made.vector, said=made,
            embed=embedder.embed if embedder.at_hand else None,
        )  # fmt: skip
    else:
        hits = worded(asking)
    candidates = gathered(asking, hits)
    if not candidates:
        return Abstained(question, asker.scope, "nothing here speaks of it")
    uses = enlivened(asking, candidates)
    order = in_order(asking, candidates)
    added = linked(asking, order)
    if added is not None:
        uses = {**uses, **enlivened(asking, added)}
        order = in_order(asking, [*candidates, *added])
    return answered(asking, reread(asking, order, reranker), uses)


def enlivened(asking: Asking, candidates: Sequence[Candidate]) -> Mapping[str, tuple[Use, ...]]:
    """Note on candidates how alive they are; return how they were used."""
    lives, by_nine = asking.unit.lives, asking.policy.ranker == "nine_factor"
    ids = [each.memory.id for each in candidates]
    uses = lives.uses_of(asking.asker, ids)
    degrees = lives.degrees(asking.asker, ids) if by_nine else {}
    wholly = asking.tuning.ranker != "evidence"
    enliven(candidates, uses, asking.now, asking.policy, degrees, wholly=wholly)
    return uses


def in_order(asking: Asking, candidates: Sequence[Candidate]) -> list[tuple[float, Candidate]]:
    """Return the candidates best first, each with its score."""
    return ranked(
        candidates,
        asking.now,
        asking.tuning,
        in_time=in_time(asking, candidates),
        asked_at=asking.question.asked_at,
        weights=asking.weights,
    )


def linked(asking: Asking, order: Sequence[tuple[float, Candidate]]) -> Sequence[Candidate] | None:
    """Let the best hand on weight, and return what only the graph leads to; None if nowhere."""
    # A session is spoken of by what is in it; what it leads to is another one.
    if "linked" in asking.tuning.switched_off or asking.question.by_session:
        return None
    seeds = {each.memory.id: score for score, each in order[:SEEDS]}
    graph = _graph(asking, list(seeds))
    reached = spread(seeds, graph)
    if not reached:
        return None
    most = max(reached.values())
    known = {each.memory.id: each for _, each in order}
    strangers = sorted(reached.keys() - known.keys(), key=lambda each: (-reached[each], each))
    added = [
        Candidate(memory, archived=memory.status is Status.ARCHIVED and looks_back(asking))
        # A summary leads to the episodes behind it, wherever they stand.
        for memory in may_answer(asking, strangers[:REACHED_AT_MOST], past=looks_back(asking))
    ]
    known.update((each.memory.id, each) for each in added)
    fill(asking, added)
    for memory_id, weight in reached.items():
        if memory_id in known:
            known[memory_id].linked = weight / most
    return added


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


def answered(
    asking: Asking,
    order: Sequence[tuple[float, Candidate]],
    uses: Mapping[str, tuple[Use, ...]],
) -> Recollection:
    """Return the best of the order, or an abstention if the best does not convince."""
    unit, asker = asking.unit, asking.asker
    if asking.question.by_session:
        order = best_of_sessions(order)
    room = ROOM * max(1, asking.question.limit)
    if asking.standpoint.believed_on is None:
        order = repeatable(
            order,
            max(room, LOOKED_AT),
            lambda memory_id: unit.projection.memory(asker, memory_id),
            lambda position: unit.projection.born_at(asker.tenant, position),
        )
    else:
        seen = _seen_since(asking, [each.memory for _, each in order])
        order = [each for each in order if each[1].memory.id in seen]
    order = shown(
        order,
        room,
        lambda memory_id: unit.projection.neighbours(asker, memory_id),
        lambda memory_id: unit.projection.memory(asker, memory_id),
    )
    if not order:
        return Abstained(asking.question, asker.scope, "what speaks of it waits for review")
    order = with_few_pointers(order, asking.question.limit, asking.words)
    if not order:
        return Abstained(asking.question, asker.scope, "nothing here speaks of it")
    if asking.tuning.ranker == "evidence":
        enliven((each for _, each in order), uses, asking.now, asking.policy)
    # What the archive may know makes nobody surer of what is current.
    current = [each for _, each in order if not each.archived]
    sure = abstention.confidence(asking.words, current[0], current) if current else 0.0
    if asking.tuning.ranker == "evidence" and "words" not in asking.tuning.switched_off:
        order = abstention.speaking(order)
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
        of_session.setdefault(session_of(entry[1]) or f" {entry[1].memory.id}", []).append(entry)
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
    seen = _seen_since(asking, past)
    doubted = [noted(each, doubt_of(each)) for each in past if each.id in seen]
    told = [each for each in doubted if not (each.belief.suspicion and each.belief.suspicion.held)]
    return [LeftOut(each, _why_not(each), each.belief.superseded_by) for each in told[:PAST_SHOWN]]


def _seen_since(asking: Asking, memories: Sequence[Memory]) -> frozenset[str]:
    """Return the ids of those memories that are not kept from whoever asks by now."""
    unit, asker = asking.unit, asking.asker
    if asking.standpoint.believed_on is None or not asking.unseen:
        return frozenset(each.id for each in memories)
    return tellable(
        memories,
        asking.unseen,
        lambda memory_ids: unit.projection.memories(asker, memory_ids),
        lambda position: unit.projection.born_at(asker.tenant, position),
    )


def _why_not(memory: Memory) -> Reason:
    if memory.status is Status.SUPERSEDED:
        return Reason.SUPERSEDED
    return Reason.ARCHIVED if memory.status is Status.ARCHIVED else Reason.ENDED


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
