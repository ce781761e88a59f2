"""What every conclusion must pass before it is applied, whoever drew it.

A gate returns why a conclusion is refused, or nothing. Gates know nothing of the pass: a
model's conclusion goes through the same ones as a heuristic's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from helix.model.changes import DropEdge, DropMemory, PutEdge, PutMemory, Rate, Suspect
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night, Passed
from helix.model.provenance import Origin
from helix.model.types import EPISODE
from helix.rules.concluded import is_concluded
from helix.rules.influence import is_users
from helix.rules.screening.again import doubt_of
from helix.rules.stems import reduced
from helix.rules.turns import is_heard
from helix.rules.values import values

MOST_PER_PASS = 2_000
"""Conclusions that one pass may have applied in one run; the rest waits for the next."""

FEWEST_SOURCES = 2
"""Independent sources that vouch for what no person said."""

WORDS_GROUNDED = 0.5
"""Share of a worded conclusion's telling words that its grounds must hold."""

_STATING = (Decision.ADD, Decision.UPDATE, Decision.SUPERSEDE)

Gate = Callable[[Conclusion, "Known"], str]


@dataclass(frozen=True)
class Known:
    """A night as gates look at it: everything it holds, by id."""

    night: Night
    memories: dict[str, Memory]

    @classmethod
    def of(cls, night: Night) -> Known:
        """Return what a night holds, episodes and all."""
        return cls(night, {each.id: each for each in night.episodes} | dict(night.held))


def cites_what_exists(conclusion: Conclusion, known: Known) -> str:
    """Refuse what cites nothing, or something that is not there or not in this realm."""
    if not conclusion.grounds:
        return "it cites nothing"
    for memory_id in conclusion.grounds:
        ground = known.memories.get(memory_id)
        if ground is None:
            return f"it cites {memory_id}, which is not there"
        if ground.realm != known.night.realm:
            return f"it cites {memory_id}, which is elsewhere"
    return ""


def stays_here(conclusion: Conclusion, known: Known) -> str:
    """Refuse what would touch another realm."""
    for change in conclusion.changes:
        realm = _realm(change)
        if realm is not None and realm != known.night.realm:
            return "it would touch another realm"
    return ""


def deletes_nothing(conclusion: Conclusion, known: Known) -> str:
    """Refuse to take anything out, except a conclusion whose grounds were erased."""
    for change in conclusion.changes:
        if (
            isinstance(change, DropMemory | DropEdge)
            and conclusion.decision is not Decision.WITHDRAW
        ):
            return "it would delete"
        if isinstance(change, DropMemory):
            held = known.memories.get(change.memory_id)
            if held is not None and not is_concluded(held):
                return "it would delete what somebody else wrote"
    return ""


def leaves_content_alone(conclusion: Conclusion, known: Known) -> str:
    """Refuse to rewrite what is held: content never changes, and episodes not at all."""
    for change in conclusion.changes:
        if isinstance(change, PutMemory):
            held = known.memories.get(change.memory.id)
            if held is not None and (held.content != change.memory.content or held.type == EPISODE):
                return f"it would rewrite {held.id}"
    return ""


def is_vouched_for(conclusion: Conclusion, known: Known) -> str:
    """Refuse to promote what only one agent's session says.

    A person's word is enough: their own, or as a door itself heard it. That a text or an agent
    says who spoke is not. Otherwise two sources that do not depend on each other are needed:
    other sessions, or other agents.
    """
    if conclusion.decision not in (Decision.ADD, Decision.SUPERSEDE):
        return ""
    grounds = [known.memories[each] for each in conclusion.grounds]
    if any(_by_a_person(each) for each in grounds):
        return ""
    if len({_source(each) for each in grounds}) >= FEWEST_SOURCES:
        return ""
    return "only one agent's session vouches for it"


def rests_on_nothing_suspected(conclusion: Conclusion, known: Known) -> str:
    """Refuse to make an unmarked statement of what is marked."""
    if conclusion.decision not in _STATING:
        return ""
    for each in conclusion.grounds:
        if known.memories[each].belief.suspicion is not None:
            return f"{each} is under suspicion"
    return ""


def gives_no_orders(conclusion: Conclusion, known: Known) -> str:
    """Refuse words that would not pass as an agent's: pieces may be harmless, and the whole not."""
    if conclusion.decision not in _STATING:
        return ""
    for change in conclusion.changes:
        if not isinstance(change, PutMemory) or change.memory.id in known.memories:
            continue
        if doubt_of(change.memory) is not None:
            return "its words read like orders to an agent"
    return ""


