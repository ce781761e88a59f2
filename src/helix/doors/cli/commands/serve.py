"""`helix serve`: the resident form, for programs, hooks and MCP over HTTP."""

from __future__ import annotations

import os

import click

from helix.doors.cli.commands.mcp import check_installed
from helix.doors.cli.door import Answer, Door, command
from helix.doors.neutral import one_line

PORT = 8642


@command("serve", examples=["helix serve", "helix serve --status", "helix serve --stop"])
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True,
              help="0 takes any that is free.")  # fmt: skip
@click.option("--no-token", is_flag=True, help="Let every program of this machine in.")
@click.option("--tools", type=click.Choice(["default", "full"]), default="default",
              show_default=True, help="How many tools agents are offered at /mcp.")  # fmt: skip
@click.option("--stop", "stopping", is_flag=True, help="Stop the one that runs.")
@click.option("--status", "asking", is_flag=True, help="Say whether one runs.")
def serve_command(
    door: Door, *, port: int, no_token: bool, tools: str, stopping: bool, asking: bool
) -> Answer:
    """Serve this store over HTTP on this machine, until it is stopped.

    REST below /v1 (described at /openapi.json), MCP at /mcp, figures at /metrics. Requests
    carry a token, made anew at each start unless HELIX_TOKEN gives one. The project follows
    from the folder that a request names in its header Helix-Folder. Hooks find the server by
    themselves and are quicker with it.
    """
    check_installed()
    from helix.doors.rest.serving import running, serve, stop

    store = door.store_path()
    if stopping:
        was = stop(store)
        return door.say("Stopped." if was else "None was running.", {"stopped": was})
    if asking:
        told = running(store)
        if told is None:
            return door.say("None is running.", {"running": False})
        address = f"http://127.0.0.1:{told['port']}"
        words = f"Running at {address} (process {told['pid']}).\nToken: {told['token']}"
        return door.say(words, {"running": True, "address": address, **told})

    def ready(address: str) -> None:
        door.say(
            f"Serving {one_line(str(store))} at {address}\n"
            f"REST {address}/v1 · MCP {address}/mcp · {address}/openapi.json\n"
            "The token is shown by `helix serve --status`. Stop with Ctrl-C.",
            {"address": address, "pid": os.getpid()},
        )

    token = "" if no_token else os.environ.get("HELIX_TOKEN") or None
    serve(store, port, token=token, full=tools == "full", ready=ready)
    return {"stopped": True}
