"""A session's summary without the sentences that may not be told any more.

Its episodes may have stepped back since, and a summary stands for them: what is left of it is
told on, in the same words.
"""

from __future__ import annotations

import re
from dataclasses import replace

from helix.model.changes import Change, PutMemory
from helix.model.edge import SUMMARISES
from helix.model.memory import Memory
from helix.model.night import Conclusion, Decision, Night
from helix.rules.concluding import link
from helix.rules.importance import rate
from helix.rules.naming import concluded_id, fingerprint
from helix.rules.quoting import LENGTHS, QUOTES
from helix.rules.withdrawing import told_again

_HEAD = re.compile(r"(On \S+, )\d+( episodes: )")


def reworded(night: Night, summary: Memory) -> Conclusion | None:
    """Return the conclusion that what is left of a withdrawn summary is so; None if nothing is."""
    sentences = _quoted(summary)
    gone = night.stepped_back | night.erased
    left = {at: said for at, said in sentences.items() if at not in gone}
    head = _HEAD.match(summary.content)
    if head is None or not left:
        return None
    witnesses = tuple(each for each in summary.belief.provenance if each.position not in gone)
    count = int(str(summary.attributes["episodes"]))
    count -= len(summary.belief.provenance) - len(witnesses)
    tail = summary.content[head.end() + len(" ".join(sentences.values())) :]
    content = f"{head[1]}{count}{head[2]}{' '.join(left.values())}{tail}"
    again = told_again(night, summary)
    memory = replace(
        again,
        id=concluded_id(night.realm, summary.type, content),
        content=content,
        fingerprint=fingerprint(summary.type, content),
        recorded_at=night.now,
        importance_base=rate(summary.type, content),
        belief=replace(again.belief, provenance=witnesses, confirmations=len(witnesses) - 1),
        attributes={
            **summary.attributes, "episodes": count,
            QUOTES: list(left), LENGTHS: [len(said) for said in left.values()],
        },
    )  # fmt: skip
    # The episodes themselves are not at hand; their names are, and an edge needs no more.
    edges = (
        link(night, memory, SUMMARISES, replace(summary, id=each.source.ref), by="summarise")
        for each in witnesses
    )
    why = "words that it repeated were forgotten"
    changes: tuple[Change, ...] = (PutMemory(memory), *edges)
    return Conclusion(Decision.ADD, memory.id, why, (summary.id,), changes)


def _quoted(summary: Memory) -> dict[int, str]:
    """Return the sentences that a summary repeats, by where each is from."""
    head = _HEAD.match(summary.content)
    positions, lengths = (summary.attributes.get(each) for each in (QUOTES, LENGTHS))
    if head is None or not isinstance(positions, list) or not isinstance(lengths, list):
        return {}
    found = {}
    at = head.end()
    for position, length in zip(positions, lengths, strict=True):
        found[position] = summary.content[at : at + length]
        at += length + 1
    return found
