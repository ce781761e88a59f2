"""CoSQA: search queries and the Python function that answers each."""

from __future__ import annotations

from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.values import Asked, Haystack, Note


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack, one note per function."""
    codes = reading.document(reading.found(folder, "code_idx_map*")[0])
    queries = reading.records(reading.found(folder, "cosqa-retrieval-*")[0])
    notes = tuple(Note(str(index), code) for code, index in codes.items() if code.strip())
    asked = tuple(
        Asked(query["doc"], frozenset({str(query["retrieval_idx"])})) for query in queries
    )
    return [Haystack("functions", notes, asked)]
