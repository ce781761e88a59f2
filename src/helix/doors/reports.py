"""The state of a store, for people: what it holds, whether it is sound, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from helix.doors.neutral import one_line
from helix.doors.rendering import faint, strong, when
from helix.ports.enrichment import WORDS_ONLY
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.model_listing import Row
    from helix.app.signing import Signer
    from helix.app.switching import Standing
    from helix.app.upkeep import Holdings, Rebuilt
    from helix.ledger.verifying import Broken, Sound
    from helix.ports.health import Finding

_COLOURS = {"ok": "green", "warning": "yellow", "fault": "red"}
SEAL_LETTERS = 16


def status(holdings: Holdings, store: str) -> str:
    """Return what is visible from here, and where it lies."""
    newest = f", the newest of {when(holdings.head.recorded_at)}" if holdings.records else ""
    lines = [
        f"store   {one_line(store)}",
        f"scope   {place(holdings.scope, holdings.scope_reason)}",
        f"ledger  {how_many(holdings.records, 'record')}{newest}",
        f"sleep   {holdings.budget:g} of {holdings.budget_due:g} points of importance gathered",
        f"found   {enrichment(holdings)}",
        "",
    ]
    if not holdings.counts:
        return "\n".join([*lines, "No memory is held here yet."])
    rows = [("scope", "type", "status", "number")]
    rows += [(one_line(a), one_line(b), c, f"{n:,}") for a, b, c, n in holdings.counts]
    return "\n".join([*lines, *table(rows)])


def models(scope: str, rows: Sequence[Row], found: Standing) -> str:
    """Return the models one can choose, which one serves, and how to get the others."""
    lines = [("model", "", "size", "dimensions", "cost", "")]
    lines += [
        (
            one_line(each.name),
            each.role or ("installed" if each.usable and each.dimension else ""),
            f"{each.megabytes} MB" if each.megabytes else "",
            str(each.dimension or ""),
            one_line(each.cost),
            one_line(each.says),
        )
        for each in rows
    ]
    told = [f"Models for the store, asked from {one_line(scope)}:", *table(lines)]
    told += [faint(f"{each.name}: {one_line(each.remedy)}") for each in rows if each.remedy]
    if found.coming:
        told.append(
            f"{one_line(found.coming)} has come {found.come_so_far:,} of {found.memories:,};"
            f" until it has caught up, {one_line(found.serving)} answers."
        )
    return "\n".join(told)


def enrichment(holdings: Holdings) -> str:
    """Return by what memories are found here, and how many wait for it."""
    found, lag = holdings.models, holdings.lag
    says = f"by words and {found.serving}" if _has_meaning(found) else "by words"
    if lag.memories and lag.since:
        noun = "memory waits" if lag.memories == 1 else "memories wait"
        says += f"; {lag.memories:,} {noun} to be enriched, since {when(lag.since)}"
    if found.coming:
        says += f"; {found.coming} has come {found.come_so_far:,} of {found.memories:,}"
    return one_line(says)


def _has_meaning(found: Standing) -> bool:
    return found.serving not in ("", WORDS_ONLY)


def sound(scope: str, found: Sound, *, memories: bool = False) -> str:
    """Return that every seal holds, and that memories were compared, if they were."""
    if not found.records:
        return f"Sound: the ledger is empty (scope {one_line(scope)})."
    also = f" and all {found.conclusions:,} conclusions" if found.conclusions else ""
    purged = f"{found.purged:,} of them were purged by age; `helix log` names the exports.\n"
    purged = purged if found.purged else ""
    compared = "Memories say what was recorded; `helix rebuild --check` compares all about them.\n"
    return (
        f"Sound: all {found.records:,} records{also} match their seals"
        f" (scope {one_line(scope)}).\n{purged}{compared if memories else ''}"
        f"Head seal {found.head.seal.hex()[:SEAL_LETTERS]}…: note it, and compare it later."
    )


def signed_by(found: Signer) -> str:
    """Return what is to be known of a signature that this home did not make; else nothing."""
    if found.own:
        return ""
    return (
        f"\nSigned with another key ({fingerprint(found.key)}), not this home's: unchanged since"
        " its holder signed it. Compare the key with the one `helix attest` shows there."
    )


def fingerprint(key: str) -> str:
    """Return as much of a public key as people compare."""
    return f"{one_line(key)[:SEAL_LETTERS]}…"


def broken(scope: str, found: Broken) -> str:
    """Return the first record that does not match its seal, and what to do."""
    remedy = "Do not write any more; keep the file, restore the latest backup and compare."
    if found.memory:
        remedy = "Every seal holds: `helix rebuild` folds the memories again from the record."
    return (
        f"{click.style('Broken', fg='red')}: {what_broke(found)}: {one_line(found.fault)}"
        f" (scope {one_line(scope)}).\n{remedy}"
    )


def what_broke(found: Broken) -> str:
    """Return which record or conclusion does not match its seal, or which memory its record."""
    if found.memory:
        return f"memory {one_line(found.memory)}"
    return f"{'conclusion' if found.conclusion else 'record'} {found.position}"


def rebuilt(scope: str, done: Rebuilt) -> str:
    """Return what folding everything again showed."""
    folded = f"Folded {how_many(done.records, 'record')} again (scope {one_line(scope)})"
    if not done.differences:
        return f"{folded}: equal to what stands."
    differing = ", ".join(one_line(each) for each in done.differences)
    if done.repaired:
        return f"{folded}: {differing} differed; the new projection is in place."
    return f"{folded}: {differing} differ. `helix rebuild` puts the new projection in place."


def findings(scope: str | None, found: Sequence[Finding]) -> str:
    """Return what an examination found, with a remedy where one is known."""
    lines = [f"Looked over {one_line(scope) if scope else 'what could be reached'}:"]
    width = max(len(each.name) for each in found)
    for each in found:
        state = click.style(each.state.ljust(7), fg=_COLOURS.get(each.state))
        lines.append(f"  {state}  {each.name.ljust(width)}  {one_line(each.says)}")
        if each.remedy:
            lines.append(faint(f"           {' ' * width}  {one_line(each.remedy)}"))
    return "\n".join(lines)


def place(scope: str, reason: str) -> str:
    """Return a scope and how it was found."""
    return f"{one_line(scope)} ({one_line(reason)})"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of a table; the first one is its head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [strong(lines[0]), *lines[1:]]
