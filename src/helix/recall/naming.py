"""Whether a question names who or what a memory is by: its speaker, a file it touched."""

from __future__ import annotations

from collections.abc import Collection

from helix.model.memory import Memory
from helix.rules.entities import Entity, entities, speaker
from helix.rules.names import capitalised


def asked_names(asked: Collection[Entity]) -> frozenset[str]:
    """Return the names in a question that a memory could be by, case-folded."""
    return frozenset(each.name.casefold() for each in asked)


def names_something(question: str) -> bool:
    """Return whether a question speaks of a particular person or thing, by its spelling."""
    later = question.split()[1:]
    return any(capitalised(word.strip("?!.,;:\"'()")) for word in later) or bool(entities(question))


def named(memory: Memory, names: Collection[str], question: str) -> float:
    """Return 1.0 if the question names the memory's speaker or a file it touched, else 0.0."""
    by = speaker(memory.content)
    if by is not None and _occurs(by.casefold(), question):
        return 1.0
    files = memory.circumstances.files if memory.circumstances else ()
    if any(file.casefold() in names for file in files):
        return 1.0
    return 0.0


def _occurs(name: str, question: str) -> bool:
    at = question.find(name)
    if at < 0:
        return False
    after = question[at + len(name) : at + len(name) + 1]
    before = question[at - 1 : at] if at else ""
    return not (before.isalnum() or after.isalnum())
