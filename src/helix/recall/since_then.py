"""Leaving out of a look back what is kept from whoever asks by now, and what repeats it.

What was believed on a day is told by how it stood then. What the user turned away since, or
what waits for the user again, stood well then: to somebody who may not read it, the past
would be a way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from helix.model.memory import Memory, Status
from helix.rules.quoting import quoted_memory, quoted_positions


def tellable(
    memories: Sequence[Memory],
    unseen: Collection[Status],
    now: Callable[[Sequence[str]], Mapping[str, Memory]],
    born_at: Callable[[int], Memory | None],
) -> frozenset[str]:
    """Return the ids of those memories that neither stand at an `unseen` status by now nor quote.

    `now` gives memories by their ids as they stand today, `born_at` that of a record.
    """
    quoted = {each.id: quoted_memory(each) for each in memories}
    today = now([*quoted, *filter(None, quoted.values())])

    def is_seen(memory: Memory | None) -> bool:
        return memory is None or memory.status not in unseen

    return frozenset(
        each.id
        for each in memories
        if is_seen(today.get(each.id))
        and is_seen(today.get(quoted[each.id]))
        and all(is_seen(born_at(position)) for position in quoted_positions(each))
    )
