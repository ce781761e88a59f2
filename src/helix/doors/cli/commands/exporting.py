"""`helix export`: a memory as files that people read."""

from __future__ import annotations

from pathlib import Path

import click

from helix.doors.cli.door import Answer, Door, command
from helix.doors.neutral import neutral, one_line, spelled
from helix.rules.counting import how_many


@command("export", examples=["helix export --markdown memory/"])
@click.option("--markdown", "folder", type=click.Path(file_okay=False, path_type=Path),
              metavar="FOLDER", required=True, help="Write a file per type.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over edits that were never taken back.")
def export_command(door: Door, folder: Path, *, force: bool) -> Answer:
    """Write what is held in this scope as Markdown, one file per type.

    The files can be kept in a repository and reviewed: the same memory gives the same files.
    Edits come back with `helix import --markdown FOLDER`. Episodes are left out; they are
    evidence, and not edited. So is what is under suspicion, until you approve it in review.
    A folder that holds edits which were not taken back, or memories of another scope, is
    refused.
    """
    from helix.portable.workflow import as_it_is, export

    with door.memory() as memory:
        done = export(memory, folder, neutral, earlier=(spelled, as_it_is), force=force)
        scope = memory.scope
    counts = done.counts
    lines = [f"  {one_line(str(folder / name))}.md  {number}" for name, number in counts.items()]
    head = f"Wrote {how_many(sum(counts.values()), 'memory')} of {one_line(scope)}:"
    if done.left_out:
        left_out = how_many(done.left_out, "memory")
        lines.append(f"Left out {left_out} under suspicion: `helix review` shows what waits.")
    document: Answer = {
        "scope": scope, "folder": str(folder), "counts": counts, "left_out": done.left_out,
    }  # fmt: skip
    return door.say("\n".join([head, *lines]), document)
