"""What each event does to a memory, wherever the memory is open: here, or in a server.

Each step is a generator. It yields what the agent should know, before it writes anything:
what was said is said, whatever becomes of the writing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from helix.doors.hooks import events
from helix.doors.hooks.events import Event

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.rules.secrets.cutting import Clean

SURE = 0.5
"""A prompt is answered unasked only if half of its telling words are in one memory…"""
MATCHED = 2
"""…and at least two of them."""
PROMPT_BUDGET = 400
PROMPT_ANSWERS = 3
SHORTEST = 12
LONGEST_TOOL = 100

Opened = Callable[[], "Helix"]
Step = Callable[[Event, str, Opened], Iterator[str]]


def taken(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    """Do what an event asks for; the memory is opened only if it is needed."""
    if event.kind == events.TURN_END and event.said.get("stop_hook_active"):
        return iter(())
    return _STEPS[event.kind](event, agent, cache(opened))


def _gate(opened: Opened) -> Clean:
    """Return what the user's gates do to a text; the memory is opened when there is one."""

    def clean(text: str) -> str:
        from helix.capture.admission import cleaning

        return cleaning(opened().context.gates)(text)

    return clean


def _keep_tool(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    from helix.connect.observing import observed
    from helix.rules.secrets.cutting import beginning

    del agent
    clean = _gate(opened)
    seen = observed(event.said, failed=event.kind == events.TOOL_FAILED, clean=clean)
    if seen is None:
        return
    memory = opened()
    if _in_a_project(memory):
        from helix.doors.hooks.once import keep_use

        keep_use(
            memory,
            event.session,
            event.text("tool_use_id"),
            seen.content,
            tool=beginning(seen.tool, LONGEST_TOOL, clean),
            exit_status=seen.exit_status,
            files=seen.files,
        )
    yield from ()


def _begin(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    from helix.doors.briefing import briefing

    del agent
    memory = opened()
    yield briefing(memory).text
    if event.session and _in_a_project(memory):
        memory.session(event.session).start()


def _prompted(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    from helix.connect.observing import PROMPT
    from helix.rules.secrets.cutting import beginning

    del agent
    prompt = event.text("prompt").strip()
    if len(prompt) < SHORTEST or prompt.startswith("/"):
        return
    memory = opened()
    from helix.doors.hooks.once import keep_asked

    # Asked before it is kept, or the prompt would find itself.
    yield _recalled(memory, prompt, event.session)
    if _in_a_project(memory):
        # Known by its words as they are kept: without their secrets.
        words = beginning(prompt, PROMPT, _gate(opened))
        keep_asked(memory, event.session, words, f"The user asked: {words}")


def _recalled(memory: Helix, prompt: str, session: str) -> str:
    from helix.doors.agent_text import pack
    from helix.model.recollection import Recollected

    answer = memory.recall(prompt[:1_000], limit=PROMPT_ANSWERS * 2)
    if not isinstance(answer, Recollected) or answer.confidence < SURE:
        return ""
    sure = [
        each
        for each in answer.remembered
        if len(each.matched) >= MATCHED and not _of_session(each.memory, session)
    ][:PROMPT_ANSWERS]
    if not sure:
        return ""
    brief = {each.memory.id: each.shortened for each in sure}
    return pack("Helix remembers:", [each.memory for each in sure], PROMPT_BUDGET, brief).text


def _of_session(memory: object, session: str) -> bool:
    around = getattr(memory, "circumstances", None)
    return bool(session) and around is not None and around.session == session


def _checkpoint(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    from helix.doors.hooks.transcripts import last_words

    del agent
    words = last_words(event.text("transcript_path"), _gate(opened))
    memory = opened() if words else None
    if memory is not None and _in_a_project(memory):
        memory.capture(
            f"Checkpoint before the context was compacted; {words}",
            session=event.session,
            tool="compaction",
        )
    yield from ()


def _keep_last_words(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    from helix.connect.observing import ENDS_AT
    from helix.rules.secrets.cutting import beginning

    words = event.text("last_assistant_message") or event.text("prompt_response")
    memory = opened() if len(words.strip()) >= SHORTEST else None
    if memory is not None and _in_a_project(memory):
        from helix.doors.hooks.once import keep_ended

        words = beginning(words, ENDS_AT, _gate(opened))
        keep_ended(memory, event.session, words, f"{agent} ended its turn: {words}")
    yield from ()


def _end(event: Event, agent: str, opened: Opened) -> Iterator[str]:
    del agent
    memory = opened()
    if event.session and _in_a_project(memory):
        memory.session(event.session).end()
    yield from ()


def _in_a_project(memory: Helix) -> bool:
    # What happens outside every project is not true everywhere: it would turn up in all.
    return memory.scope != "global"


_STEPS: dict[str, Step] = {
    events.SESSION_START: _begin,
    events.PROMPT: _prompted,
    events.TOOL: _keep_tool,
    events.TOOL_FAILED: _keep_tool,
    events.COMPACTION: _checkpoint,
    events.TURN_END: _keep_last_words,
    events.SESSION_END: _end,
}
