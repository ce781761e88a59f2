"""SciFact: scientific claims and the abstracts that support or contradict them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Asked, Haystack, Note


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack, one note per abstract; claims without evidence are not asked."""
    notes = tuple(
        Note(str(each["doc_id"]), f"{each['title']}\n{' '.join(reading.listed(each['abstract']))}")
        for each in reading.records(reading.found(folder, "corpus*")[0])
    )
    known = {note.id for note in notes}
    claims = reading.records(reading.found(folder, "claims*")[0])
    asked = [_asked(claim, known) for claim in claims]
    return [Haystack("abstracts", notes, tuple(each for each in asked if each is not None))]


def _asked(claim: Json, known: set[str]) -> Asked | None:
    labels = _evidence(claim["evidence"])
    gold = frozenset(labels) & known
    category = "+".join(sorted({labels[each] for each in gold}))
    return Asked(claim["claim"], gold, category) if gold else None


def _evidence(evidence: Json) -> dict[str, str]:
    """Return each document's label; evidence comes as a list, or by document as published."""
    if isinstance(evidence, dict):
        return {str(doc): given[0]["label"] for doc, given in evidence.items() if given}
    return {str(each["doc_id"]): each["label"] for each in evidence}
