"""`helix import`: start full, from what agents, notes, git and other memories left behind."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from helix.doors.cli.agreeing import agree
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched
from helix.doors.error_mapping import EXIT_CODES
from helix.doors.neutral import neutral, one_line, shell_word, spelled
from helix.model.errors import BadInput, Conflict
from helix.rules.counting import how_many

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.connect.importing.looking import Source
    from helix.connect.importing.workflow import Tally
    from helix.portable.comparing import Edit

MOST_NAMED = 5
"""Sources that wait, of one import, that it names."""


@command(
    "import",
    examples=[
        "helix import auto",
        "helix import git",
        "helix import notes/ mem0-export.json session.jsonl",
        "helix import --markdown memory/",
    ],
)
@click.argument("sources", nargs=-1, metavar="[auto|git|PATH]...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--trust", is_flag=True, help="Trust the PATHs: what they hold counts at once.")
@click.option("--markdown", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Take back a folder that `helix export --markdown` wrote.")  # fmt: skip
def import_command(
    door: Door, sources: tuple[str, ...], *, yes: bool, trust: bool, markdown: Path | None
) -> Answer:
    """Take in what is there already, into this folder's project.

    `auto` looks where agents keep things about this project and asks once. `git` reads the
    history of the repository here. A PATH is a transcript (Claude Code, Codex, SpecStory,
    SWE-agent, or any JSON lines with a role and a content), rules for agents (AGENTS.md,
    CLAUDE.md, Cursor's), decision records, Markdown notes, or an export of another Helix,
    mem0, claude-mem, basic-memory or the MCP reference memory.

    Everything is marked as ingested, with its source. It may be stopped at any time; the
    same source again adds nothing. What lies outside this project and your agents' own folders
    is held back until you trust where it comes from: `helix trust PATH`, or --trust.
    """
    if markdown is not None:
        return _edited(door, markdown, yes=yes)
    if not sources:
        raise BadInput(
            "nothing to import was named", code="nothing_named", remedy="try `helix import auto`"
        )
    started = time.monotonic()
    with door.memory(begins=True) as memory:
        found = _auto(door, yes=yes) if "auto" in sources else []
        named = _named([each for each in sources if each != "auto"])
        if trust:
            _trust(memory, named)
        found += named
        tallies = [(each, taken(memory, each)) for each in found]
        scope = memory.scope
    return _told(door, scope, tallies, time.monotonic() - started)


def _named(sources: Sequence[str]) -> list[Source]:
    from helix.connect.importing.looking import Source

    found = []
    for each in sources:
        path = Path.cwd() if each == "git" else Path(each)
        if not path.exists():
            raise BadInput(
                f"there is no {one_line(each)}", code="no_such_file", remedy="check the path"
            )
        if not (path.is_file() or path.is_dir()):
            raise BadInput(
                f"{one_line(each)} is neither a file nor a folder", code="not_a_file",
                remedy="write what it holds to a file first",
            )  # fmt: skip
        found.append(Source("git" if each == "git" else path.name, str(path), (path,)))
    return found


def _auto(door: Door, *, yes: bool) -> list[Source]:
    from helix.app.homes import user_home
    from helix.connect.importing.looking import sources

    found = sources(project(), user_home())
    if not found:
        if not door.as_json:
            click.echo("Nothing to import was found for this project.", err=True)
        return []
    for each in () if door.as_json else found:
        number = len(each.paths)
        what = each.says if each.kind == "git" else f"{each.says} ({how_many(number, 'file')})"
        click.echo(f"  {one_line(what)}", err=True)
    if not yes:
        if door.as_json or not sys.stdin.isatty():
            raise BadInput(
                "nobody is here to be asked", code="not_confirmed", remedy="add --yes to take it in"
            )
        agree("Take all of this in?", usually=True)
    return found


def project() -> Path:
    """Return the root of the repository here, or this folder."""
    here = Path.cwd()
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), here)


def _trust(memory: Helix, sources: Sequence[Source]) -> None:
    for path in (path for source in sources for path in source.paths):
        name = waits_for(memory, path, path)
        if name:
            with suppress(Conflict):  # another process has just said so
                memory.trusting.trust(name)


def waits_for(memory: Helix, path: Path, named: Path) -> str:
    """Return what a file's pieces wait for if nobody trusts it; nothing for the user's own.

    `named` is what was to be imported: the file itself, or a folder, which is trusted as one.
    A file that a link leads to waits under its own name, whatever lies beside the link.
    """
    from helix.app.homes import user_home
    from helix.connect.importing.looking import is_own

    if is_own(path, _root(memory), user_home()):
        return ""
    whole, folder = path.resolve(), named.resolve()
    if memory.trusting.trusts(str(whole)):
        return ""
    # In a folder that is trusted already, somebody has distrusted this file by itself.
    as_one = whole.is_relative_to(folder) and not memory.trusting.trusts(str(folder))
    return str(folder if as_one else whole)


def _root(memory: Helix) -> Path | None:
    root = memory.context.root or project()
    return root if memory.context.root or (root / ".git").exists() else None


def taken(memory: Helix, source: Source) -> Tally:
    """Take in one source, with a bar where somebody watches."""
    from helix.capture.admission import cleaning
    from helix.connect.importing.workflow import Tally, take_in

    # Pieces are cut as they are read, and a secret that was cut would pass the gate.
    clean = cleaning(memory.context.gates)
    tally = Tally()
    if source.kind == "git":
        from helix.connect.importing import git

        repository = source.paths[0]
        tally.reads(waits_for(memory, repository, repository))
        total = git.counted(repository)
        with watched("Reading git history", total) as progress:
            history = git.commits(repository)
            taken_back, name = git.reverted(repository), repository.resolve().name
            pieces = git.pieces(history, taken_back, name, clean)
            return take_in(memory, pieces, "git", tally, progress)
    from helix.connect.importing.detecting import files
    from helix.connect.importing.detecting import pieces as read
    from helix.doors.cli import exported
    from helix.portable.workflow import is_export

    paths = [(each, named) for named in source.paths for each in files(named)]
    size = sum(each.stat().st_size for each, _ in paths)
    with watched(f"Reading {one_line(source.kind)}", size) as progress:
        for path, named in paths:
            tally.reads(waits_for(memory, path, named))
            ref = _ref(path, _root(memory))
            if is_export(path):
                progress(path.stat().st_size)
                pieces = exported.pieces(memory, path, ref, tally)
            else:
                pieces = read(path, ref, progress, clean)
            take_in(memory, pieces, _extractor(source, path), tally)
    return tally


def _extractor(source: Source, path: Path) -> str:
    known = ("rules", "decisions", "claude-code", "codex", "specstory")
    return source.kind if source.kind in known else path.suffix.lstrip(".").lower() or "file"


def _ref(path: Path, project_root: Path | None) -> str:
    """Return how a file is called in its pieces: within the project, or where it lies."""
    whole = path.resolve()
    root = project_root and project_root.resolve()
    return str(whole.relative_to(root) if root and whole.is_relative_to(root) else whole)


def _edited(door: Door, folder: Path, *, yes: bool) -> Answer:
    from helix.portable.comparing import ADDED, CORRECTED, ELSEWHERE, UNKNOWN
    from helix.portable.knowing import HELD
    from helix.portable.workflow import apply, as_it_is, edits, passed_over

    if not folder.is_dir():
        raise BadInput(
            f"there is no folder {one_line(str(folder))}", code="no_such_file",
            remedy="write one with `helix export --markdown`",
        )  # fmt: skip
    with door.memory(begins=True) as memory:
        # Files written before pictures and stray joiners were made harmless fit as well.
        found = edits(memory, folder, neutral, earlier=(spelled, as_it_is))
        fits = [each for each in found if each.kind in (CORRECTED, ADDED)]
        others = [(each.name, why) for each, why in passed_over(memory, folder)]
        lines = [_edit_line(each) for each in found if each.kind in _SAYS]
        lines += [f"  {one_line(name)} was passed over: {why}" for name, why in others]
        if fits and not yes:
            if door.as_json or not sys.stdin.isatty():
                raise BadInput(
                    f"{len(fits)} edits wait, and nobody is here to be asked",
                    code="not_confirmed", remedy="add --yes to take them back",
                )  # fmt: skip
            click.echo("\n".join(lines), err=True)
            agree("Take these edits back?", usually=True)
        done = apply(memory, fits)
        scope = memory.scope
    states = Counter(each.state for each in done)
    lines += [
        f"  {one_line(each.edit.memory_id or each.edit.type)} refused: {one_line(each.why)}"
        for each in done
        if each.state == "refused"
    ]
    held = states["held"] + sum(each.kind == HELD for each in found)
    already = f", {held:,} held already" if held else ""
    refused = f", {states['refused']:,} refused" if states["refused"] else ""
    taken_back = f"{how_many(states['taken'], 'edit')} taken back in {one_line(scope)}"
    lines.append(f"{taken_back}{already}{refused}.")
    elsewhere = sum(each.kind in (ELSEWHERE, UNKNOWN) for each in found)
    if elsewhere:
        lines.append(
            f"{how_many(elsewhere, 'section')} of memories that are not held here: left alone;"
            f" `helix import {shell_word(str(folder))}` takes them in."
        )
    document: Answer = {
        "scope": scope,
        "edits": [
            {"kind": each.kind, "type": each.type, "id": each.memory_id or None} for each in found
        ],
        "taken": [
            {
                "id": each.edit.memory_id or None,
                "state": each.state,
                "now": each.memory_id or None,
                "why": each.why or None,
            }
            for each in done
        ],
        "passed_over": [{"file": name, "why": why} for name, why in others],
    }
    answer = door.say("\n".join(lines), document)
    if states["refused"]:
        raise click.exceptions.Exit(EXIT_CODES[Conflict.family])
    return answer


_SAYS = {
    "corrected": "would replace",
    "added": "is new",
    "outdated": "was edited, but the memory has changed since: left alone",
    "unknown": "is not held here: left alone",
    "earlier": "is on record, and was corrected, forgotten or erased since: left alone",
    "empty": "has no text left: left alone; `helix forget` lets a memory go",
    "loose": "has words that stand in no section: left alone; put a `## ` heading above them",
}


def _edit_line(edit: Edit) -> str:
    text = f": {one_line(edit.text)[:80]}" if edit.text else ""
    return f"  {one_line(edit.memory_id or edit.type)} {_SAYS[edit.kind]}{text}"


def _told(
    door: Door, scope: str, tallies: Sequence[tuple[Source, Tally]], seconds: float
) -> Answer:
    lines, documents = [], []
    for source, tally in tallies:
        kept = ", ".join(f"{number:,} {kind}" for kind, number in sorted(tally.kept.items()))
        lines.append(f"{one_line(source.says)}: {kept or 'nothing new'}")
        if tally.held:
            lines.append(f"  {tally.held:,} of these wait for you: `helix review` shows them")
        lines += [
            f"  let {number:,} of them count with `helix trust {shell_word(name)}`"
            for name, number in tally.held_for.most_common(MOST_NAMED)
        ]
        if len(tally.held_for) > MOST_NAMED:
            lines.append("  and so on: `helix trust` lists the sources")
        if tally.known:
            lines.append(f"  {tally.known:,} were there already")
        if tally.refused:
            lines.append(f"  {tally.refused:,} could not be taken in:")
            lines += [f"    {one_line(ref)}: {one_line(why)}" for ref, why in tally.refusals]
        documents.append(
            {
                "source": source.kind,
                "kept": dict(tally.kept),
                "held": tally.held,
                "held_for": dict(tally.held_for),
                "waits_for": next(iter(tally.untrusted), None),
                "known": tally.known,
                "refused": tally.refused,
                "refusals": [{"ref": ref, "why": why} for ref, why in tally.refusals],
            }
        )
    total = sum(sum(tally.kept.values()) for _, tally in tallies)
    lines.append(f"{how_many(total, 'memory')} taken into {one_line(scope)} in {seconds:.1f} s.")
    document: Answer = {"scope": scope, "kept": total, "seconds": round(seconds, 3)}
    return door.say("\n".join(lines), document | {"sources": documents})
