"""What happens in a hook: read the event, do it, answer; and never later than its deadline."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from helix.doors.hooks import events
from helix.doors.hooks.events import Event

if TYPE_CHECKING:
    from helix.app.facade import Helix

GUARD = "HELIX_HOOK"
"""Set in whatever Helix starts: an agent that works for Helix must not be remembered."""

MOST_READ = 1 << 22
LARGEST_LOG = 1 << 18
SURE = 0.5
"""A prompt is answered unasked only if half of its telling words are in one memory…"""
MATCHED = 2
"""…and at least two of them."""
PROMPT_BUDGET = 400
PROMPT_ANSWERS = 3
SHORTEST_PROMPT = 12


def run(args: Sequence[str]) -> int:
    """Do what one hook asks; always 0, and at its deadline the process ends where it is."""
    started = time.monotonic()
    name = args[0] if args else ""
    kind = events.NAMES.get(name)
    if kind is None or os.environ.get(GUARD):
        if kind is None:
            _log(name, "unknown_event", started)
        return 0
    os.environ[GUARD] = "1"
    watch = threading.Timer(events.DEADLINES[kind], _give_up, (name, started))
    watch.daemon = True
    watch.start()
    gc.disable()  # a process of a tenth of a second collects nothing
    try:
        _do(kind, name, _agent(args))
    except BaseException as error:  # noqa: BLE001 - fail open, whatever it is
        _log(name, getattr(error, "code", None) or type(error).__name__, started)
    # Nothing is left to tidy up; leaving Python the long way costs a tenth of a hook.
    os._exit(0)


def _do(kind: str, name: str, agent: str) -> None:
    said = json.loads(sys.stdin.buffer.read(MOST_READ) or b"{}")
    event = Event(kind, name, said if isinstance(said, dict) else {})
    if not (kind == events.TURN_END and event.said.get("stop_hook_active")):
        _STEPS[kind](event, agent)


def _tell(event: Event, text: str) -> None:
    """Tell the agent something, at once: what is written afterwards may fail or take too long."""
    if text:
        output = {"hookEventName": event.name, "additionalContext": text}
        sys.stdout.write(json.dumps({"hookSpecificOutput": output}, ensure_ascii=False))
        sys.stdout.flush()


def _keep_tool(event: Event, agent: str) -> None:
    from helix.connect.observing import observed

    seen = observed(event.said, failed=event.kind == events.TOOL_FAILED)
    if seen is None:
        return
    use = event.text("tool_use_id")
    with _opened(event, agent) as memory:
        if _in_a_project(memory):
            memory.capture(
                seen.content,
                session=event.session,
                tool=seen.tool[:100],
                exit_status=seen.exit_status,
                files=seen.files,
                event_id=f"hook:{event.session}:{use}"[:300] if use else None,
            )


def _begin(event: Event, agent: str) -> None:
    from helix.doors.briefing import briefing

    with _opened(event, agent) as memory:
        _tell(event, briefing(memory).text)
        if event.session and _in_a_project(memory):
            memory.session(event.session).start()


def _prompted(event: Event, agent: str) -> None:
    from helix.connect.observing import PROMPT

    prompt = event.text("prompt").strip()
    if len(prompt) < SHORTEST_PROMPT or prompt.startswith("/"):
        return
    with _opened(event, agent) as memory:
        # Asked before it is kept, or the prompt would find itself.
        _tell(event, _recalled(memory, prompt, event.session))
        if _in_a_project(memory):
            memory.capture(
                f"The user asked: {prompt[:PROMPT]}", session=event.session, tool="prompt"
            )


def _recalled(memory: Helix, prompt: str, session: str) -> str:
    from helix.doors.agent_text import pack
    from helix.model.recollection import Recollected

    answer = memory.recall(prompt[:1_000], limit=PROMPT_ANSWERS * 2)
    if not isinstance(answer, Recollected) or answer.confidence < SURE:
        return ""
    sure = [
        each.memory
        for each in answer.remembered
        if len(each.matched) >= MATCHED and not _of_session(each.memory, session)
    ]
    if not sure:
        return ""
    return pack("Helix remembers:", sure[:PROMPT_ANSWERS], PROMPT_BUDGET).text


def _of_session(memory: object, session: str) -> bool:
    around = getattr(memory, "circumstances", None)
    return bool(session) and around is not None and around.session == session


def _checkpoint(event: Event, agent: str) -> None:
    from helix.doors.hooks.transcripts import last_words

    words = last_words(event.text("transcript_path"))
    if not words:
        return
    with _opened(event, agent) as memory:
        if _in_a_project(memory):
            memory.capture(
                f"Checkpoint before the context was compacted; {words}",
                session=event.session,
                tool="compaction",
            )


def _keep_last_words(event: Event, agent: str) -> None:
    from helix.connect.observing import ENDS_AT

    words = event.text("last_assistant_message") or event.text("prompt_response")
    if len(words.strip()) < SHORTEST_PROMPT:
        return
    with _opened(event, agent) as memory:
        if _in_a_project(memory):
            memory.capture(
                f"{agent} ended its turn: {words.strip()[:ENDS_AT]}",
                session=event.session,
                tool="turn",
            )


def _end(event: Event, agent: str) -> None:
    with _opened(event, agent) as memory:
        if event.session and _in_a_project(memory):
            memory.session(event.session).end()


_STEPS: dict[str, Callable[[Event, str], None]] = {
    events.SESSION_START: _begin,
    events.PROMPT: _prompted,
    events.TOOL: _keep_tool,
    events.TOOL_FAILED: _keep_tool,
    events.COMPACTION: _checkpoint,
    events.TURN_END: _keep_last_words,
    events.SESSION_END: _end,
}


def _in_a_project(memory: Helix) -> bool:
    # What happens outside every project is not true everywhere: it would turn up in all.
    return memory.scope != "global"


def _opened(event: Event, agent: str) -> Helix:
    """Open the memory of the folder the agent works in; words only, so that no model loads."""
    from dataclasses import replace

    from helix.app.facade import Helix

    folder = event.text("cwd")
    opened = Helix.open(folder=folder or None, agent=agent, by_folder_alone=True)
    return Helix(replace(opened.context, embedder=lambda: None))


def _agent(args: Sequence[str]) -> str:
    given = [each.removeprefix("--agent=") for each in args[1:] if each.startswith("--agent=")]
    return given[0] if given else "claude-code"


def _give_up(name: str, started: float) -> None:
    _log(name, "deadline", started)
    os._exit(0)


def _log(name: str, fault: str, started: float) -> None:
    """Write one line on what went wrong; never what was said."""
    with suppress(Exception):
        home = Path(os.environ.get("HELIX_HOME") or Path.home() / ".helix").expanduser()
        if not home.is_dir():
            return
        path = home / "hooks.log"
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "event": name[:60],
            "fault": fault[:100],
            "ms": round((time.monotonic() - started) * 1000),
        }
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
