"""What leaves the ledger by age, or would, for people and for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from helix.doors.erasures import FINISHING
from helix.doors.neutral import one_line
from helix.doors.plain import Document
from helix.doors.rendering import when
from helix.model.moment import text_of
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.retaining import BroughtBack, Checked, Due, Purge


def due(scope: str, found: Due) -> tuple[str, Document]:
    """Return what would go now, and what of that age stays."""
    number = len(found.positions)
    lines = [
        f"{number:,} records ({how_many(len(found.memory_ids), 'episode')}) are older than"
        f" {found.keep_days:g} days and have stepped back (asked from {one_line(scope)})."
    ]
    if found.oldest is not None and found.newest is not None:
        lines.append(
            f"From {when(found.oldest)} to {when(found.newest)}, {found.payload_bytes:,} bytes."
        )
    lines += [f"Of that age, {many:,} stay: {why.value}." for why, many in found.stays.items()]
    if number:
        lines.append("`helix retain --export FILE` writes them out, checks the file, purges them.")
    return "\n".join(lines), {
        "scope": scope,
        "keep_days": found.keep_days,
        "until": text_of(found.until),
        "records": number,
        "episodes": len(found.memory_ids),
        "oldest": None if found.oldest is None else text_of(found.oldest),
        "newest": None if found.newest is None else text_of(found.newest),
        "bytes": found.payload_bytes,
        "stays": {why.name.lower(): many for why, many in found.stays.items()},
        "purged": False,
    }


def purged(scope: str, done: Purge) -> tuple[str, Document]:
    """Return what went, and where it stands now."""
    lines = [
        f"Exported and purged {how_many(done.records, 'record')},"
        f" {done.memories:,} of them episodes"
        f" (asked from {one_line(scope)}).",
        f"They stand in {one_line(str(done.path))}, which was read back and matches;"
        f" SHA-256 {done.sha256[:16]}…",
        f"The store had {done.bytes_before:,} bytes and has {done.bytes_after:,}.",
    ]
    if done.copies_removed:
        lines.append(f"Copies removed: {', '.join(map(one_line, done.copies_removed))}.")
    if not done.scoured:
        lines += ["Bytes of it may be left in the store's files, which were in use.", FINISHING]
    return "\n".join(lines), {
        "scope": scope,
        "purged": True,
        "file": str(done.path),
        "records": done.records,
        "episodes": done.memories,
        "sha256": done.sha256,
        "copies_removed": list(done.copies_removed),
        "bytes_before": done.bytes_before,
        "bytes_after": done.bytes_after,
        "scoured": done.scoured,
    }


def checked(scope: str, path: Path, found: Checked) -> tuple[str, Document]:
    """Return that every record of an export is the one that stood in the ledger."""
    text = (
        f"All {found.records:,} records of {one_line(str(path))} match the ledger's seals:"
        f" {found.purged:,} are gone from it, {found.present:,} still there"
        f" (asked from {one_line(scope)})."
    )
    return text, {
        "scope": scope,
        "file": str(path),
        "matches": True,
        "records": found.records,
        "purged": found.purged,
        "present": found.present,
    }


def brought_back(scope: str, path: Path, done: BroughtBack) -> tuple[str, Document]:
    """Return what an export gave back."""
    text = (
        f"Brought back {how_many(done.restored, 'episode')} of {one_line(str(path))},"
        f" to where they stood;"
        f" {done.there_already:,} were there, {done.left_out:,} were left out"
        f" (asked from {one_line(scope)})."
    )
    return text, {
        "scope": scope,
        "file": str(path),
        "restored": done.restored,
        "there_already": done.there_already,
        "left_out": done.left_out,
    }
