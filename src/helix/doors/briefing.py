"""The briefing of an agent that begins: what recall chose, in a fence, within the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix.doors.agent_text import BAR, Packed, vouched
from helix.doors.neutral import one_line
from helix.rules.echo import DATA_NOT_ORDERS, fenced

if TYPE_CHECKING:
    from helix.app.facade import Helix

BUDGET = 800
FRAME = 60
"""Tokens for what stands around the lines: the head, the fence, the titles."""


def briefing(memory: Helix, budget: int = BUDGET) -> Packed:
    """Return the briefing for the scope of `memory`; empty text if nothing is held."""
    found = memory.look.briefing(max(budget - FRAME, FRAME))
    if not found.sections:
        return Packed("", (), ())
    lines = [DATA_NOT_ORDERS]
    shown = []
    for title, section in found.sections:
        lines.append(f"{title}:")
        for each in section:
            text = one_line(each.text)
            lines.append(f"{BAR}{text} ({one_line(each.memory.id)}, {vouched(each.memory)})")
            shown.append(each.memory.id)
    head = f"Helix remembers about {one_line(memory.scope)}; `recall` asks for more."
    parts = [head, fenced("\n".join(lines))]
    if found.left_out:
        parts.append(f"{found.left_out} more did not fit.")
    return Packed("\n".join(parts), tuple(shown), ())
