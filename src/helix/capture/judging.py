"""Judgements on what is held: confirm, forget, restore, pin, relate. Checked, then an act."""

from __future__ import annotations

import re

from helix.capture.admission import admitted_id, admitted_note
from helix.model.act import (
    Approved,
    Asserted,
    Confirmed,
    Demoted,
    Forgotten,
    Pinned,
    Promoted,
    Rejected,
    Related,
    Restored,
    Trusted,
    Used,
)
from helix.model.errors import BadInput, Conflict
from helix.model.life import BEST, WORST
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin, Source
from helix.model.types import Shape
from helix.rules.foreign import waits
from helix.rules.influence import is_users
from helix.rules.naming import same_words
from helix.rules.screening.again import doubt_of
from helix.rules.trust import corroborated
from helix.rules.validity import check_step, way_out

_RELATION = re.compile(r"[a-z][a-z0-9_]{0,59}")


def confirmed(memory: Memory, source: Source) -> Confirmed:
    """Return the act of finding a memory right; only what is held can be confirmed."""
    if memory.status is not Status.ACTIVE:
        raise Conflict(
            f"{memory.id} is {memory.status}; only what is held can be confirmed",
            code="not_active",
            remedy=f"`helix why {memory.id}` shows how it came to be so",
        )
    return Confirmed(memory.id, source)


def forgotten(
    memory: Memory, source: Source, reason: str = "", *, users_pin: bool = False
) -> Forgotten:
    """Return the act of letting a memory step back; what is the user's, only for the user."""
    check_step(memory, Status.FORGOTTEN)
    _check_not_users(memory, source, "forget", users_pin=users_pin)
    return Forgotten(memory.id, source, admitted_note(reason))


def check_correctable(memory: Memory, source: Source, *, users_pin: bool) -> None:
    """Raise `Conflict` where an agent's correction would take the place of what the user pinned."""
    # The user's own word keeps its place: what an agent says against it is noted beside it.
    if users_pin and source.origin is not Origin.USER_ASSERTED and not is_users(memory):
        raise _users_decision(f"the user pinned {memory.id}", f"helix correct {memory.id} TEXT")


def restored(
    memory: Memory, source: Source, alike: Memory | None, *, user_forgot: bool = False
) -> Restored:
    """Return the act of bringing a memory back; `alike` is an active one in the same words."""
    if waits(memory.belief):
        _check_person(source, "restore")
    if memory.status is Status.QUARANTINED:
        raise Conflict(
            f"{memory.id} was held back and waits for review",
            code="waits_for_review",
            remedy=f"let it count: `helix review --approve {memory.id}`",
        )
    check_step(memory, Status.ACTIVE)
    if user_forgot and source.origin is not Origin.USER_ASSERTED:
        raise _users_decision(f"the user forgot {memory.id}", f"helix restore {memory.id}")
    if alike is not None:
        raise already_held(memory, alike)
    return Restored(memory.id, source)


def pinned(memory: Memory, source: Source, *, pin: bool, users_pin: bool = False) -> Pinned:
    """Return the act of pinning or releasing a memory; `users_pin`: the user pinned it."""
    if users_pin and not pin and source.origin is not Origin.USER_ASSERTED:
        raise _users_decision(f"the user pinned {memory.id}", f"helix pin {memory.id} --off")
    return Pinned(memory.id, pin, source)


USABLE = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})


def used(memory: Memory, quality: int, source: Source, because: str = "") -> Used:
    """Return the act of having worked with a memory; what was forgotten cannot have helped."""
    if not WORST <= quality <= BEST:
        raise BadInput(
            f"{quality} cannot be a quality",
            code="out_of_range",
            remedy="give 0 (it misled) to 5 (just what was needed); 3 means it helped",
        )
    if memory.status not in USABLE:
        raise Conflict(
            f"{memory.id} is {memory.status}; it cannot have been used",
            code="not_usable",
            remedy=way_out(memory),
        )
    return Used(memory.id, quality, source, because)


def promoted(memory: Memory, by: Asserted) -> Promoted:
    """Return the act of holding what an episode tells, in its words or in others.

    Who witnessed it vouches for its own words alone: an agent's others are that agent's. What
    is under suspicion is promoted by the user, or once the user has looked at it.
    """
    if memory.shape is not Shape.EPISODIC or memory.status not in (Status.ACTIVE, Status.ARCHIVED):
        raise Conflict(
            f"{memory.id} is {memory.status} and {memory.shape.value}; only an episode is promoted",
            code="not_promotable",
            remedy="`helix list --type episode` shows what can be promoted",
        )
    if by.source.origin is Origin.USER_ASSERTED:
        return Promoted(memory.id, by)
    if memory.belief.suspicion is not None:
        raise Conflict(
            f"{memory.id} is under suspicion; an agent cannot promote it",
            code="needs_the_user",
            remedy=f"let the user look at it: `helix review --approve {memory.id}`",
        )
    if not same_words(memory.content, by.content):
        raise Conflict(
            f"only {by.source.agent} vouches for these words; {memory.id} has others",
            code="uncorroborated",
            remedy="promote it in its own words, or say yours: `helix remember`",
        )
    sources = [each.source for each in memory.belief.provenance]
    if not corroborated([*sources, by.source]):
        raise Conflict(
            f"only {by.source.agent} vouches for {memory.id}",
            code="uncorroborated",
            remedy="let the user or another agent confirm it first",
        )
    return Promoted(memory.id, by)


