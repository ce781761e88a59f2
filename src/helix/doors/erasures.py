"""What was destroyed, or would be, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from helix.doors.error_mapping import EXIT_CODES
from helix.doors.neutral import one_line
from helix.doors.rendering import act_line, behind_bar, faint, name, seen_from, standing
from helix.model.errors import IntegrityBroken
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.erasing import About, Receipt
    from helix.app.scrubbing import Leak

SHOWN = 10
"""Positions that are listed before the rest is counted."""

FINISHING = (
    "End what else has the store open, then run `helix scrub`: it writes the files anew."
    " A copy that you made is yours to remove."
)

RESIDUE = EXIT_CODES[IntegrityBroken.family]


def about(scope: str, found: About) -> str:
    """Return everything that names a subject: memories first, then the acts behind them."""
    subject = one_line(found.subject)
    if not (found.records or found.memories or found.notes):
        return f"Nothing names {subject} in {seen_from(scope)}."
    lines = [
        f"{how_many(len(found.records), 'record')} about {subject}"
        f" (in {', '.join(map(one_line, found.scopes))};"
        f" asked from {one_line(scope)}):"
    ]
    for each in found.memories:
        lines += ["", f"{name(each.id)}  {standing(each, scope)}", *behind_bar(each.content)]
    for note in found.notes:
        lines += ["", f"{name(note.id)}  on the scratchpad", *behind_bar(note.content)]
    lines += ["", *(act_line(each, scope) for each in found.records)]
    return "\n".join(lines)


def receipt(scope: str, done: Receipt, kept_at: str) -> str:
    """Return what went, and whether any byte of it is left."""
    lines = [
        f"Destroyed {how_many(len(done.records), 'record')} and {how_many(done.memories, 'memory')}"
        f" (asked from {one_line(scope)})."
    ]
    if done.notes:
        lines.append(f"{done.notes} on the scratchpad went too.")
    if done.carried_over:
        lines.append(f"{done.carried_over} that replaced them were said anew.")
    if done.journal_entries:
        lines.append(f"{done.journal_entries} conclusions rested on them and went or changed.")
    lines += consequences(done)
    if done.copies_removed:
        lines.append(f"Copies removed: {', '.join(map(one_line, done.copies_removed))}.")
    if done.still_mentioned:
        lines.append(_told_of(done.still_mentioned))
    if done.residue:
        files = ", ".join(map(one_line, done.residue))
        lines.append(click.style(f"Bytes of it are left in {files}.", fg="red"))
        lines.append(FINISHING)
    elif not done.still_mentioned:
        lines.append("No byte of it is left in the store's files.")
    if kept_at:
        lines.append(faint(f"Signed receipt: {one_line(kept_at)}"))
    return "\n".join(lines)


def question(asking: str, would: Receipt) -> str:
    """Return what to ask before destroying: what goes, and what stands otherwise then."""
    records, memories = how_many(len(would.records), "record"), how_many(would.memories, "memory")
    lines = [f"{records} and {memories} would go.", *consequences(would), asking]
    return "\n".join(lines)


def consequences(done: Receipt) -> list[str]:
    """Return what is to be known of memories that stay, but had been closed by what goes."""
    lines = []
    if done.stands_again:
        names = ", ".join(name(each.id) for each in done.stands_again)
        lines.append(f"Held again, because what had replaced it goes: {names}.")
    if done.kept_closed:
        names = ", ".join(name(each.id) for each in done.kept_closed)
        lines.append(f"Forgotten instead of held again: {names}. `helix restore` brings it back.")
    return lines


def _told_of(positions: Sequence[int]) -> str:
    acts = ", ".join(map(str, positions[:SHOWN]))
    more = f" and {len(positions) - SHOWN} more" if len(positions) > SHOWN else ""
    return (
        f"Other records name it or hold the same words: act {acts}{more}."
        " `helix log` shows them; `helix forget ID --hard` destroys one."
    )


def scrubbed(
    scope: str, looked_at: int, leaks: Sequence[Leak], *, taken_out: bool, scoured: bool = False
) -> str:
    """Return what holds secrets, or held them, what stays, and whether files were scoured."""
    looked = how_many(looked_at, "record")
    if not leaks:
        line = f"No secret was found in {looked} (asked from {one_line(scope)})."
        return f"{line}\nThe files were written anew, and their log emptied." if scoured else line
    lasting = [each for each in leaks if each.permanent]
    verb = "were taken out of" if taken_out else "stand in"
    lines = []
    if len(lasting) < len(leaks):
        places = how_many(len(leaks) - len(lasting), "place")
        lines.append(f"Secrets {verb} {places}, {looked} looked at (from {one_line(scope)}):")
    for each in leaks:
        if not each.permanent:
            shown = faint(_place(each)) if taken_out else name(each.name)
            lines += ["", shown, *behind_bar(each.redacted)]
    if lasting:
        lines += [
            "",
            click.style(
                f"{how_many(len(lasting), 'secret')} cannot be taken out, in sealed headers:"
                " change them where they are used.",
                fg="red",
            ),
        ]
        lines += [f"{each.name}: {one_line(each.redacted)}" for each in lasting]
    return "\n".join(lines).strip("\n")


def _place(leak: Leak) -> str:
    # A name is made of words, and these are gone.
    return f"record {leak.position}" if leak.position else leak.where
