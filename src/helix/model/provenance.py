"""Where a belief comes from: the way back to the ledger.

Origin is decided by the door a thing came through, never by what the text says of
itself: provenance written inside a text is a claim, not provenance.
"""

from __future__ import annotations

from enum import StrEnum

from helix.model.frozen import dataclass


class Origin(StrEnum):
    """Who vouches for it: the user, or only an agent that took it in."""

    USER_ASSERTED = "user-asserted"
    AGENT_INGESTED = "agent-ingested"


DIRECT = "direct"
"""The extractor of what somebody says here and now."""

HEARD = "heard"
"""That of what a door itself heard the user say to an agent, as a hook does.

No caller of a door can set it: who only writes that the user said something claims it.
"""

FIRST_HAND = frozenset({DIRECT, HEARD})
"""The extractors of what was said here; anything else was read somewhere."""


@dataclass(frozen=True, slots=True)
class Source:
    """Who speaks, through which extractor, pointing at what (`ref`, such as a URL)."""

    agent: str
    origin: Origin
    ref: str = ""
    extractor: str = DIRECT


@dataclass(frozen=True, slots=True)
class Provenance:
    """One witness of a belief: a source, and the ledger position where it spoke."""

    source: Source
    position: int
