"""What is fuzzed: every parser, and every way in. Each takes a text, and may refuse it.

A target raises `HelixError` for what it will not take; anything else it raises is a finding.
Where a document is wanted, one is shaped out of the text (`shaped`), so that a mutation
reaches what lies behind the reading of JSON as well.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helix.model.errors import HelixError

if TYPE_CHECKING:
    from helix.app.facade import Helix

Target = Callable[[str], object]


def targets(folder: Path) -> dict[str, Target]:
    """Return every parser and way in, by name; what they write goes below `folder`."""
    from helix.app.facade import Helix

    opened = Helix.open(folder / "fuzz.db", scope="project:fuzz", agent="fuzz", background=False)
    # Words only: a model's mathematics is not what is fuzzed, and would take all the time.
    memory = Helix(replace(opened.context, embedder=lambda: None))
    memory.remember("water is wet")
    memory.capture("it rained all night", session="s1", event_id="rain")
    return {
        **_rules(), **_readers(folder), **_files(), **_sleep(memory), **_doors(folder, memory),
    }  # fmt: skip


def shaped(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Return a document with some of these names, its values cut out of the text."""
    chance = _chance(text)
    return {name: _value(text, names, chance, 3) for name in names if chance.random() < 0.7}


def _chance(text: str) -> random.Random:
    # Half characters cannot be a seed.
    return random.Random(zlib.crc32(text.encode("utf-8", "surrogatepass")))


def _value(text: str, names: Sequence[str], chance: random.Random, depth: int) -> Any:
    start = chance.randrange(len(text) + 1)
    piece = text[start : start + chance.randrange(1, 400)]
    kind = chance.randrange(11 if depth else 7)
    plain = (piece, piece, text, chance.randrange(-(2**70), 2**70), None, chance.random() * 1e308)
    if kind < len(plain):
        return plain[kind]
    if kind == 6:
        return chance.random() < 0.5
    if kind < 9:
        return [_value(text, names, chance, depth - 1) for _ in range(chance.randrange(4))]
    keys = [chance.choice(names) for _ in range(chance.randrange(5))]
    return {key: _value(text, names, chance, depth - 1) for key in keys}


def _plain(text: str) -> str:
    """Return the text as a file or a line could hold it."""
    return text.encode(errors="replace").decode()


def _rules() -> dict[str, Target]:
    from datetime import UTC, datetime

    from helix.capture.admission import admitted, admitted_attributes
    from helix.consolidation.commits import stated
    from helix.consolidation.talk import said
    from helix.doors.cli.moments import moment_from
    from helix.doors.documents import as_json
    from helix.doors.neutral import neutral
    from helix.ledger.encoding import KINDS, decode
    from helix.recall.intent import intent
    from helix.recall.time_words import spans
    from helix.rules.echo import fenced, without_echo
    from helix.rules.entities import entities
    from helix.rules.keywords import keywords
    from helix.rules.references import about, named
    from helix.rules.relations import relation
    from helix.rules.screening.judging import screened
    from helix.rules.secrets.redacting import redacted, secrets_in
    from helix.rules.words import parts

    now = datetime(2026, 5, 14, tzinfo=UTC)

    def redacting(text: str) -> None:
        once = redacted(text, people=True)
        assert not secrets_in(once, people=True)

    def decoding(text: str) -> None:
        raw = text.encode(errors="replace")
        for kind in KINDS:
            with suppress(HelixError):
                decode(kind, 1, raw)

    def showing(text: str) -> None:
        json.loads(as_json({"text": _plain(text)}))
        assert "\x1b" not in neutral(text)
        without_echo(fenced(text))

    def referring(text: str) -> None:
        found = entities(text)
        named(text, found)
        about(text, found)

    def relating(text: str) -> None:
        half = len(text) // 2
        relation(text[:half], text[half:])

    def moments(text: str) -> None:
        moment_from(text, now)
        list(spans(text, now))

    return {
        "redaction": redacting,
        "screening": screened,
        "admission": admitted,
        "attributes": lambda text: admitted_attributes(shaped(text, [text, "a", "token"])),
        "showing": showing,
        "ledger decoding": decoding,
        "times": lambda text: list(spans(text, now)),
        "moments": moments,
        "entities": referring,
        "words": parts,
        "keywords": keywords,
        "intent": intent,
        "talk": lambda text: (said(text), stated(text)),
        "relations": relating,
    }


