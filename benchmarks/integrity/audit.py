"""Whether a locked package has a known vulnerability, by a copy of the OSV database. Offline.

The database publishes all entries of an ecosystem as one archive of JSON files. A maintainer
fetches it; this reads it and the lock files, and asks nobody.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from benchmarks.figures import Check
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import table, verdicts

LOCKS = ("requirements.lock", "requirements-dev.lock")
ECOSYSTEM = "PyPI"
LARGEST = 4 << 20
"""Bytes of one entry that are read; the longest real ones have a few hundred thousand."""

_PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Known:
    """A vulnerability that a locked version has."""

    package: str
    version: str
    id: str
    says: str


def run(osv: Path, root: Path) -> tuple[dict[str, object], list[str]]:
    """Return what is known of the packages in the locks below a folder."""
    locked = {
        name: version
        for lock in LOCKS
        for name, version in pinned((root / lock).read_text(encoding="utf-8")).items()
    }
    entries = list(_entries(osv))
    found = sorted(vulnerable(locked, entries), key=lambda each: (each.package, each.id))
    checks = [
        Check("locked packages with a known vulnerability", len(found), not found),
        Check("entries read, at least 1,000", len(entries), len(entries) >= 1_000),
    ]
    document: dict[str, object] = {
        "benchmark": "audit",
        "packages": len(locked),
        "entries": len(entries),
        "known": [
            {"package": each.package, "version": each.version, "id": each.id, "says": each.says}
            for each in found
        ],
        "checks": [each.plain() for each in checks],
    }
    rows = [[each.package, each.version, each.id, each.says[:60]] for each in found]
    told = table(["package", "version", "entry", "what"], rows) if rows else []
    told.append(f"{len(locked)} locked packages against {len(entries):,} entries")
    return document, [*told, "", *verdicts(checks)]


def pinned(lock: str) -> dict[str, str]:
    """Return the versions in a lock file, by the canonical name of the package."""
    return {canonicalize_name(name): version for name, version in _PINNED.findall(lock)}


def vulnerable(locked: Mapping[str, str], entries: Iterable[Json]) -> Iterator[Known]:
    """Yield what is known of the locked versions. Withdrawn entries do not count."""
    for entry in entries:
        if entry.get("withdrawn"):
            continue
        for affected in entry.get("affected") or ():
            package = affected.get("package") or {}
            name = canonicalize_name(str(package.get("name", "")))
            if package.get("ecosystem") != ECOSYSTEM or name not in locked:
                continue
            if _covers(affected, locked[name]):
                says = str(entry.get("summary") or entry.get("details") or "")
                yield Known(name, locked[name], str(entry.get("id")), " ".join(says.split())[:200])
                break


def _covers(affected: Json, version: str) -> bool:
    if version in (affected.get("versions") or ()):
        return True
    return any(
        _within(each.get("events") or (), version)
        for each in affected.get("ranges") or ()
        if each.get("type") == "ECOSYSTEM"
    )


def _within(events: Iterable[Json], version: str) -> bool:
    """Return whether a version lies in a range: introduced, and neither fixed nor after the last.

    What cannot be compared counts as within: a person looks at it.
    """
    try:
        ours = Version(version)
        inside = False
        for event in sorted(events, key=_moment):
            (what, at), *_ = event.items()
            reached = at == "0" or ours >= Version(at)
            if what == "introduced" and reached:
                inside = True
            elif (what == "fixed" and reached) or (
                what == "last_affected" and at != "0" and ours > Version(at)
            ):
                inside = False
    except InvalidVersion:
        return True
    return inside


def _moment(event: Json) -> Version:
    at = str(next(iter(event.values()), "0"))
    return Version("0" if at == "0" else at)


def _entries(osv: Path) -> Iterator[Json]:
    if not osv.exists():
        raise Unavailable(f"there is no {osv}: fetch the {ECOSYSTEM} archive of the OSV database")
    with zipfile.ZipFile(osv) as archive:
        for each in archive.infolist():
            if each.filename.endswith(".json") and each.file_size <= LARGEST:
                entry = json.loads(archive.read(each))
                if isinstance(entry, dict):
                    yield entry
