"""`helix recall` by way of a server that runs: the store is open there, the model loaded.

Only plain questions go this way. Whatever names another store, scope or speaker, is piped
in, or goes wrong, is done by the command itself, which also words the error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from helix.doors.resident import handed_over, home_here

PATIENCE = 5.0
"""Seconds after which the command does it itself."""

ELSEWHERE = ("--store", "--scope", "--agent", "--help", "-h")
"""Options that mean another memory than the server would ask, or no question at all."""

WHERE = ("HELIX_PROJECT", "HELIX_TRACEBACK", "_HELIX_COMPLETE")


def answered(args: Sequence[str]) -> int | None:
    """Answer a question and return the exit code, or None if it was not done.

    Raises `OSError` if there is an answer that could not be told.
    """
    if not may_be_handed_over(args) or any(os.environ.get(name) for name in WHERE):
        return None
    import json

    try:
        terminal = sys.stdout.isatty()
        colour = terminal and not os.environ.get("NO_COLOR")
        here = os.getcwd()  # noqa: PTH109 - importing pathlib takes as long as the exchange
        asked = {
            "args": list(args), "folder": here, "home": os.path.abspath(home_here()),  # noqa: PTH100
            "terminal": terminal, "colour": colour,
        }  # fmt: skip
        body = handed_over("command", "recall", "", json.dumps(asked).encode(), PATIENCE)
        if body is None:
            return None
        told = json.loads(body)
        text, code = str(told["text"]), int(told["exit_code"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return code


def may_be_handed_over(args: Sequence[str]) -> bool:
    """Return whether these arguments ask the user's own memory, and name a question."""
    named = any(each == name or each.startswith(name + "=") for each in args for name in ELSEWHERE)
    return not named and "-" not in args and any(not each.startswith("-") for each in args)