def demoted(
    memory: Memory, source: Source, reason: str = "", *, users_pin: bool = False
) -> Demoted:
    """Return the act of sending a memory to the archive; what is the user's, only for the user."""
    check_step(memory, Status.ARCHIVED)
    _check_not_users(memory, source, "demote", users_pin=users_pin)
    return Demoted(memory.id, source, admitted_note(reason))


def approved(
    memory: Memory, source: Source, alike: Memory | None, *, contradicts: bool = False
) -> Approved:
    """Return the act of vouching for what was held back or in doubt; the user's alone."""
    _check_person(source, "approve")
    if memory.status is Status.QUARANTINED:
        check_step(memory, Status.ACTIVE)
    elif not (contradicts or _is_in_doubt(memory)):
        raise _nothing_to_review(memory)
    if alike is not None and alike.id != memory.id:
        raise already_held(memory, alike)
    return Approved(memory.id, source)


def rejected(
    memory: Memory, source: Source, tomb: str, reason: str = "", *, contradicts: bool = False
) -> Rejected:
    """Return the act of turning away what was held back or in doubt; the user's alone."""
    _check_person(source, "reject")
    if memory.status is not Status.QUARANTINED and not (contradicts or _is_in_doubt(memory)):
        raise _nothing_to_review(memory)
    check_step(memory, Status.REJECTED)
    return Rejected(memory.id, source, admitted_note(reason), tomb)


def trusted(
    name: str, positions: tuple[int, ...], source: Source, *, trust: bool = True
) -> Trusted:
    """Return the act of trusting a source of imports, or no longer; the user's alone."""
    _check_person(source, "trust a source for")
    return Trusted(name, source, trust, positions)


def _check_person(source: Source, what: str) -> None:
    # An agent that could approve what it ingested would be its own judge.
    if source.origin is not Origin.USER_ASSERTED:
        raise Conflict(
            f"an agent cannot {what} what waits for review",
            code="needs_the_user",
            remedy="let the user decide: `helix review`",
        )


def _check_not_users(memory: Memory, source: Source, verb: str, *, users_pin: bool) -> None:
    # An agent's correction of the user's word stands beside it; setting that word aside first
    # and saying the opposite would be a way round.
    if source.origin is Origin.USER_ASSERTED:
        return
    if users_pin or is_users(memory):
        why = f"the user {'pinned' if users_pin else 'vouches for'} {memory.id}"
        raise _users_decision(why, f"helix {verb} {memory.id}")


def _users_decision(why: str, way: str) -> Conflict:
    return Conflict(
        f"{why}; an agent cannot undo that",
        code="needs_the_user",
        remedy=f"let the user run `{way}`",
    )


def _is_in_doubt(memory: Memory) -> bool:
    in_doubt = bool(memory.belief.doubts) or doubt_of(memory) is not None
    return memory.status is Status.ACTIVE and in_doubt


def _nothing_to_review(memory: Memory) -> Conflict:
    return Conflict(
        f"{memory.id} is {memory.status} and nothing speaks against it",
        code="nothing_to_review",
        remedy="`helix review` lists what waits; `helix forget` lets a memory step back",
    )


def related(
    start: Memory, relation: str, end: Memory, source: Source, weight: float = 1.0
) -> Related:
    """Return the act of relating two memories."""
    # As it was given: in small letters a secret is no longer recognised.
    admitted_id(relation, "a relation")
    name = relation.strip().lower().replace("-", "_").replace(" ", "_")
    if not _RELATION.fullmatch(name):
        raise BadInput(
            f"{relation!r} cannot name a relation",
            code="unusable_relation",
            remedy="use a word or two, such as depends_on",
        )
    if start.id == end.id:
        raise BadInput(
            f"{start.id} cannot be related to itself",
            code="self_relation",
            remedy="name two different memories",
        )
    if not 0.0 < weight <= 1.0:
        raise BadInput(
            f"{weight} cannot be a weight", code="out_of_range", remedy="give a number up to 1"
        )
    return Related(start.id, end.id, name, weight, source)


def already_held(memory: Memory, alike: Memory) -> Conflict:
    """Return the error for bringing back what is held in the same words elsewhere."""
    return Conflict(
        f"{memory.id} says the same as {alike.id}, which is held",
        code="already_held",
        remedy=f"keep {alike.id}, or forget it first",
    )
