"""The pass that looks for one source that took over what questions of one kind lead to.

Its texts are marked, with the evidence, and ranked with less of their relevance like anything
under suspicion; a person decides (`helix review`). Nothing is taken away, and what a person has
vouched for is left alone. Only texts of this realm are compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from helix.model.changes import Suspect
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.model.suspicion import Suspicion
from helix.model.types import EPISODE
from helix.rules.concluded import is_concluded
from helix.rules.concluding import suspecting_of
from helix.rules.influence import TOOK_OVER, document_of, is_users, took_over
from helix.rules.screening.judging import MARK_AT
from helix.rules.takeover import Takeover, Told, takeovers

PASS = "takeover"
LONGEST_NAME = 120


def take_over(night: Night) -> Findings:
    """Return the texts with which a source took a neighbourhood over."""
    held = {each.id: each for each in (*night.episodes, *night.held.values()) if _counts(each)}
    found = takeovers(_told(each) for each in held.values())
    made = [each for each in (_flagged(night, held, one) for one in found) if each]
    return Findings(len(held), tuple(made))


def _counts(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and not is_concluded(memory)


def _told(memory: Memory) -> Told:
    return Told(
        memory.id, memory.content, memory.recorded_at, tuple(sources(memory)), is_users(memory),
        memory.type != EPISODE,
    )  # fmt: skip


def sources(memory: Memory) -> Iterator[str]:
    """Yield the names under which a memory may be one voice with others."""
    around = memory.circumstances
    source = memory.belief.provenance[0].source
    if around is not None and around.session:
        yield f"session {around.session[:LONGEST_NAME]}"
    else:
        # Without a session, a day of one agent's work counts as one source.
        yield f"agent {source.agent[:LONGEST_NAME]} on {memory.recorded_at.date().isoformat()}"
    if source.ref:
        # What was read at several places of one document, or commits of one history.
        yield f"document {document_of(source.ref)[-LONGEST_NAME:]}"


def _flagged(night: Night, held: dict[str, Memory], found: Takeover) -> Conclusion | None:
    reason = took_over(found.source, found.before, found.after, found.places)
    changes = []
    for memory in (held[each] for each in found.taking):
        before = memory.belief.suspicion
        known = before.reasons if before else ()
        if any(each.startswith(TOOK_OVER) for each in known):
            continue
        score = max(before.score if before else 0.0, MARK_AT)
        doubt = Suspicion(score, (*known, reason))
        changes.append(Suspect(night.realm, memory.id, before, doubt, night.now))
    if not changes:
        return None
    key = suspecting_of(changes[0].memory_id)
    return Conclusion(Decision.FLAG, key, reason, found.taking, tuple(changes))
