"""What comes from a source that nobody trusts yet waits, whatever it says.

A source is named by where it lies: a file, or a folder with all that is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from helix.model.memory import Belief, Status
from helix.model.provenance import Origin
from helix.model.suspicion import Suspicion

NOTHING = Suspicion(0.0, ())
_ENDS = ("/", ":", "#")
_TOLD = frozenset({Status.ACTIVE, Status.ARCHIVED})


def foreign(suspicion: Suspicion | None, name: str) -> Suspicion:
    """Return the suspicion of a text from a source that is not trusted, whatever else it has."""
    return replace(suspicion or NOTHING, waits_for=name)


def standing(suspicion: Suspicion | None) -> Status:
    """Return where something new stands: held back if a person must look at it first."""
    waits = suspicion is not None and (suspicion.held or suspicion.waits_for)
    return Status.QUARANTINED if waits else Status.ACTIVE


def waits(belief: Belief) -> bool:
    """Return whether a person must look at a memory before it counts, wherever it stands now.

    Undoing the act that brought it about lets it step back; nobody has looked at it by that.
    """
    return Status.QUARANTINED in (belief.status, standing(belief.suspicion))


def passed(belief: Belief, name: str) -> Belief:
    """Return a belief once its source is trusted: what the text itself is held for stays."""
    doubt = belief.suspicion
    if belief.status is not Status.QUARANTINED or doubt is None or not doubt.waits_for:
        return belief
    if not comes_from(doubt.waits_for, name):
        return belief
    left = replace(doubt, waits_for="")
    rest = None if left == NOTHING else left
    return replace(belief, status=standing(rest), suspicion=rest)


def held_back(belief: Belief, name: str) -> Belief:
    """Return a belief once its source is no longer trusted; what others vouch for stays.

    What lies in the archive waits as well: deep recall tells it, and a use brings it back.
    """
    if belief.status not in _TOLD or not rests_on(belief, name):
        return belief
    return replace(belief, status=Status.QUARANTINED, suspicion=foreign(belief.suspicion, name))


def rests_on(belief: Belief, name: str) -> bool:
    """Return whether nobody but this source speaks for a belief."""
    return bool(belief.provenance) and all(
        each.source.origin is Origin.AGENT_INGESTED and comes_from(each.source.ref, name)
        for each in belief.provenance
    )


def counts(ref: str, decided: Mapping[str, bool]) -> bool:
    """Return whether what lies there counts by what was decided on sources, by name.

    The closest decision does: a file may be distrusted in a folder that is trusted.
    """
    near = [each for each in decided if comes_from(ref, each)]
    return bool(near) and decided[max(near, key=len)]


def comes_from(ref: str, name: str) -> bool:
    """Return whether a reference lies in a source: the file itself, a line of it, or below it."""
    return ref == name or any(ref.startswith(name.rstrip("/") + end) for end in _ENDS)