_ENTRY = (
    "type", "role", "content", "message", "text", "input", "name", "id", "tool_use_id", "timestamp",
    "payload", "uuid", "sessionId", "arguments", "call_id", "output", "tool_use", "tool_result",
    "trajectory", "action", "observation", "thought", "traj", "results", "memory", "categories",
    "observations", "facts", "summaries", "created_at", "title", "entity", "relation", "from", "to",
    "relationType", "entityType", "markdown", "path", "history", "is_error", "user", "assistant",
)  # fmt: skip


def _readers(folder: Path) -> dict[str, Target]:
    from helix.connect.importing import memories, notes, specstory, swe_agent, transcripts
    from helix.connect.importing.detecting import pieces
    from helix.connect.observing import observed
    from helix.portable import markdown

    def document(text: str) -> None:
        told = shaped(text, _ENTRY)
        list(transcripts.read([json.dumps(told), json.dumps([told]), text], "x.jsonl"))
        list(swe_agent.read(told, "x.traj"))
        list(memories.mem0(told, "x.json"))
        list(memories.claude_mem(told, "x.json"))
        list(memories.reference(json.dumps(told), "x.jsonl"))

    def file(suffix: str) -> Target:
        def read(text: str) -> None:
            path = folder / f"fuzzed{suffix}"
            path.write_text(text, encoding="utf-8", errors="replace", newline="")
            list(pieces(path, path.name))

        return read

    def marked_down(text: str) -> None:
        list(notes.rules(text, "AGENTS.md"))
        list(notes.decision_record(text, "0001.md"))
        list(notes.notes(text, "n.md"))
        list(specstory.read(text, "s.md"))
        list(memories.basic_memory(text, "b.md"))
        markdown.read(text)

    tool = ("tool_name", "tool_input", "tool_response", "command", "stdout", "stderr", "exit_code",
            "error", "file_path", "files", "interrupted", "content", "is_error")  # fmt: skip
    return {
        "transcripts": document,
        "notes": marked_down,
        "file .jsonl": file(".jsonl"),
        "file .json": file(".json"),
        "file .md": file(".md"),
        "file .traj": file(".traj"),
        "observing": lambda text: [
            observed(shaped(text, tool), failed=failed) for failed in (False, True)
        ],
    }


def _files() -> dict[str, Target]:
    from helix.app.git_config import remote_urls
    from helix.app.life_settings import policy_of
    from helix.app.remotes import normalise_remote
    from helix.connect import blocks, jsonc, tables

    policy = ("half_life_days", "ranker", "promotion", "retention", "name", "floor", "decision")

    def agents_json(text: str) -> None:
        path = ("mcpServers", "helix")
        with suppress(HelixError):
            jsonc.parsed(text)
        added = jsonc.with_member(text, path, {"command": "helix"})
        assert jsonc.found(jsonc.parsed(added), path) is not None
        jsonc.without_member(added, path)

    def agents_text(text: str) -> None:
        blocks.without_block(blocks.with_block(text))
        for change in (tables.with_server_table, tables.with_yaml_server):
            with suppress(HelixError):
                change(text, "mcp_servers", "helix", ["helix", "mcp"])

    return {
        "git config": remote_urls,
        "remotes": normalise_remote,
        "agents' JSON": agents_json,
        "agents' text": agents_text,
        "life settings": lambda text: policy_of(shaped(text, policy)),
    }


def _sleep(memory: Helix) -> dict[str, Target]:
    from helix.consolidation import thinking
    from helix.model.night import Night

    held = memory.list(limit=10)
    episodes = tuple(each for each in held if each.type == "episode")
    facts = {each.id: each for each in held if each.type != "episode"}
    night = Night(memory.context.realm, memory.context.clock.now(), 2, episodes, facts)
    questions = list(thinking.questions(night))
    names = ("statements", "content", "type", "cites", "episodes", "replaces", "confidence", "id")

    def replying(text: str) -> None:
        for question in questions:
            for reply in (text, json.dumps(shaped(text, names))):
                with suppress(thinking.Unreadable):
                    thinking.believed(night, question, reply)

    return {"a model's reply": replying} if questions else {}


