"""What is fuzzed: every parser, and every way in. Each takes a text, and may refuse it.

A target raises `HelixError` for what it will not take; anything else it raises is a finding.
Where a document is wanted, one is shaped out of the text (`benchmarks.integrity.shaping`), so
that a mutation reaches what lies behind the reading of JSON as well. The doors stand in
`benchmarks.integrity.fuzz_doors`, what is typed in `benchmarks.integrity.fuzz_lines`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.integrity import fuzz_doors, fuzz_lines
from benchmarks.integrity.fitting import changed
from benchmarks.integrity.fuzz_doors import ended
from benchmarks.integrity.shaping import Target, chance_of, plain, shaped
from helix.model.errors import HelixError

if TYPE_CHECKING:
    from helix.app.facade import Helix

FIRST = (
    "MCP frames", "MCP over HTTP", "MCP tools", "REST", "REST hooks", "handed over", "hooks",
    "hook payloads", "observing", "transcripts", "file .jsonl", "file .json", "file .md",
    "file .traj", "git history", "notes", "exported files", "receipt", "settings",
    "life settings", "agents' JSON", "agents' text", "git config", "remotes", "a model's reply",
    "a model's rating", "a model's answer", "capture", "remember", "recall", "show", "review",
    "subject", "commands",
)  # fmt: skip
"""In which order they get their time: what a stranger can reach comes first."""


@contextmanager
def targets(folder: Path) -> Iterator[dict[str, Target]]:
    """Give every parser and way in, by name; what they write goes below `folder`."""
    with ExitStack() as open_stores, closing(asyncio.new_event_loop()) as loop:

        def opened(path: Path, agent: str = "") -> Helix:
            return open_stores.enter_context(_opened(path, agent))

        memory = opened(folder / "fuzz.db", "fuzz")
        memory.remember("water is wet")
        memory.capture("it rained all night", session="s1", event_id="rain")
        known = {
            **_rules(), **_readers(folder, memory), **_files(), **_sleep(memory), **_models(),
            **fuzz_doors.targets(folder, memory, loop),
            **fuzz_lines.targets(folder, memory, opened),
        }  # fmt: skip
        first = [each for each in FIRST if each in known]
        rest = [each for each in known if each not in first]
        yield {name: known[name] for name in [*first, *rest]}
        ended(loop)


def _opened(path: Path, agent: str) -> Helix:
    from helix.app.facade import Helix

    with_model = Helix.open(path, scope="project:fuzz", agent=agent, background=False)
    # Words only: a model's mathematics is not what is fuzzed, and would take all the time.
    return Helix(replace(with_model.context, embedder=lambda: None))


def _rules() -> dict[str, Target]:
    from datetime import UTC, datetime

    from helix.capture.admission import admitted, admitted_attributes
    from helix.consolidation.commits import stated
    from helix.consolidation.talk import said
    from helix.doors.cli.moments import moment_from
    from helix.doors.documents import as_json
    from helix.doors.neutral import neutral
    from helix.ledger.encoding import decode, encode
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
    acts = _acts()

    def redacting(text: str) -> None:
        once = redacted(text, people=True)
        assert not secrets_in(once, people=True)

    def decoding(text: str) -> None:
        kind = chance_of(text).choice(sorted(acts))
        near = json.dumps(changed(acts[kind], text)).encode(errors="replace")
        for raw in (text.encode(errors="replace"), near):
            with suppress(HelixError):
                read = decode(kind, 1, raw)
                assert decode(kind, 1, encode(read)) == read

    def showing(text: str) -> None:
        json.loads(as_json({"text": plain(text)}))
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
        chance = chance_of(text)
        count, unit = chance.randrange(10**7), chance.choice(("minute", "day", "month", "year"))
        for said_so in (text, f"{count} {unit}s ago", f"in {count} {unit}", f"2026-{text[:9]}"):
            with suppress(HelixError):
                moment_from(said_so, now)

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


@cache
def _acts() -> dict[str, dict[str, object]]:
    """Return an act of each kind as the ledger keeps it."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    from helix.ledger.encoding import encode, kind_of
    from helix.model.act import Act
    from helix.testing.strategies import any_act

    found: dict[str, dict[str, object]] = {}

    @seed(1)
    @settings(
        max_examples=500, database=None, deadline=None, phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(any_act())
    def drawn(act: Act) -> None:
        found[kind_of(act)] = json.loads(encode(act))

    drawn()
    return found


_ENTRY = (
    "type", "role", "content", "message", "text", "input", "name", "id", "tool_use_id", "timestamp",
    "payload", "uuid", "sessionId", "arguments", "call_id", "output", "tool_use", "tool_result",
    "trajectory", "action", "observation", "thought", "traj", "results", "memory", "categories",
    "observations", "facts", "summaries", "created_at", "title", "entity", "relation", "from", "to",
    "relationType", "entityType", "markdown", "path", "history", "is_error", "user", "assistant",
)  # fmt: skip


_COMMIT = ("sha", "author", "date", "subject", "body")


def _readers(folder: Path, memory: Helix) -> dict[str, Target]:
    from helix.connect.importing import git, memories, notes, specstory, swe_agent, transcripts
    from helix.connect.importing.detecting import pieces
    from helix.connect.observing import observed
    from helix.portable import markdown, workflow

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

    def logged(text: str) -> None:
        history = [git._commit(each) for each in plain(text).split(git.RECORD)]
        parts = {name: plain(text[start:]) for start, name in enumerate(_COMMIT)}
        history.append(git.Commit(**parts, files=tuple(plain(text).split())))
        list(git.pieces(history, {"", plain(text)[:12]}, "shop"))

    def exported(text: str, memory: Helix) -> None:
        held = folder / "exported"
        held.mkdir(exist_ok=True)
        raw = text.encode("utf-8", "surrogatepass")
        (held / "fact.md").write_bytes(raw)
        (held / "decision.md").write_bytes(markdown.HEADER.encode() + b"\n\n## " + raw)
        edits = workflow.edits(memory, held)
        workflow.apply(memory, edits[:3])

    tool = ("tool_name", "tool_input", "tool_response", "command", "stdout", "stderr", "exit_code",
            "error", "file_path", "files", "interrupted", "content", "is_error")  # fmt: skip
    return {
        "transcripts": document,
        "notes": marked_down,
        "git history": logged,
        "exported files": lambda text: exported(text, memory),
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
        names = ("mcpServers", "helix", "command", "args", "servers")
        commented = f"// {plain(text[:40])!r}\n{json.dumps(shaped(text, names), indent=1)}\n"
        for told in (text, commented):
            with suppress(HelixError):
                jsonc.parsed(told)
                added = jsonc.with_member(told, path, {"command": "helix"})
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
    from helix.consolidation import rating, thinking
    from helix.model.night import Night

    held = memory.list(limit=10)
    episodes = tuple(each for each in held if each.type == "episode")
    facts = {each.id: each for each in held if each.type != "episode"}
    night = Night(memory.context.realm, memory.context.clock.now(), 2, episodes, facts)
    questions = list(thinking.questions(night))
    names = ("type", "content", "cites", "relation", "target")

    def conclusion(text: str) -> dict[str, object]:
        """Return one that nearly fits: of what is enumerated, most is taken from the lists."""
        chance = chance_of(text)
        fits: dict[str, object] = {
            "type": chance.choice(thinking.TYPES),
            "content": plain(text[:300]),
            "cites": [chance.choice(episodes).id],
            "relation": chance.choice(thinking.RELATIONS),
            "target": chance.choice([*facts, None]),
        }
        wild = shaped(text, names)
        return {name: wild.get(name) if chance.random() < 0.2 else fits[name] for name in names}

    def replying(text: str) -> None:
        half = len(text) // 2
        near = {"conclusions": [conclusion(text), conclusion(text[half:]), shaped(text, names)]}
        for question in questions:
            for reply in (text, json.dumps(near), f"```json\n{json.dumps(near)}\n```{text}"):
                with suppress(thinking.Unreadable):
                    thinking.believed(night, question, reply)

    rated = rating.rating_questions(night)

    def rates(text: str) -> None:
        chance = chance_of(text)
        near = {"id": chance.choice(episodes).id, "importance": chance.randrange(12)}
        wild = shaped(text, ("id", "importance"))
        told = {"ratings": [near, near | wild, wild]}
        for question in rated:
            for reply in (text, json.dumps(told)):
                with suppress(thinking.Unreadable):
                    rating.rated(night, question, reply)

    found: dict[str, Target] = {"a model's reply": replying} if questions else {}
    return found | ({"a model's rating": rates} if rated else {})


def _models() -> dict[str, Target]:
    from helix.adapters.models import http_posting
    from helix.adapters.models.chat import AnthropicChat, ChatServer, OpenAIChat
    from helix.adapters.models.openai_compatible import OpenAICompatible, Server

    chat = ChatServer("http://127.0.0.1:1/v1", "m")
    asked = (OpenAIChat(chat, {}), AnthropicChat(chat, {}))
    names = ("choices", "message", "content", "usage", "total_tokens", "input_tokens", "type",
             "tool_use", "input", "text", "data", "index", "embedding", "error")  # fmt: skip

    def answering(text: str) -> None:
        for body in (
            text.encode("utf-8", "surrogatepass"),
            json.dumps(shaped(text, names)).encode(),
        ):
            http_posting._said(body)
            for each in asked:
                with suppress(HelixError):
                    each._read(body)
            with suppress(HelixError):
                OpenAICompatible(Server("http://127.0.0.1:1/v1", "m"), {})._vectors(body, 1)

    return {"a model's answer": answering}
