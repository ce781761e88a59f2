"""PEPs: decision records of which some were superseded by others.

The titles of both are asked. Looking at what holds now, the successor must stand above
and the superseded one must not be presented; looking at history, it must be marked. Who
supersedes whom is told to the memory, and is nowhere in the texts that are searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Asked, Haystack, Note, oldest_first

OPENING = 2_000
"""Letters of a record that are kept: a memory is a distilled observation, not a document."""

CREATED = "%d-%b-%Y"

Successors = Mapping[str, tuple[str, ...]]


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack, one note per record, oldest first."""
    records = list(reading.records(reading.found(folder, "peps*")[0]))
    peps = {str(each["pep"]): each for each in records}
    successors: Successors = {
        number: tuple(str(new) for new in each["superseded_by"] if str(new) in peps)
        for number, each in peps.items()
    }
    successors = {old: new for old, new in successors.items() if new}
    notes = oldest_first(_note(number, each, successors) for number, each in peps.items())
    return [Haystack("decisions", notes, tuple(_asked(peps, successors)))]


def _note(number: str, each: Json, successors: Successors) -> Note:
    return Note(
        id=number,
        text=f"{each['title']}\n{each['text'].strip()[:OPENING]}",
        when=reading.moment(each["created"], CREATED) if each.get("created") else None,
        type="decision",
        supersedes=tuple(old for old, new in successors.items() if number in new),
    )


def _asked(peps: Mapping[str, Json], successors: Successors) -> Iterator[Asked]:
    for old, new in successors.items():
        passed, holding = _followed(old, successors)
        for category, number in (("old title", old), ("new title", new[0])):
            title = peps[number]["title"]
            yield Asked(title, holding, f"{category}, current", stale=passed)
            yield Asked(
                title, frozenset(new), f"{category}, history",
                stale=frozenset({old}), view="history",
            )  # fmt: skip


def _followed(old: str, successors: Successors) -> tuple[frozenset[str], frozenset[str]]:
    """Return everything superseded from here on, and what holds at the end of it."""
    passed: set[str] = set()
    holding: set[str] = set()
    waiting = [old]
    while waiting:
        number = waiting.pop()
        if number not in successors:
            holding.add(number)
        elif number not in passed:
            passed.add(number)
            waiting += successors[number]
    return frozenset(passed), frozenset(holding)
