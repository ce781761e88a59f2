"""What an agent should know before it begins: how things are done here, and what was last.

Chosen from what is held, without a question: pinned first, then rules and preferences,
then decisions, then what happened last. Everything within one budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix.doors.agent_text import Packed, pack
from helix.doors.neutral import one_line
from helix.model.types import EPISODE

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.model.memory import Memory

BUDGET = 800
RULES = ("convention", "preference", "procedure", "identity", "project")
CHOICES = ("decision", "fact")
MOST_OF_EACH = 12
MOST_EPISODES = 4


def briefing(memory: Helix, budget: int = BUDGET) -> Packed:
    """Return the briefing for the scope of `memory`; empty text if nothing is held."""
    chosen = _chosen(memory)
    if not chosen:
        return Packed("", (), ())
    head = f"Helix remembers about {one_line(memory.scope)}; `recall` asks for more."
    return pack(head, chosen, budget)


def _chosen(memory: Helix) -> list[Memory]:
    rules = memory.list(types=RULES, limit=50)
    choices = memory.list(types=CHOICES, limit=50)
    pinned = [each for each in (*rules, *choices) if each.belief.pinned]
    chosen = [*pinned, *_weightiest(rules), *_weightiest(choices)]
    chosen += memory.list(types=(EPISODE,), limit=MOST_EPISODES)
    return list({each.id: each for each in chosen}.values())


def _weightiest(held: object) -> list[Memory]:
    assert isinstance(held, list | tuple)
    # Sorting keeps the order of equals, which is newest first.
    return sorted(held, key=lambda each: -each.importance)[:MOST_OF_EACH]
