"""Whether a question names who or what a memory is by: its speaker, a file it touched.

Who says "I" names the user, and who says "you told me" the assistant.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from helix.model.memory import Memory
from helix.rules.entities import Entity, entities, speaker
from helix.rules.names import capitalised
from helix.rules.turns import ASSISTANT, USER, noted_role

ITS_ROLE = 0.5
"""How much a role tells beside a name: it has half of all that was said."""

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself)\b|\bi\b(?!\.)", re.ASCII)
_YOU_SAID = re.compile(
    r"\byou(?:'ve| have| had)? (?:\w+ )?(?:said|told|suggested|recommended|mentioned|gave|provided"
    r"|listed|proposed|explained|advised|wrote|described|shared)\b"
    r"|\byour (?:suggestions?|answers?|recommendations?|advice|list|explanations?)\b"
    r"|\bdid you (?:say|tell|suggest|recommend|mention|give|provide|list|propose|explain|advise"
    r"|write)\b",
    re.IGNORECASE,
)


def asked_names(asked: Collection[Entity]) -> frozenset[str]:
    """Return the names in a question that a memory could be by, case-folded."""
    return frozenset(each.name.casefold() for each in asked)


def names_something(question: str) -> bool:
    """Return whether a question speaks of a particular person or thing, by its spelling."""
    later = question.split()[1:]
    return any(capitalised(word.strip("?!.,;:\"'()")) for word in later) or bool(entities(question))


def asked_role(question: str) -> str:
    """Return whose words a question asks for, the user's or the assistant's; "" if it shows not."""
    if _YOU_SAID.search(question):
        return ASSISTANT
    return USER if _FIRST_PERSON.search(question) else ""


def named(memory: Memory, names: Collection[str], question: str, role: str = "") -> float:
    """Return 1.0 if the question names the memory's speaker or a file it touched, else 0.0.

    Words of the one whom it asks for without a name (`asked_role`) count for a part of that.
    """
    by = speaker(memory.content)
    if by is not None and _occurs(by.casefold(), question):
        return 1.0
    files = memory.circumstances.files if memory.circumstances else ()
    if any(file.casefold() in names for file in files):
        return 1.0
    return ITS_ROLE if role and noted_role(memory) == role else 0.0


def _occurs(name: str, question: str) -> bool:
    at = question.find(name)
    if at < 0:
        return False
    after = question[at + len(name) : at + len(name) + 1]
    before = question[at - 1 : at] if at else ""
    return not (before.isalnum() or after.isalnum())
