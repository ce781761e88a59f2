"""Looking around without a question: about a thing, around a moment, before work begins."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from helix.app.bounds import bounded
from helix.app.context import Context
from helix.app.withholding import memories_as_seen
from helix.capture.admission import readable
from helix.model.edge import Edge
from helix.model.errors import BadInput
from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.moment import moved
from helix.model.question import Standpoint, View
from helix.model.types import EPISODE
from helix.ports.store import Unit
from helix.recall.briefing import Briefing, brief
from helix.recall.planning import LEAST_BUDGET
from helix.rules.entities import KINDS, Entity, entities, key
from helix.rules.screening.again import doubt_of
from helix.rules.validity import answers

SPAN = timedelta(days=3)
"""How far before and after a moment is looked."""

EPISODES_IN_BRIEF = 20
CONCLUSIONS_IN_BRIEF = 300
MOST_ABOUT = 1_000
NAMES_BESIDE = 12
BRIEF = 800
"""Tokens of a briefing."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is held about a thing, what else those memories name, and the edges at them."""

    scope: str
    entity: str
    memories: tuple[Memory, ...]
    beside: tuple[tuple[str, int], ...]
    edges: tuple[Edge, ...]


class Looking:
    """Views of memory that need no question."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def about(self, name: str, limit: int = 20) -> Neighbourhood:
        """Return the neighbourhood of a person, file, package, command, code or identifier."""
        asker = self._context.realm
        asked = readable(name)
        if not asked:
            raise BadInput("nothing is named", code="empty_content", remedy="name a thing")
        with self._context.store.reading() as unit:
            ids = _mentioning(self._context, unit, asked)
            found = [unit.projection.memory(asker, each) for each in ids]
            now = Standpoint(View.CURRENT, self._context.now(unit))
            answering = [each for each in found if each is not None and answers(each, now)]
            held = memories_as_seen(self._context.source, answering)
            held.sort(key=lambda each: (each.type == EPISODE, -each.importance, -each.position))
            shown = held[: bounded(limit)]
            named = unit.enrichment.entities_of(asker, [each.id for each in held])
            own = set(_keys(asked))
            beside = Counter(one for names in named.values() for one in names if one not in own)
            edges = {
                edge.id: edge
                for each in shown
                for edge in unit.projection.neighbours(asker, each.id)
            }
        return Neighbourhood(
            asker.scope,
            asked,
            tuple(shown),
            tuple(beside.most_common(NAMES_BESIDE)),
            tuple(edges.values()),
        )

    def around(self, where: str | datetime, limit: int = 20) -> tuple[Memory, ...]:
        """Return what happened around a moment, or around an episode by its id, in order."""
        asker = self._context.realm
        with self._context.store.reading() as unit:
            if isinstance(where, str):
                moment = self._context.visible(unit, where).belief.valid_from
            else:
                moment = where
            half = bounded(limit) // 2 + 1
            since, until = moved(moment, -SPAN), moved(moment, SPAN)
            before = unit.projection.happened(asker, since, moment, 2 * half)
            after = unit.projection.happened(asker, moment, until, 2 * half)
        source = self._context.source
        before, after = memories_as_seen(source, before), memories_as_seen(source, after)
        return (*before[-half:], *after[:half])[: bounded(limit)]

    def briefing(self, budget: int = BRIEF) -> Briefing:
        """Return what to know before work begins here, within a budget of tokens."""
        if budget < LEAST_BUDGET:
            raise BadInput(
                f"a briefing does not fit into {budget} tokens",
                code="budget_too_small",
                remedy=f"allow {LEAST_BUDGET} or more",
            )
        asker = self._context.realm
        with self._context.store.reading() as unit:
            now = Standpoint(View.CURRENT, self._context.now(unit))
            concluded = [kind.name for kind in self._context.schema if kind.name != EPISODE]
            held = unit.projection.listing(asker, now, types=concluded, limit=CONCLUSIONS_IN_BRIEF)
            lately = unit.projection.listing(asker, now, types=[EPISODE], limit=EPISODES_IN_BRIEF)
        # A briefing is told unasked, before anybody could doubt it: what is in doubt stays out.
        undoubted = [each for each in (*held, *lately) if each.belief.suspicion is None]
        return brief(asker.scope, undoubted, budget, lambda each: doubt_of(each) is None)


def _mentioning(context: Context, unit: Unit, name: str) -> list[str]:
    found = unit.enrichment.mentioning(context.realm, _keys(name), MOST_ABOUT)
    ids = dict.fromkeys(each for ids in found.values() for each in ids)
    if not ids:
        # Not enriched yet, or a thing that nothing but its words gives away.
        standpoint = Standpoint(View.CURRENT, context.clock.now())
        hits = unit.projection.by_words(context.realm, [name.replace('"', " ")], standpoint)
        ids = dict.fromkeys(hit.memory.id for hit in hits)
    return list(ids)


def _keys(name: str) -> list[str]:
    spelled = [key(each) for each in entities(name)]
    return list(dict.fromkeys([*spelled, *(key(Entity(kind, name)) for kind in KINDS)]))
