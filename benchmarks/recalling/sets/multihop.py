"""2Wiki and HotpotQA: questions that take two or more paragraphs, all paragraphs pooled."""

from __future__ import annotations

from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.values import Asked, Haystack, Note

PARTS = ("2wiki", "hotpot")


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack, one note per paragraph; gold is the titles of the facts."""
    part = part or PARTS[0]
    items = list(reading.records(reading.found(folder, f"{part}*")[0]))
    texts: dict[str, str] = {}
    for item in items:
        for title, sentences in item["context"]:
            texts.setdefault(title, f"{title}\n{' '.join(each.strip() for each in sentences)}")
    notes = tuple(Note(title, text) for title, text in texts.items())
    asked = (
        Asked(
            item["question"],
            frozenset(title for title, _ in item["supporting_facts"]) & texts.keys(),
            item.get("type", ""),
        )
        for item in items
    )
    return [Haystack(part, notes, tuple(each for each in asked if each.gold))]
