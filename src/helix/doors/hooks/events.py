"""The events of an agent's session, under the names agents give them."""

from __future__ import annotations

from collections.abc import Mapping

USUAL_AGENT = "claude-code"
"""Who is taken to speak where a hook gives no name: never the user."""

SESSION_START = "session_start"
PROMPT = "prompt"
TOOL = "tool"
TOOL_FAILED = "tool_failed"
COMPACTION = "compaction"
TURN_END = "turn_end"
SESSION_END = "session_end"

_CURSOR = {
    "sessionStart": SESSION_START,
    "beforeSubmitPrompt": PROMPT,
    "afterShellExecution": TOOL,
    "afterFileEdit": TOOL,
    "postToolUseFailure": TOOL_FAILED,
    "preCompact": COMPACTION,
    "afterAgentResponse": TURN_END,
    "sessionEnd": SESSION_END,
}
CURSOR = frozenset(_CURSOR)
"""The names that Cursor gives them; it has a form of its own for what it says and hears."""

NAMES: Mapping[str, str] = {
    "SessionStart": SESSION_START,
    "UserPromptSubmit": PROMPT,
    "BeforeAgent": PROMPT,  # Gemini CLI
    "PostToolUse": TOOL,
    "AfterTool": TOOL,  # Gemini CLI
    "PostToolUseFailure": TOOL_FAILED,
    "PreCompact": COMPACTION,
    "PreCompress": COMPACTION,  # Gemini CLI
    "Stop": TURN_END,
    "AfterAgent": TURN_END,  # Gemini CLI
    "SessionEnd": SESSION_END,
    **_CURSOR,
}

DEADLINES: Mapping[str, float] = {
    SESSION_START: 2.0,
    PROMPT: 1.0,
    TOOL: 2.0,
    TOOL_FAILED: 2.0,
    COMPACTION: 2.0,
    TURN_END: 1.0,
    SESSION_END: 1.5,
}
"""Seconds after which a hook ends, done or not."""


class Event:
    """One call of a hook: what it is to Helix, what the agent calls it, what it says.

    A plain class: `typing` and `dataclasses` take longer to import than a server to answer.
    """

    __slots__ = ("kind", "name", "said")

    def __init__(self, kind: str, name: str, said: Mapping[str, object]) -> None:
        self.kind = kind
        self.name = name
        self.said = said

    def text(self, key: str) -> str:
        """Return a text the agent sent, or an empty one."""
        value = self.said.get(key)
        return value if isinstance(value, str) else ""

    @property
    def session(self) -> str:
        """The agent's name for the session."""
        return "".join(each for each in self.text("session_id") if each.isprintable())[:200]
