"""A memory's life for people and for programs: how it stands, and what sweeps did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from helix.doors.neutral import one_line
from helix.doors.plain import Document, points
from helix.doors.rendering import faint, name, when
from helix.doors.reports import table
from helix.model.moment import text_of
from helix.rules.surprise import repeats

if TYPE_CHECKING:
    from helix.app.compression import Compressed
    from helix.app.concluding import Concluded
    from helix.app.lifecycle import Ages, Standing
    from helix.app.sweeping import Swept
    from helix.ports.enrichment import Novelty

MOST_FADING = 5
_DAYS_IN_YEAR = 365


def standing(held: Standing) -> list[str]:
    """Return how a memory stands, in lines."""
    strength, shown = held.strength, held.surfaced
    used = f"used {len(held.life.uses)} times, {strength.uses} of them counting"
    lines = [
        f"       {held.tier.value}: {held.retention:.0%} left since {when(held.idle_since)}"
        f" (half-life {_days(strength.half_life_days)}, policy {held.policy.name})",
        f"       weighs {points(held.salience):g} of 10 now; {used}; shown {shown.count} times",
    ]
    if held.life.pinned:
        lines.append("       pinned: it does not fade")
    elif held.reaches_floor_at is not None:
        lines.append(f"       reaches the floor on {when(held.reaches_floor_at)} if nobody uses it")
    if held.novelty is not None:
        lines.append(f"       {_new(held.novelty)}")
    parts = ", ".join(f"{factor} {value:.2f}" for factor, value in held.factors.items())
    lines.append(f"       importance of nine factors {points(held.effective_importance):g} of 10:")
    lines.append(faint(f"         {parts}; centrality {held.centrality:.2f}"))
    return lines


def standing_document(held: Standing) -> Document:
    """Return how a memory stands, for programs."""
    half_life = held.strength.half_life_days
    return {
        "policy": held.policy.name,
        "tier": held.tier.value,
        "retention": round(held.retention, 6),
        "salience": round(held.salience, 6),
        "idle_since": text_of(held.idle_since),
        "half_life_days": None if math.isinf(half_life) else round(half_life, 4),
        "easiness": round(held.strength.easiness, 4),
        "uses": [
            {
                "at": text_of(use.at),
                "quality": use.quality,
                "origin": use.origin.value,
                "position": use.position,
            }
            for use in held.life.uses
        ],
        "uses_counting": held.strength.uses,
        "surfaced": {
            "count": held.surfaced.count,
            "first_at": _moment(held.surfaced.first_at),
            "last_at": _moment(held.surfaced.last_at),
        },
        "reaches_floor_at": _moment(held.reaches_floor_at),
        "surprise": None if held.novelty is None else round(held.novelty.surprise, 6),
        "said_before": held.novelty is not None and _said_before(held.novelty),
        "importance_effective": points(held.effective_importance),
        "factors": {factor: round(value, 6) for factor, value in held.factors.items()},
        "centrality": round(held.centrality, 6),
    }


def ages(found: Ages) -> list[str]:
    """Return tiers and what is fading, in lines."""
    if not found.tiers:
        return []
    rows = [("tier", "shape", "type", "status", "number")]
    rows += [
        (tier, shape, one_line(kind), status, f"{number:,}")
        for kind, shape, status, tier, number in _by_tier(found)
    ]
    lines = ["", *table(rows), ""]
    if found.fading:
        lines.append(f"{len(found.fading):,} will reach the floor within a week:")
        lines += [f"  {name(each)} on {when(due)}" for each, due in found.fading[:MOST_FADING]]
    else:
        lines.append("Nothing will reach the floor within a week.")
    if found.proposed:
        lines.append(f"{found.proposed:,} are proposed for the archive: `helix sweep --dry-run`.")
    return lines


def ages_document(found: Ages) -> Document:
    """Return tiers and what is fading, for programs."""
    return {
        "tiers": [
            {"tier": tier, "shape": shape, "type": kind, "status": status, "number": number}
            for kind, shape, status, tier, number in _by_tier(found)
        ],
        "fading": [{"id": each, "reaches_floor_at": text_of(due)} for each, due in found.fading],
        "proposed_for_archive": found.proposed,
        "looked_at": found.looked_at,
    }


def swept(scope: str, found: Sequence[Swept]) -> str:
    """Return what sweeps did, or would do."""
    dry = found[0].dry_run
    head = "Nothing was changed; this is what would be" if dry else "Swept"
    lines = [f"{head} in {one_line(scope)}:"]
    for each in found:
        done = f"{each.changed:,} of {each.looked_at:,} looked at"
        why = "; ".join(f"{number:,} {reason}" for reason, number in each.reasons.items())
        lines.append(
            f"  {each.kind:<10} {done}"
            + (f" ({why})" if why else "")
            + (f", conclusion {each.entries[0]}" if each.entries else "")
            + ("; more wait: --all goes on" if each.more else "")
        )
        if dry:
            lines += [f"    {name(one.about)}  {faint(one.reason)}" for one in each.examples]
    if any(each.entries for each in found):
        lines.append("`helix sweep --revert NUMBER` takes a conclusion back.")
    return "\n".join(lines)


def swept_document(scope: str, found: Sequence[Swept]) -> Document:
    """Return what sweeps did, for programs."""
    return {
        "scope": scope,
        "dry_run": found[0].dry_run,
        "sweeps": [
            {
                "kind": each.kind,
                "looked_at": each.looked_at,
                "changed": each.changed,
                "reasons": dict(each.reasons),
                "conclusions": list(each.entries),
                "more": each.more,
                "examples": [{"id": one.about, "reason": one.reason} for one in each.examples],
            }
            for each in found
        ],
    }


def compressed(scope: str, done: Compressed | None) -> str:
    """Return how finely vectors are kept now."""
    if done is None:
        return f"There are no vectors in {one_line(scope)}: no embedder is in use."
    verb = "would be" if done.dry_run else "are now"
    lines = [
        f"{done.coarser:,} vectors {verb} kept more coarsely, {done.finer:,} embedded again"
        f" ({one_line(done.model)}, {one_line(scope)})."
    ]
    for name_of, shares in (("before", done.before), ("now", done.after)):
        said = ", ".join(
            f"{number:,} of {bits} bits ({size:,} bytes)" for bits, number, size in shares
        )
        lines.append(f"  {name_of:<7} {said or 'none'}")
    return "\n".join(lines)


def compressed_document(scope: str, done: Compressed | None) -> Document:
    """Return how finely vectors are kept now, for programs."""
    if done is None:
        return {"scope": scope, "model": None}
    names = ("bits", "vectors", "bytes")
    return {
        "scope": scope,
        "model": done.model,
        "dry_run": done.dry_run,
        "looked_at": done.looked_at,
        "coarser": done.coarser,
        "finer": done.finer,
        "before": [dict(zip(names, each, strict=True)) for each in done.before],
        "after": [dict(zip(names, each, strict=True)) for each in done.after],
    }


def conclusions(scope: str, found: Sequence[Concluded]) -> str:
    """Return what Helix concluded, newest first."""
    if not found:
        return f"Helix has concluded nothing in {one_line(scope)} yet."
    lines = [f"Concluded in {one_line(scope)}, newest first:"]
    lines += [
        f"{each.number:>5}  {faint(when(each.recorded_at))}  {one_line(each.reason)}:"
        f" {each.changes:,} changes by {one_line(each.concluded_by)}"
        + (f" (taken back by {each.reverted_by})" if each.reverted_by else "")
        for each in found
    ]
    return "\n".join(lines)


def conclusions_document(scope: str, found: Sequence[Concluded]) -> Document:
    """Return what Helix concluded, for programs."""
    return {"scope": scope, "conclusions": [_conclusion(each) for each in found]}


def reverted(scope: str, back: Concluded) -> str:
    """Return that a conclusion was taken back."""
    return (
        f"Took back conclusion {back.reverts} in {one_line(scope)}:"
        f" {back.changes:,} changes undone (conclusion {back.number})."
    )


def reverted_document(scope: str, back: Concluded) -> Document:
    """Return that a conclusion was taken back, for programs."""
    return {"scope": scope, **_conclusion(back)}


def _conclusion(each: Concluded) -> Document:
    return {
        "number": each.number,
        "recorded_at": text_of(each.recorded_at),
        "scope": each.scope,
        "reason": each.reason,
        "concluded_by": each.concluded_by,
        "changes": each.changes,
        "entries": list(each.parts),
        "reverts": each.reverts,
        "reverted_by": each.reverted_by,
    }


def _new(novelty: Novelty) -> str:
    said = f"surprise {novelty.surprise:.2f} when it came in"
    return said + (": nearly the same was said before" if _said_before(novelty) else "")


def _said_before(novelty: Novelty) -> bool:
    return novelty.nearest is not None and repeats([novelty.nearest])


def _by_tier(found: Ages) -> list[tuple[str, str, str, str, int]]:
    order = {"hot": 0, "warm": 1, "cold": 2, "archive": 3}
    return sorted(found.tiers, key=lambda each: (order[each[3]], each[1], each[0], each[2]))


def _days(days: float) -> str:
    if math.isinf(days):
        return "without end"
    return f"{days / _DAYS_IN_YEAR:.1f} years" if days > _DAYS_IN_YEAR else f"{days:.3g} days"


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else text_of(moment)
