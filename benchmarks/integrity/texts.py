"""The texts of the public sets, as plain strings: what honest memory is made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.recalling.sets.reading import Json, found, records
from benchmarks.recalling.values import Unavailable

LONGEST = 20_000


def commits(folder: Path) -> Iterator[str]:
    """Yield the messages of real projects' commits."""
    for path in found(folder, "*.commits.jsonl*"):
        for each in records(path):
            yield f"{each['subject']}\n{each.get('body') or ''}".strip()


def peps(folder: Path) -> Iterator[str]:
    """Yield the paragraphs of decision records, a few thousand letters at a time."""
    for path in found(folder, "peps.jsonl*"):
        for each in records(path):
            yield from pieces(str(each.get("text") or each.get("body") or ""))


def traces(folder: Path) -> Iterator[str]:
    """Yield what stands in real coding sessions, a few thousand letters at a time."""
    for path in found(folder, "specstory.jsonl*"):
        for each in records(path):
            for text in strings(each):
                yield from pieces(text)


def pieces(text: str, letters: int = 4_000) -> Iterator[str]:
    """Yield a long text cut at line breaks."""
    piece: list[str] = []
    length = 0
    for line in text.split("\n"):
        if length + len(line) > letters and piece:
            yield "\n".join(piece)
            piece, length = [], 0
        piece.append(line[:LONGEST])
        length += len(line) + 1
    if piece:
        yield "\n".join(piece)


def strings(value: Json) -> Iterator[str]:
    """Yield every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def beside(folder: Path, seed_step: int = 1) -> Iterator[tuple[str, str]]:
    """Yield (set, text) of every honest set that lies beside a set's folder.

    Each `seed_step`th text is taken; nothing where a set is absent.
    """
    ways = {"git_history": commits, "peps": peps, "agent_traces": traces}
    for name, way in ways.items():
        try:
            for index, text in enumerate(way(folder.parent / name)):
                if index % seed_step == 0 and text.strip():
                    yield name, text
        except Unavailable:
            continue
