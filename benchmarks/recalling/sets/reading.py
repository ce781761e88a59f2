"""Finding a set's files by how their names begin, and reading them, zstd or plain."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import zstandard

from benchmarks.recalling.values import Unavailable

Json = Any
"""What a data file holds; its schema is the set's, so it is only as typed as JSON is."""


def found(folder: Path, *patterns: str) -> list[Path]:
    """Return the files that fit the first pattern that any fits, by name; raises `Unavailable`."""
    for pattern in patterns:
        paths = sorted(path for path in folder.glob(pattern) if path.is_file())
        if paths:
            return paths
    raise Unavailable(f"no {' or '.join(patterns)} in {folder}")


def text_of(path: Path) -> str:
    """Return a file's text, unpacked if its name ends in .zst."""
    if path.suffix != ".zst":
        return path.read_text(encoding="utf-8")
    with path.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as unpacked:
        return unpacked.read().decode("utf-8")


def records(path: Path) -> Iterator[Json]:
    """Yield a file's records: the members of a JSON list, or JSON lines.

    Lines end at a line feed only: texts contain other separators (U+2028, U+0085).
    """
    text = text_of(path)
    if ".jsonl" in path.name:
        yield from (json.loads(line) for line in text.split("\n") if line.strip())
    else:
        yield from json.loads(text)


def document(path: Path) -> Json:
    """Return the one JSON value in a file."""
    return json.loads(text_of(path))


def listed(value: Json) -> list[str]:
    """Return a list of texts, given as one or as Python or numpy prints one."""
    if isinstance(value, list):
        return [str(each) for each in value]
    # numpy prints no commas; with them, the parts would not be taken as one text.
    separated = re.sub(r"(['\"])[ ]*\n[ ]*(['\"])", r"\1,\2", str(value))
    try:
        return [str(each) for each in ast.literal_eval(separated)]
    except (SyntaxError, ValueError):
        return [str(value)]


def moment(text: str, form: str) -> datetime:
    """Return a date written in a set's own form, taken as UTC."""
    return datetime.strptime(text, form).replace(tzinfo=UTC)
