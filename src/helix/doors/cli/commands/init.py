"""`helix init`: create the store, and show where things are."""

from __future__ import annotations

from helix.doors.cli.calling import as_typed
from helix.doors.cli.door import Answer, Door, command
from helix.doors.neutral import one_line
from helix.doors.reports import place


@command("init", examples=["helix init", "helix init --store ./memory.db"])
def init_command(door: Door) -> Answer:
    """Create the store if there is none, and show its path and the scope of this folder.

    Running it again changes nothing.
    """
    path = door.store_path()
    created = not path.exists()
    with door.memory() as memory:
        scope, reason = memory.scope, memory.context.scope_reason
    nexts = _next(as_typed())
    what = "created" if created else "was there already"
    lines = [
        f"store  {one_line(str(path))} ({what})",
        f"scope  {place(scope, reason)}",
        "",
        "What to type next:",
        *(f"  {each}" for each in nexts),
    ]
    document: Answer = {"scope": scope, "scope_reason": reason, "store": str(path)}
    return door.say("\n".join(lines), document | {"created": created, "next": nexts})


def _next(name: str) -> list[str]:
    return [
        f'{name} remember "This repo uses pnpm, not npm" --type convention',
        f"{name} recall which package manager do we use",
        f"{name} tour --guided",
    ]
