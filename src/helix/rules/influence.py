"""How much a source may move: what it may replace, confirm, and where it may rank.

Trust is not asked of the text. A source is who the door says it is; saying a thing often, or
under several session names, makes it one source still.
"""

from __future__ import annotations

from collections.abc import Iterable

from helix.model.act import Asserted
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Origin, Source
from helix.rules.concluded import EXTRACTOR
from helix.rules.foreign import standing

SUSPECTED_SHARE = 0.4
"""Of its relevance, what a memory under suspicion keeps when it is ranked."""

UNCORROBORATED_SHARE = 0.97
"""What one agent's word alone keeps: of two that fit alike, the vouched-for one comes first."""

IMPORTER = "import:"
"""How the name of what reads documents begins."""

TOOK_OVER = "influence: took over "
"""How the reason begins for which a source's texts are marked that took a neighbourhood over."""


def took_over(source: str, before: int, after: int, places: int) -> str:
    """Return the reason for which a text is marked with which a source took places over."""
    return (
        f"{TOOK_OVER}{after} of {places} places around it within a day, {before} before: {source}"
    )


def document_of(ref: str) -> str:
    """Return the document a reference points into: places in one, commits of one history."""
    return ref.partition("@")[0].partition("#")[0]


def independent(sources: Iterable[Source]) -> int:
    """Return how many sources vouch independently: the user once, each agent once.

    The same agent in another session, through another extractor or pointing at another
    document is one voice; what different agents took from one document is one voice too.
    An importer is no voice: each document it read is.
    """
    voices: list[set[str]] = []
    for source in sources:
        own = _names_of(source)
        joined = [each for each in voices if each & own]
        voices = [each for each in voices if not each & own]
        voices.append(own.union(*joined))
    return len(voices)


def _names_of(source: Source) -> set[str]:
    """Return the names by which a source is one with others; never none."""
    if source.origin is Origin.USER_ASSERTED:
        return {"user"}
    names = {f"document {document_of(source.ref)}"} if source.ref else set()
    if not names or not source.agent.startswith(IMPORTER):
        names.add(f"agent {source.agent}")
    return names


def adds_weight(source: Source, belief: Belief) -> bool:
    """Return whether a further voice makes a belief surer: the user's does, and any new one."""
    if source.origin is Origin.USER_ASSERTED:
        return True
    before = [each.source for each in belief.provenance]
    return independent([*before, source]) > independent(before)


def may_supersede(old: Belief, by: Asserted) -> bool:
    """Return whether a statement may close a memory: the user's word may close anything.

    An agent's word may close an agent's, never the user's, and nothing that is held back.
    """
    if standing(by.suspicion) is not Status.ACTIVE:
        return False
    if by.source.origin is Origin.USER_ASSERTED:
        return True
    return all(each.source.origin is not Origin.USER_ASSERTED for each in old.provenance)


def is_users(memory: Memory) -> bool:
    """Return whether the user vouches for a memory: said it, or confirmed it.

    For what was concluded from several people's words only if all of them are the user's:
    nobody knows which words of it are whose.
    """
    theirs, others = False, False
    for each in memory.belief.provenance:
        if each.source.origin is not Origin.USER_ASSERTED:
            others = True
        elif not each.source.extractor.startswith(f"{EXTRACTOR}:"):
            return True
        else:
            theirs = True
    return theirs and not others


def stands_alone(memory: Memory) -> bool:
    """Return whether only one voice that is not the user's speaks for a memory."""
    if is_users(memory):
        return False
    return independent(each.source for each in memory.belief.provenance) <= 1


def influence(memory: Memory) -> float:
    """Return the share of its relevance with which a memory is ranked."""
    if memory.belief.suspicion is not None:
        return SUSPECTED_SHARE
    return UNCORROBORATED_SHARE if stands_alone(memory) else 1.0
