"""What was run, step by step: commands of a session, how each ended, and what it complained of.

Two runs of the same thing rarely have the same letters: hashes, temporary paths, quoted
messages and counts differ. A step is gathered by what remains without them, and keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from helix.model.memory import Memory
from helix.rules.command_values import Slot, form, slots
from helix.rules.reported import Report, named_by, reported
from helix.rules.turns import TOOL, Turn
from helix.rules.vocabulary import listed

LONGEST = 200
"""Letters of a command that is worth repeating; a longer one is a script."""

_SHELLS = listed("bash sh shell zsh terminal run_command command exec execute powershell console")
_PROMPT = re.compile(r"^\s*(?:\$|>|%|\u276f|#)\s+")
_RAN = re.compile(r"^\s*(?:ran|running|run|executed)\s*:?\s*`([^`]+)`", re.IGNORECASE)
_OUTCOME = re.compile(r"\s+(?:->|=>|\u2192)\s+.*$|\s+#.*$")
_SHOWN = re.compile(
    r"\s+2>&1|\s*\|\s*(?:tail|head|cat|less|grep|wc|tee|sort)\b[^|]*|\s+(?:-v|--verbose)(?=\s|$)"
)
"""What only changes how much of the output is seen."""
_COMPLAINT = re.compile(
    r"\b(\w*(?:Error|Exception|NotFound|Failure))\b|\b(E[A-Z]{4,})\b|(error\[[A-Z]\d+\])"
    r"|(command not found|no module named|permission denied|address already in use|no such file"
    r"|connection refused|out of memory|timed out|relation \S+ does not exist|not found)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"^(?:ls|cd|cat|pwd|echo|clear|head|tail|less|which|whoami|history|sleep|true|tree|wc|date"
    r"|git (?:status|diff|log|show|add|commit|branch|fetch)|grep|rg|find|sed -n)\b"
)


class Step(NamedTuple):
    """One command: its form, its words, how it ended, its complaint, and its episode."""

    form: str
    words: str
    failed: bool
    complaint: str
    episode: Memory

    @property
    def idle(self) -> bool:
        """Whether it only looks around; such steps belong to no procedure."""
        return _IDLE.match(self.form) is not None

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The values it was run with."""
        return slots(self.words)

    @property
    def values(self) -> tuple[str, ...]:
        """The values that make it this command, without what differs by nature."""
        return tuple("" if each.passing else each.value for each in self.slots)


def steps(turns: Iterable[Turn]) -> dict[str, list[Step]]:
    """Return the commands of each session, in order; what belongs to no session is left out."""
    found: dict[str, list[Step]] = {}
    for turn in turns:
        around = turn.memory.circumstances
        if around is not None and around.session:
            step = step_of(turn)
            if step is not None:
                found.setdefault(around.session, []).append(step)
    return found


def step_of(turn: Turn) -> Step | None:
    """Return the command that an episode tells of, or None."""
    around = turn.memory.circumstances
    in_shell = turn.role == TOOL and around is not None and around.tool.lower() in _SHELLS
    read = _read(turn.memory.content, bare=in_shell)
    if read is None:
        return None
    told, output = read
    words = _SHOWN.sub("", _OUTCOME.sub("", told.command)).strip()
    if not words or len(words) > LONGEST:
        return None
    status = around.exit_status if around is not None else None
    said = f"{told.complaint}\n{output}"
    complaint = complaint_of(said) or named_by(told.complaint)
    if status is None:
        failed = bool(complaint) if told.failed is None else told.failed
    else:
        failed = status != 0
    return Step(form(words), words, failed, complaint if failed else "", turn.memory)


def _read(content: str, *, bare: bool) -> tuple[Report, str] | None:
    """Return the command at the head of a text and what stands below it, or None.

    `bare` says that a command may stand there by itself, with nothing to mark it.
    """
    first, _, rest = content.partition("\n")
    ran = _RAN.match(first)
    if ran:
        return Report(ran[1]), rest
    if _PROMPT.match(first):
        return Report(_PROMPT.sub("", first)), rest
    # An agent may say what for before it shows the command.
    second, _, below = rest.partition("\n")
    if second.startswith("$ "):
        return Report(second[2:]), below
    told = reported(first) if bare else None
    return (told, rest) if told else None


def complaint_of(output: str) -> str:
    """Return the name of what went wrong, as far as an output names it."""
    match = _COMPLAINT.search(output)
    return next((each for each in match.groups() if each), "") if match else ""