def _doors(folder: Path, memory: Helix) -> dict[str, Target]:
    import click

    from helix.app.settings import load
    from helix.doors.cli.door import Door
    from helix.doors.cli.main import called
    from helix.doors.fields import read
    from helix.doors.hooks.events import NAMES, Event
    from helix.doors.hooks.steps import taken
    from helix.doors.mcp.tools import DEFAULT, MORE

    def settings(text: str) -> None:
        (folder / "settings.toml").write_text(text, encoding="utf-8", errors="replace")
        load({"HELIX_HOME": str(folder)}, folder)

    def line(*words: str) -> Target:
        def tried(text: str) -> None:
            given = _plain(text).replace("\x00", "")
            if given in {"", "-"}:  # then the text is read from standard input
                return
            with suppress(click.ClickException, click.exceptions.Exit, click.Abort):
                called([*words, "--", given], Door(held=memory, silent=True))

        return tried

    def receipt(text: str) -> None:
        path = folder / "receipt.json"
        names = ("attestation", "kind", "position", "seal", "records", "signature", "scheme")
        for told in (text, json.dumps(shaped(text, names))):
            path.write_text(told, encoding="utf-8", errors="replace")
            with suppress(click.ClickException, click.exceptions.Exit):
                called(["attest", "--check", str(path)], Door(held=memory, silent=True))

    def tool(text: str) -> None:
        each = _chance(text).choice([*DEFAULT, *MORE])
        given = shaped(text, [field.name for field in each.fields] or ["x"])
        each.does(memory, read(each.fields, given))

    event = ("session_id", "prompt", "cwd", "tool_name", "tool_input", "tool_response", "command",
             "transcript_path", "source", "reason", "error", "stdout", "exit_code")  # fmt: skip

    def hook(text: str) -> None:
        name = _chance(text).choice(sorted(NAMES))
        said = shaped(text, event) | {"transcript_path": str(folder / "none.jsonl")}
        list(taken(Event(NAMES[name], name, said), "fuzz", lambda: memory))

    return {
        "settings": settings,
        "capture": line("capture"),
        "remember": line("remember"),
        "recall": line("recall"),
        "show": line("show"),
        "review": line("review", "--edit", "mem_x"),
        "subject": line("subject"),
        "receipt": receipt,
        "MCP tools": tool,
        "hooks": hook,
        **_rest(memory),
    }


def _rest(memory: Helix) -> dict[str, Target]:
    try:
        from helix.doors.hooks.events import NAMES
        from helix.doors.rest.app import Application, built
        from helix.doors.rest.operations import OPERATIONS
    except ImportError:  # without the extra there is no such door
        return {}
    import asyncio
    from urllib.parse import quote

    door = built(Application(memory), "token")

    def request(text: str) -> None:
        chance = _chance(text)
        each = chance.choice(OPERATIONS)
        names = [field.name for field in (*each.body, *each.query)] or ["x"]
        body = json.dumps(shaped(text, names)) if chance.random() < 0.7 else text
        query = "&".join(
            f"{field.name}={quote(text[:40], errors='replace')}"
            for field in each.query
            if chance.random() < 0.5
        )
        path = each.path.replace("{id}", quote(text[:30], safe="", errors="replace") or "x")
        status = asyncio.run(_asked(door, each.method, path, query, body.encode(errors="replace")))
        # 503 is a store that cannot be used; here, none of that may happen.
        assert status < 500, (status, each.name)

    def hook(text: str) -> None:
        name = _chance(text).choice(sorted(NAMES))
        for body in (text, json.dumps(shaped(text, ["prompt", "session_id", "tool_name"]))):
            asked = _asked(door, "POST", f"/v1/hooks/{name}", "", body.encode(errors="replace"))
            assert asyncio.run(asked) < 500, name

    return {"REST": request, "REST hooks": hook}


async def _asked(door: Any, method: str, path: str, query: str, body: bytes) -> int:
    from urllib.parse import unquote

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": unquote(path), "raw_path": path.encode(),
        "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "headers": [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer token"),
                    (b"content-type", b"application/json")],
    }  # fmt: skip
    statuses: list[int] = []
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return parts.pop() if parts else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await door(scope, receive, send)
    return statuses[0] if statuses else 500
