"""The pass that compares what is held: contradictions are flagged, repetitions linked.

Nothing is overwritten here. Both sides of a contradiction stay, both are believed a little
less, and a person decides (`helix review`). A pair that was decided once is not asked again.
"""

from __future__ import annotations

from helix.consolidation.statements import Statements
from helix.model.edge import CONTRADICTS, SIMILAR_TO
from helix.model.memory import Memory
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.rules.concluding import doubted, link
from helix.rules.doubts import CONTRADICTED, rivals, was_settled
from helix.rules.relations import Relation, relation
from helix.rules.spans import ever_together

PASS = "relate"

CONFIDENCE_KEPT = 0.8
"""Share of its confidence that each side of a contradiction keeps."""


def relate(night: Night) -> Findings:
    """Return the contradictions and repetitions among what is held."""
    statements = Statements(night.held.values())
    current = {each.id: each for each in statements}
    conclusions = []
    for memory in list(statements):
        for other in statements.near(memory.content):
            # Each pair once, the older one first.
            if _order(other) >= _order(memory):
                continue
            if {memory.id, other.id} & {each.belief.superseded_by for each in (memory, other)}:
                continue
            if not ever_together(memory, other):
                continue
            if _was_asked(memory, other) or _was_asked(other, memory):
                continue
            verdict = relation(memory.content, other.content)
            pair = (current[other.id], current[memory.id])
            if verdict in (Relation.CONTRADICTS, Relation.UPDATES):
                made = _against(night, *pair)
                for change in made.changes[1:]:
                    current[change.memory.id] = change.memory  # type: ignore[union-attr]
                conclusions.append(made)
            elif verdict is Relation.DUPLICATE and memory.type == other.type:
                conclusions.append(_alike(night, *pair))
    return Findings(len(statements), tuple(conclusions))


def _against(night: Night, old: Memory, new: Memory) -> Conclusion:
    edge = link(night, new, CONTRADICTS, old, by=PASS)
    return Conclusion(
        Decision.FLAG,
        edge.edge.id,
        f"{new.id} and {old.id} cannot both hold",
        (old.id, new.id),
        (
            edge,
            doubted(night, old, f"{CONTRADICTED}{new.id}", share_kept=CONFIDENCE_KEPT),
            doubted(night, new, f"{CONTRADICTED}{old.id}", share_kept=CONFIDENCE_KEPT),
        ),
    )


def _was_asked(memory: Memory, other: Memory) -> bool:
    """Tell whether the two wait for a person already, or a person said that both hold."""
    settled = was_settled(memory.belief, f"{CONTRADICTED}{other.id}")
    return settled or other.id in rivals(memory.belief)


def _alike(night: Night, old: Memory, new: Memory) -> Conclusion:
    edge = link(night, new, SIMILAR_TO, old, by=PASS)
    why = f"{new.id} says the same as {old.id}"
    return Conclusion(Decision.LINK, edge.edge.id, why, (old.id, new.id), (edge,))


def _order(memory: Memory) -> tuple[object, str]:
    return memory.recorded_at, memory.id
