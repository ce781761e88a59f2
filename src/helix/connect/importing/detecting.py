"""Which reader a file needs, told from its name and its first lines. Streams what can be."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from helix.connect.importing import memories, notes, specstory, swe_agent, transcripts
from helix.connect.importing.pieces import UNKNOWN, Piece, Unreadable
from helix.rules.secrets.cutting import Clean
from helix.rules.secrets.redacting import redacted

LARGEST_WHOLE = 64 << 20
"""Bytes of a file that must be read whole, as a JSON document must."""

LONGEST_LINE = 16 << 20
TEXTS = (".md", ".mdc", ".markdown", ".txt")
LINES = (".jsonl", ".ndjson")
DOCUMENTS = (".json", ".traj")
TABLES = (".csv", ".tsv")
"""Text, but no notes."""

NOT_LOOKED_INTO = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", "dist"})

Read = Callable[[int], None]


def files(path: Path) -> Iterator[Path]:
    """Yield the files below a path that a reader may know, in a fixed order.

    Pipes and devices are none: reading one may never end. A folder that cannot be looked into
    is yielded itself, so that reading it says why.
    """
    if path.is_file():
        yield path
    if not path.is_dir():
        return
    try:
        inside = sorted(path.iterdir())
    except PermissionError:
        yield path
        return
    for each in inside:
        if each.name in NOT_LOOKED_INTO or each.is_symlink():
            continue
        if each.is_dir():
            yield from files(each)
        elif each.is_file() and _may_be_known(each):
            yield each


def _may_be_known(path: Path) -> bool:
    return path.suffix.lower() in (*TEXTS, *LINES, *DOCUMENTS) or path.name in notes.RULE_FILES


def pieces(
    path: Path, ref: str, read: Read = lambda _: None, clean: Clean = redacted
) -> Iterator[Piece]:
    """Yield the pieces of a file; `read` is told of the bytes as they are read.

    `clean` is what every text passes before it is cut.
    """
    suffix = path.suffix.lower()
    try:
        if suffix in LINES:
            yield from _of_lines(path, ref, read, clean)
        elif suffix in DOCUMENTS:
            yield from _of_document(path, ref, read, clean)
        else:
            yield from _of_text(path, ref, read, clean)
    except OSError as error:
        yield Unreadable(ref, error.strerror or type(error).__name__)
    except UnicodeDecodeError:
        yield Unreadable(ref, "not text")
    except RecursionError:
        yield Unreadable(ref, "nested too deep")


def _of_lines(path: Path, ref: str, read: Read, clean: Clean) -> Iterator[Piece]:
    lines = _lines(path, read)
    first = next(lines, "")
    told = _json(first)
    if isinstance(told, dict) and told.get("type") in ("entity", "relation"):
        for number, line in enumerate([first, *lines], start=1):
            if line.strip():
                yield from memories.reference(line, f"{ref}:{number}", clean)
    elif isinstance(told, dict) and isinstance(told.get("traj"), dict):
        for line in _chain(first, lines):
            yield from swe_agent.read(_json(line), ref, clean)
    elif isinstance(told, dict) and isinstance(told.get("markdown"), str):
        for line in _chain(first, lines):
            each = _json(line)
            if isinstance(each, dict) and isinstance(each.get("markdown"), str):
                where = f"{ref}#{each.get('path') or each.get('session') or ''}"
                yield from specstory.read(each["markdown"], where, clean)
    else:
        yield from transcripts.read(_chain(first, lines), ref, clean)


def _of_document(path: Path, ref: str, read: Read, clean: Clean) -> Iterator[Piece]:
    if path.stat().st_size > LARGEST_WHOLE:
        yield Unreadable(ref, "too large to be read whole")
        return
    text = _text(path.read_bytes())
    read(path.stat().st_size)
    told = _json(text)
    if told is None:
        yield Unreadable(ref, "not JSON")
    elif isinstance(told, dict) and ("trajectory" in told or "traj" in told):
        yield from swe_agent.read(told, ref, clean)
    elif isinstance(told, dict) and "observations" in told:
        yield from memories.claude_mem(told, ref, clean)
    elif _is_mem0(told):
        yield from memories.mem0(told, ref, clean)
    else:
        yield from transcripts.read([json.dumps(told)], ref, clean)


def _of_text(path: Path, ref: str, read: Read, clean: Clean) -> Iterator[Piece]:
    if path.stat().st_size > LARGEST_WHOLE:
        yield Unreadable(ref, "too large to be read whole")
        return
    text = _text(path.read_bytes())
    read(path.stat().st_size)
    if "\0" in text:
        yield Unreadable(ref, "not text")
        return
    if path.suffix.lower() in TABLES:
        yield Unreadable(ref, UNKNOWN)
        return
    found = _of_known_text(path, text, ref, clean)
    first = next(found, None)
    if first is not None:
        yield first
        yield from found
    elif text.strip() and not _is_json(text):
        yield Unreadable(ref, "nothing in it to keep")


def _of_known_text(path: Path, text: str, ref: str, clean: Clean) -> Iterator[Piece]:
    place = path.as_posix()
    if specstory.is_history(text):
        yield from specstory.read(text, ref, clean)
    elif memories.is_basic_memory(text):
        yield from memories.basic_memory(text, ref, clean)
    elif place.endswith(notes.RULE_FILES) or path.suffix == ".mdc":
        yield from notes.rules(text, ref, clean)
    elif notes.is_decision_record(place, text):
        yield from notes.decision_record(text, ref, clean)
    elif _is_json(text):
        yield from transcripts.read(text.split("\n"), ref, clean)
    else:
        yield from notes.notes(text, ref, clean)


def _is_json(text: str) -> bool:
    told = text.lstrip()
    if not told.startswith("["):
        return told.startswith("{")
    # Notes may begin with a link, or with a box to tick.
    return _json(told.partition("\n")[0]) is not None or _json(told) is not None


def _text(content: bytes) -> str:
    """Return bytes as text: UTF-8, or UTF-16 where a mark at the beginning says so."""
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = content.decode("utf-16" if marked else "utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _lines(path: Path, read: Read) -> Iterator[str]:
    # Split at newlines alone: texts contain other things that Python takes for line ends.
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            read(len(line))
            yield line.decode("utf-8-sig", "replace")


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_mem0(told: object) -> bool:
    items = told.get("results") or told.get("memories") if isinstance(told, dict) else told
    return isinstance(items, list) and any(
        isinstance(each, dict) and isinstance(each.get("memory"), str) for each in items[:20]
    )
