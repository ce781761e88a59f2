"""The pass that hears what a person keeps saying: instructions repeated session after session.

What is asked for once belongs to that moment. What is asked for again in a third session, in
the same words, is a standing instruction, and nobody should have to say it a fourth time.
"""

from __future__ import annotations

import re

from helix.consolidation.statements import Statements
from helix.consolidation.talk import as_sentence
from helix.model.memory import Memory
from helix.model.night import Conclusion, Findings, Night
from helix.rules.concluding import added, new_memory, strengthened
from helix.rules.relations import Relation, relation, telling
from helix.rules.turns import USER, sentences, turn_of

PASS = "repeat"

FEWEST_SESSIONS = 3
FEWEST_WORDS, MOST_WORDS = 5, 40
_FEWEST_TELLING = 3

_INSTRUCTS = re.compile(
    r"\b(?:always|never|don't|do not|must|should|make sure|ensure|only|avoid|prefer|use|keep|write"
    r"|verify|run|include|respond|remember)\b",
    re.IGNORECASE,
)
_PRINTED = re.compile(r"[\"'(]\s*(?:git|npm|pip|go|cargo|make)\b|[{}<>]|\bat line\b|=\s*$")
"""Marks of what a program printed and a person pasted."""
_POINTS = re.compile(
    r"\b(?:this|that|these|those|it|its|they|them|above|below|here|following|attached|already)\b",
    re.IGNORECASE,
)


def repeat(night: Night) -> Findings:
    """Return the instructions that a person gave in several sessions."""
    heard: dict[tuple[str, ...], list[tuple[str, Memory, str]]] = {}
    read = 0
    for episode in night.credible:
        turn = turn_of(episode)
        around = episode.circumstances
        if turn.role != USER or not turn.spoken or around is None or not around.session:
            continue
        read += 1
        for sentence in sentences(turn.prose):
            if _instructs(sentence):
                key = telling(sentence)
                heard.setdefault(key, []).append((around.session, episode, sentence))
    held = Statements(night.held.values())
    made = [
        conclusion
        for key, times in heard.items()
        if len({session for session, _, _ in times}) >= FEWEST_SESSIONS
        and (conclusion := _standing(night, times, held))
    ]
    return Findings(read, tuple(made))


def _standing(
    night: Night, times: list[tuple[str, Memory, str]], held: Statements
) -> Conclusion | None:
    grounds = list({episode.id: episode for _, episode, _ in times}.values())
    content = as_sentence(times[0][2])
    sessions = len({session for session, _, _ in times})
    memory = new_memory(
        night, PASS, "convention", content, grounds, attributes={"sessions": sessions}
    )
    known = night.held.get(memory.id)
    if known is None:
        known = next(
            (each for each in held.near(content)
             if relation(content, each.content) is Relation.DUPLICATE), None,
        )  # fmt: skip
    if known is not None:
        return strengthened(night, known, grounds, PASS, f"said in {sessions} sessions")
    return added(night, memory, grounds, PASS, f"said in {sessions} sessions")


def _instructs(sentence: str) -> bool:
    if not FEWEST_WORDS <= len(sentence.split()) <= MOST_WORDS or sentence.endswith((":", "?")):
        return False
    if _POINTS.search(sentence) or not _INSTRUCTS.search(sentence):
        return False
    if not sentence[0].isalpha() or _PRINTED.search(sentence):
        return False
    return len(telling(sentence)) >= _FEWEST_TELLING
