"""`helix completion`: a script that completes `helix` in a shell."""

from __future__ import annotations

import click

from helix.doors.cli.calling import NAME
from helix.doors.cli.door import Answer, Door, command

SHELLS = ("bash", "zsh", "fish")


@command(
    "completion",
    examples=[
        'eval "$(helix completion bash)"',
        "helix completion zsh > ~/.zfunc/_helix",
        "helix completion fish > ~/.config/fish/completions/helix.fish",
    ],
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, door: Door, shell: str) -> Answer:
    """Print a completion script for your shell. Nothing is installed."""
    from click.shell_completion import get_completion_class

    from helix.doors.cli.main import COMPLETE_VARIABLE

    kind = get_completion_class(shell)
    assert kind is not None  # click knows all three
    script = kind(ctx.find_root().command, {}, NAME, COMPLETE_VARIABLE).source()
    return door.say(script, {"shell": shell, "script": script})
