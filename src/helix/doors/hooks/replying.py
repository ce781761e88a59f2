"""What is printed so that an agent gets to know a text: in its own form. Pure.

Apart from how agents are heard: a hook whose work a server does has only this to do.
"""

from __future__ import annotations

import json

from helix.doors.hooks.events import CURSOR


def answer(name: str, text: str) -> str:
    """Return what is printed so that the agent of an event gets to know a text."""
    if name == "sessionStart":
        told: object = {"additional_context": text} if text else {}
    elif name in CURSOR:
        # It can only be let on, or not: nothing can be added to a prompt there.
        told = {"continue": True} if name == "beforeSubmitPrompt" else {}
    elif not text:
        return ""
    else:
        told = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return json.dumps(told, ensure_ascii=False)
