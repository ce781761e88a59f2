"""What a client may read, and the prompts it may offer its user."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from helix.doors import agent_text
from helix.doors.briefing import briefing
from helix.doors.mcp import calls
from helix.doors.neutral import one_line
from helix.model.errors import NotFound

if TYPE_CHECKING:
    from helix.app.facade import Helix

BRIEFING = "helix://briefing"
MEMORY = "helix://memory/"
BRIEFING_TOKENS = 2_000
RESUME_TOKENS = 3_000
EPISODES = 12

PROMPTS = {
    "hand_over": "Write down what the next session must know, before this one ends.",
    "resume": "Take up the work where the last session left it.",
}

HAND_OVER = """\
This session ends soon. Leave what the next one needs in long-term memory:
1. `remember` each decision that was made, with its reason, and each convention that was agreed.
2. `capture` what was tried, what failed and why, and what fixed it.
3. `correct` whatever memory told you that turned out to be wrong.
4. `capture` one episode beginning with "Hand-over:": what is done, what is open, what to do next.
Leave out what the repository itself says, and never write secrets."""


def read(memory: Helix, uri: str) -> str:
    """Return what stands at an address, or raise `NotFound`."""
    if uri.rstrip("/") == BRIEFING:
        return briefing(memory, BRIEFING_TOKENS).text or f"Nothing is held in {memory.scope} yet."
    if uri.startswith(MEMORY):
        return calls.why(memory, {"id": unquote(uri.removeprefix(MEMORY))})
    raise NotFound(
        f"there is nothing at {one_line(uri)}",
        code="unknown_resource",
        remedy=f"read {BRIEFING} or {MEMORY}<id>",
    )


def prompt(memory: Helix, name: str) -> str:
    """Return the words of a prompt, or raise `NotFound`."""
    if name == "hand_over":
        return HAND_OVER
    if name == "resume":
        return _resume(memory)
    raise NotFound(
        f"there is no prompt {one_line(name)}",
        code="unknown_prompt",
        remedy="use " + " or ".join(PROMPTS),
    )


def _resume(memory: Helix) -> str:
    last = memory.list(types=("episode",), limit=EPISODES)
    told = agent_text.pack("What happened last, newest first:", last, RESUME_TOKENS // 2).text
    known = briefing(memory, RESUME_TOKENS // 2).text
    return "\n\n".join(
        part
        for part in (
            "Take up the work where the last session left it. Look for a hand-over first; then"
            " say in three lines what is done, what is open and what you will do next.",
            known,
            told if last else "Memory holds no earlier session of this project.",
        )
        if part
    )
