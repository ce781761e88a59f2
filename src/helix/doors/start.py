"""Where the program begins: hooks go straight to their door, everything else to the CLI.

A hook runs at every step of an agent. Parsing its two words with click would cost it a
third of its time. A question goes to a server that runs, if one does, and to the CLI if not.
"""

from __future__ import annotations

import os
import sys


def run() -> int:
    """Run the program and return its exit code."""
    given = sys.argv[1:]
    if sys.stdout is None:  # it was closed by whoever began us: what is said is for nobody
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - see `asking`
    if given[:1] == ["hook"] and len(given) > 1 and not given[1].startswith("-"):
        from helix.doors.hooks.workflow import run as hook

        return hook(given[1:])
    if given[:1] == ["recall"]:
        try:
            from helix.doors.asking import answered

            code = answered(given[1:])
        except (OSError, KeyboardInterrupt) as error:
            from helix.doors.cli.main import failed

            return failed(error, given)
        if code is not None:
            return code
    from helix.doors.cli.main import run as command

    return command()
