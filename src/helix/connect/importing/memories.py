"""What other memories export: mem0, claude-mem, basic-memory, the MCP reference memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from helix.connect.importing.pieces import (
    Happened,
    IsSo,
    Piece,
    Unreadable,
    clipped,
    digest,
    moment,
)
from helix.rules.secrets.cutting import Clean
from helix.rules.secrets.redacting import redacted

_CATEGORIES = {
    "decision": "decision", "preference": "preference", "convention": "convention",
    "rule": "convention", "technique": "procedure", "method": "procedure", "howto": "procedure",
    "procedure": "procedure", "snippet": "snippet",
}  # fmt: skip
_OBSERVATION = re.compile(r"^\s*- \[([a-zA-Z][\w -]{0,40})\]\s+(.+?)\s*$")
_TAIL = re.compile(r"(?:\s+#[\w/-]+)*(?:\s+\([^()]*\))?(?:\s+#[\w/-]+)*$")
_RELATION = re.compile(r"^\s*- ([a-z][\w ]{0,40}?)\s+\[\[([^\]]+)\]\]")


def mem0(told: object, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the memories of a mem0 export."""
    items = told.get("results") or told.get("memories") if isinstance(told, dict) else told
    for number, item in enumerate(items if isinstance(items, list) else [], start=1):
        text = item.get("memory") or item.get("text") if isinstance(item, dict) else None
        if not isinstance(text, str) or not text.strip():
            yield Unreadable(f"{ref}#{number}", "no memory in it")
            continue
        since = moment(item.get("updated_at") or item.get("created_at"))
        where = f"{ref}#{item.get('id', number)}"
        yield IsSo(clipped(text, clean=clean), _of_categories(item.get("categories")), where, since)


def claude_mem(told: Mapping[str, object], ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the observations and summaries of a claude-mem export."""
    for item in _tables(told.get("observations")):
        parts = [item.get(key) for key in ("title", "subtitle", "narrative", "text")]
        text = ". ".join(str(part).strip(" .") for part in parts if isinstance(part, str) and part)
        if not text:
            continue
        where = f"{ref}#{item.get('id', digest(text))}"
        at = moment(item.get("created_at_epoch") or item.get("created_at"))
        if item.get("type") == "decision":
            yield IsSo(clipped(text, clean=clean), "decision", where, at)
        else:
            files = _strings(item.get("files_modified"))
            session = str(item.get("memory_session_id") or "")[:200]
            yield Happened(
                clipped(text, clean=clean), digest("claude-mem", where), where, at, session,
                "claude-mem", files=tuple(files[:50]), placed=True,
            )  # fmt: skip
        for fact in _strings(item.get("facts")):
            yield IsSo(clipped(fact, clean=clean), "fact", where, at)
    for item in _tables(told.get("summaries") or told.get("session_summaries")):
        told_of = [
            f"{key}: {item[key]}"
            for key in ("request", "learned", "completed", "next_steps")
            if isinstance(item.get(key), str) and item[key]
        ]
        if told_of:
            where = f"{ref}#summary-{item.get('id', digest(*told_of))}"
            at = moment(item.get("created_at_epoch") or item.get("created_at"))
            yield Happened(
                clipped("\n".join(told_of), clean=clean), digest("claude-mem", where), where, at,
                str(item.get("memory_session_id") or "")[:200], "claude-mem", placed=True,
            )  # fmt: skip


def basic_memory(text: str, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the observations and relations of a basic-memory note."""
    titled = re.search(r"^title:\s*(.+)$", text, re.MULTILINE)
    title = titled[1].strip().strip("'\"") if titled else ref.rsplit("/", 1)[-1].removesuffix(".md")
    for number, line in enumerate(text.split("\n"), start=1):
        seen, tie = _OBSERVATION.match(line), _RELATION.match(line)
        if seen:
            said = _TAIL.sub("", seen[2]).strip()
            kind = _CATEGORIES.get(seen[1].lower(), "fact")
            yield IsSo(clipped(f"{title}: {said}", clean=clean), kind, f"{ref}:{number}")
        elif tie:
            yield IsSo(f"{title} {tie[1].replace('_', ' ')} {tie[2]}", "fact", f"{ref}:{number}")


def is_basic_memory(text: str) -> bool:
    """Return whether a note has the frontmatter and the observations of basic-memory."""
    lines = text[:50_000].split("\n")
    return "permalink:" in text[:2_000] and any(_OBSERVATION.match(line) for line in lines)


def reference(line: str, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield what one line of the MCP reference memory holds."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        yield Unreadable(ref, "not JSON")
        return
    if not isinstance(told, dict):
        yield Unreadable(ref, "neither an entity nor a relation")
        return
    if told.get("type") == "relation":
        yield IsSo(
            f"{told.get('from')} {str(told.get('relationType')).replace('_', ' ')}"
            f" {told.get('to')}", "fact", ref,
        )  # fmt: skip
    elif told.get("type") == "entity":
        name, kind = told.get("name"), told.get("entityType")
        yield IsSo(clipped(f"{name} is a {kind}", clean=clean), "entity", ref)
        for said in _strings(told.get("observations")):
            yield IsSo(clipped(f"{name}: {said}", clean=clean), "fact", ref)
    else:
        yield Unreadable(ref, "neither an entity nor a relation")


def _of_categories(names: object) -> str:
    for name in _strings(names):
        for part, kind in _CATEGORIES.items():
            if part in name.lower():
                return kind
    return "fact"


def _tables(value: object) -> list[Mapping[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _strings(value: object) -> list[str]:
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