def overwrites_nothing_stronger(conclusion: Conclusion, known: Known) -> str:
    """Refuse to supersede a person's word on an agent's, or anything pinned."""
    if conclusion.decision is not Decision.SUPERSEDE:
        return ""
    grounds = [known.memories[each] for each in conclusion.grounds]
    by_user = any(_origin(each) is Origin.USER_ASSERTED for each in grounds)
    for change in conclusion.changes:
        if isinstance(change, PutMemory) and change.memory.status is Status.SUPERSEDED:
            held = known.memories.get(change.memory.id)
            if held is None:
                continue
            if held.belief.pinned:
                return f"{held.id} is pinned"
            if _origin(held) is Origin.USER_ASSERTED and not by_user:
                return f"{held.id} is a person's word"
    return ""


def says_no_more_than_its_grounds(conclusion: Conclusion, known: Known) -> str:
    """Refuse a value that no ground names, and a sentence most of whose words no ground holds."""
    new = [
        change.memory
        for change in conclusion.changes
        if isinstance(change, PutMemory) and change.memory.id not in known.memories
    ]
    if not new:
        return ""
    grounds = [known.memories[each].content for each in conclusion.grounds]
    grounds += [str(each.attributes.get("base", "")) for each in new]
    return next(filter(None, (unsaid(each.content, grounds) for each in new)), "")


def unsaid(content: str, grounds: Sequence[str]) -> str:
    """Return what a text says that no ground does; "" if there is nothing."""
    said = {word for text in grounds for word in reduced(text)}
    named = {value.key for text in grounds for value in values(text)}
    words_said = reduced(content)
    if sum(word in said for word in words_said) < WORDS_GROUNDED * len(words_said):
        return "most of its words are in no ground"
    for value in values(content):
        words = set(reduced(value.key)) or {value.key}
        if value.key not in named and not words <= said:
            return f"it names {value.key}, which no ground does"
    return ""


def was_not_taken_back(conclusion: Conclusion, known: Known) -> str:
    """Refuse what a person reverted before."""
    return "a person reverted it" if conclusion.key in known.night.refused else ""


GATES: tuple[Gate, ...] = (
    cites_what_exists,
    stays_here,
    deletes_nothing,
    leaves_content_alone,
    is_vouched_for,
    rests_on_nothing_suspected,
    gives_no_orders,
    overwrites_nothing_stronger,
    was_not_taken_back,
)

SUMMARY_GATES: tuple[Gate, ...] = tuple(
    gate for gate in GATES if gate not in (is_vouched_for, rests_on_nothing_suspected)
)
"""For what says what happened, in the words of those who say so: that needs no second source.

It is not promoted: it is believed as little as one of its grounds, and grounds nothing else. Of
what is under suspicion it may say that it happened, and quotes nothing.
"""

STRICT_GATES: tuple[Gate, ...] = (*GATES, says_no_more_than_its_grounds)
"""For conclusions that a model worded: extractive ones say nothing new by construction."""


def gated(
    findings: Findings, night: Night, gates: Sequence[Gate] = GATES, most: int = MOST_PER_PASS
) -> tuple[list[Conclusion], list[Passed]]:
    """Return the conclusions that pass every gate, and what was refused and why.

    A conclusion may cite what an earlier one of the same pass concluded.
    """
    known = Known.of(night)
    kept: list[Conclusion] = []
    refused: list[Passed] = []
    for conclusion in findings.conclusions:
        why = next(filter(None, (gate(conclusion, known) for gate in gates)), "")
        if not why and len(kept) >= most:
            why = f"more than {most:,} in one pass; the next run goes on"
        if why:
            refused.append(Passed(conclusion.key or conclusion.why, why))
            continue
        kept.append(conclusion)
        for change in conclusion.changes:
            if isinstance(change, PutMemory):
                known.memories[change.memory.id] = change.memory
    return kept, refused


def _realm(change: object) -> object:
    match change:
        case PutMemory(memory):
            return memory.realm
        case PutEdge(edge):
            return edge.realm
        case DropMemory(realm, _) | DropEdge(realm, _) | Rate(realm, _, _, _):
            return realm
        case Suspect(realm=realm):
            return realm
        case _:
            return None


def _origin(memory: Memory) -> Origin:
    origins = {each.source.origin for each in memory.belief.provenance}
    return Origin.USER_ASSERTED if origins == {Origin.USER_ASSERTED} else Origin.AGENT_INGESTED


def _by_a_person(memory: Memory) -> bool:
    return is_users(memory) or (memory.type == EPISODE and is_heard(memory))


def _source(memory: Memory) -> tuple[str, str]:
    around = memory.circumstances
    if around is None:
        return ("", memory.id)
    # Without a session, a day of one agent's work counts as one source.
    return around.agent, around.session or memory.recorded_at.date().isoformat()
