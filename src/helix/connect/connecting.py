"""Writing agents' files, and putting them back: the only module here that touches them.

Before a file is changed, its bytes are kept beside the store, with what it was changed to.
Disconnecting puts the very bytes back if nobody else has written the file since; if somebody
has, only what was added is taken out. A file that cannot be understood is left as it is.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from helix.app.private_files import private_folder
from helix.app.whole_files import replace_whole
from helix.connect.agents import SERVER, Agent, Change, Places
from helix.model.errors import BadInput, HelixError

MANIFEST = "connected.json"
LARGEST = 32 << 20  # bytes; a state file of Claude Code can be some megabytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was, or would be, done to one file. `why` says so where nothing could be."""

    agent: str
    path: Path
    what: str
    state: str  # written, unchanged, refused, restored, taken_out, missing
    why: str = ""
    difference: str = ""


def reached(outcomes: Iterable[Outcome]) -> set[str]:
    """Return the agents that can reach this memory now: their server was added, or is there."""
    return {
        each.agent
        for each in outcomes
        if each.what == SERVER and each.state in {"written", "unchanged"}
    }


class Connections:
    """What was added where, remembered in a folder of Helix's own."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; it is made when something is first written."""
        self._folder = folder

    def connect(
        self, agent: Agent, places: Places, command: Sequence[str], *,
        dry_run: bool = False, leave_out: Iterable[str] = (),
    ) -> list[Outcome]:  # fmt: skip
        """Add Helix to an agent's files; again changes nothing."""
        outcomes: list[Outcome] = []
        planned: dict[Path, tuple[bytes | None, str]] = {}
        skipped = set(leave_out)
        for change in agent.changes(places, command):
            if change.what in skipped:
                continue
            outcomes.append(self._plan(agent, change, planned))
        if not dry_run:
            for path, (before, text) in planned.items():
                fault = self._written(agent.name, path, before, text.encode())
                outcomes = [_refused(each, path, fault) if fault else each for each in outcomes]
        return outcomes

    def disconnect(
        self, agent: Agent, places: Places, command: Sequence[str], *, dry_run: bool = False
    ) -> list[Outcome]:
        """Put an agent's files back, or take out what was added."""
        known = self._known()
        outcomes = []
        changes: dict[Path, list[Change]] = {}
        for change in agent.changes(places, command):
            changes.setdefault(change.path, []).append(change)
        for path, parts in changes.items():
            entry = known.get(agent.name, {}).get(str(path))
            outcomes.append(self._undo(agent, path, parts, entry, dry_run=dry_run))
        if not dry_run:
            _remove_empty(known.get(agent.name, {}))
        return [each for each in outcomes if each.state != "missing"]

    def connected(self) -> list[str]:
        """Return the names of the agents that were connected."""
        return sorted(name for name, files in self._known().items() if files)

    # --- one file -------------------------------------------------------------------------

    def _plan(
        self, agent: Agent, change: Change, planned: dict[Path, tuple[bytes | None, str]]
    ) -> Outcome:
        path = change.path
        try:
            if path not in planned:
                before = _read(path)
                planned_text = "" if before is None else _text(before)
                first = before
            else:
                first, planned_text = planned[path]
            after = self._added(agent, change, planned_text)
        except HelixError as error:
            return Outcome(agent.name, path, change.what, "refused", f"{error.message}")
        if after == planned_text:
            return Outcome(agent.name, path, change.what, "unchanged")
        planned[path] = (first, after)
        difference = _difference(path, planned_text, after)
        return Outcome(agent.name, path, change.what, "written", difference=difference)

    def _added(self, agent: Agent, change: Change, text: str) -> str:
        try:
            return change.add(text)
        except HelixError as error:
            ours = str(change.path) in self._known().get(agent.name, {})
            if error.code != "already_configured" or not ours:
                raise
            # Written by an earlier connect, from another place: the program has moved.
            return change.add(change.remove(text))

    def _written(self, agent: str, path: Path, before: bytes | None, after: bytes) -> str:
        """Write a file, and return what went wrong; the other files do not suffer from it."""
        earlier = self._known().get(agent, {}).get(str(path))
        try:
            self._write(agent, path, before, after, earlier)
        except OSError as error:
            self._take_back(agent, path, earlier)
            return _unwritable(error)
        return ""

    def _write(
        self,
        agent: str,
        path: Path,
        before: bytes | None,
        after: bytes,
        earlier: dict[str, object] | None,
    ) -> None:
        if earlier is None:
            # The first time only: what was there before Helix ever came.
            kept = None if before is None else self._kept(agent, path, before)
            made = [str(each) for each in _missing_folders(path)]
            entry: dict[str, object] = {"backup": kept, "made": made}
        else:
            # Somebody has written it since: what was kept would undo that as well.
            edited = before is None or earlier["after"] != _digest(before)
            entry = earlier | ({"edited": True} if edited else {})
        known = self._known()
        known.setdefault(agent, {})[str(path)] = entry | {"after": _digest(after)}
        # Noted before it is written: a process killed in between leaves a note about a file
        # that has not changed, which is harmless.
        self._note(known)
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, after)

    def _take_back(self, agent: str, path: Path, earlier: dict[str, object] | None) -> None:
        """Note what was noted before: nothing was written."""
        with suppress(OSError):
            if earlier is None:
                self._forget(agent, path)
                return
            known = self._known()
            known.setdefault(agent, {})[str(path)] = earlier
            self._note(known)

    def _undo(
        self,
        agent: Agent,
        path: Path,
        changes: Sequence[Change],
        entry: dict[str, object] | None,
        *,
        dry_run: bool,
    ) -> Outcome:
        what = " and ".join(each.what for each in changes)
        try:
            now = _read(path)
            if now is None:
                return self._missing(agent.name, path, what, dry_run=dry_run)
            if entry is not None and entry["after"] == _digest(now) and not entry.get("edited"):
                if not dry_run:
                    self._restore(agent.name, path, entry)
                return Outcome(agent.name, path, what, "restored")
            text = before = _text(now)
            for each in changes:
                text = each.remove(text)
            if text == before:
                # Somebody took it out by hand: there is nothing to be put back any more.
                return self._missing(agent.name, path, what, dry_run=dry_run)
            if not dry_run:
                _replace(path, text.encode())
                self._forget(agent.name, path)
        except HelixError as error:
            return Outcome(agent.name, path, what, "refused", error.message)
        except OSError as error:
            return Outcome(agent.name, path, what, "refused", _unwritable(error))
        why = "it was changed since, so only what was added is taken out"
        return Outcome(agent.name, path, what, "taken_out", why, _difference(path, before, text))

    def _missing(self, agent: str, path: Path, what: str, *, dry_run: bool) -> Outcome:
        if not dry_run:
            self._forget(agent, path)
        return Outcome(agent, path, what, "missing")

    def _restore(self, agent: str, path: Path, entry: dict[str, object]) -> None:
        backup = entry["backup"]
        if isinstance(backup, str):
            _replace(path, (self._folder / backup).read_bytes())
        else:
            # A link that led nowhere leads nowhere again.
            path.resolve().unlink()
        self._forget(agent, path)

    # --- what is remembered ---------------------------------------------------------------

    def _kept(self, agent: str, path: Path, content: bytes) -> str:
        private_folder(self._folder)
        name = f"{agent}-{_digest(str(path).encode())[:8]}-{path.name}"
        _replace(self._folder / name, content, private=True)
        return name

    def _known(self) -> dict[str, dict[str, dict[str, object]]]:
        try:
            known = json.loads((self._folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise BadInput(
                f"{self._folder / MANIFEST} cannot be read",
                code="bad_manifest",
                remedy="the files it speaks of are kept beside it",
            ) from error
        return known if isinstance(known, dict) else {}

    def _note(self, known: dict[str, dict[str, dict[str, object]]]) -> None:
        private_folder(self._folder)
        text = json.dumps(known, indent=2, sort_keys=True)
        _replace(self._folder / MANIFEST, text.encode(), private=True)

    def _forget(self, agent: str, path: Path) -> None:
        known = self._known()
        entry = known.get(agent, {}).pop(str(path), None)
        if entry is None:
            return
        if not known[agent]:
            del known[agent]
        self._note(known)
        backup = entry.get("backup")
        if isinstance(backup, str):
            (self._folder / backup).unlink(missing_ok=True)


def _refused(outcome: Outcome, path: Path, why: str) -> Outcome:
    """Return what became of a part of a file that could not be written."""
    if outcome.path != path or outcome.state != "written":
        return outcome
    return replace(outcome, state="refused", why=why, difference="")


def _unwritable(error: OSError) -> str:
    return f"it cannot be written: {error.strerror}"


def _read(path: Path) -> bytes | None:
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path} is too large to be a configuration", code="unknown_format")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read: {error.strerror}", code="unreadable_file"
        ) from error


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadInput("it is not UTF-8 text", code="unknown_format") from error


def _replace(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file whole or not at all; a link keeps leading where it led."""
    replace_whole(path.resolve(), content, private=private)


def _remove_empty(files: Mapping[str, Mapping[str, object]]) -> None:
    """Remove the folders that were made for an agent's files, if nothing else is in them."""
    made = {str(each) for entry in files.values() for each in _list(entry.get("made"))}
    for folder in sorted(made, key=len, reverse=True):
        with suppress(OSError):
            Path(folder).rmdir()


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _missing_folders(path: Path) -> list[Path]:
    return [each for each in path.parents if not each.exists()]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _difference(path: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True),
        f"{path} now", f"{path} then", n=2,
    )  # fmt: skip
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
