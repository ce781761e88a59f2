"""What agents say to their hooks, put into one form: that of Claude Code. Pure.

Codex and Gemini CLI say nearly the same; how their shells answer is read in
`helix.connect.shells`. Cursor has events and fields of its own. How each of them is answered
stands in `helix.doors.hooks.replying`. Looked up in their documentation in November 2026.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from helix.connect.shells import UNTOLD, answered, tells_status

Said = Mapping[str, object]


def common(name: str, said: Said) -> Said:
    """Return what an agent said to a hook in the form that the steps read."""
    if name in _CURSOR:
        roots = said.get("workspace_roots")
        root = roots[0] if isinstance(roots, list) and roots else ""
        session = said.get("session_id") or said.get("conversation_id") or ""
        shared = {"session_id": session, "cwd": said.get("cwd") or root}
        return {**said, **shared, **_CURSOR[name](said)}
    response = said.get("tool_response")
    told = answered(response)
    # Where a shell answers in a text, the event itself does not tell whether it went well.
    if told is not response or isinstance(response, str):
        return {**said, "tool_response": told, UNTOLD: not tells_status(told)}
    return said


# --- Cursor -------------------------------------------------------------------------------


def _shell(said: Said) -> Said:
    told = {"output": said.get("output") or "", "exit_code": said.get("exit_code")}
    command = {"command": said.get("command") or ""}
    untold = not tells_status(told)
    return {"tool_name": "Shell", "tool_input": command, "tool_response": told, UNTOLD: untold}


def _edit(said: Said) -> Said:
    edits = said.get("edits")
    first = edits[0] if isinstance(edits, list) and edits else {}
    new = first.get("new_string") if isinstance(first, dict) else ""
    asked = {"file_path": said.get("file_path") or "", "new_string": new or ""}
    return {"tool_name": "Edit", "tool_input": asked}


def _failure(said: Said) -> Said:
    asked = said.get("tool_input")
    if isinstance(asked, str):
        try:
            asked = json.loads(asked)
        except (ValueError, RecursionError):
            asked = {"input": asked}
    return {"tool_input": asked, "error": said.get("error_message") or said.get("error") or ""}


def _words(said: Said) -> Said:
    return {"last_assistant_message": said.get("text") or ""}


def _as_it_is(said: Said) -> Said:
    del said
    return {}


_CURSOR: Mapping[str, Callable[[Said], Said]] = {
    "sessionStart": _as_it_is,
    "beforeSubmitPrompt": _as_it_is,
    "afterShellExecution": _shell,
    "afterFileEdit": _edit,
    "postToolUseFailure": _failure,
    "preCompact": _as_it_is,
    "afterAgentResponse": _words,
    "sessionEnd": _as_it_is,
}
