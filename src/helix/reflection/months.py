"""An agent's month: rolled up from the summaries of its sessions, told once when it is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Night
from helix.reflection.rolling_up import PASS, STALE, rolled_up, summary_in
from helix.reflection.telling import MOST_SENTENCES
from helix.rules.concluding import concluded_by
from helix.rules.quoting import QUOTES, quoted_positions
from helix.rules.turns import sentences
from helix.rules.withdrawing import was_withdrawn

FEWEST_SESSIONS = 3
"""Sessions of one agent in one month that are worth a summary of their own."""


def months(night: Night, just_made: Sequence[Conclusion]) -> Iterator[Conclusion]:
    """Yield a summary of each agent's month that is over, resting on those of its sessions."""
    told = [summary_in(each) for each in just_made]
    told += [each for each in night.held.values() if _is_of_a_session(each)]
    by_month: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for each in told:
        agent = each.belief.provenance[0].source.agent
        by_month[agent, _day(each)[:7]].append(each)
    done = {
        (each.attributes.get("agent"), each.attributes.get("month"))
        for each in night.held.values()
        if each.attributes.get("level") == "agent" and not was_withdrawn(each)
    }
    over = (night.now - STALE).date().isoformat()[:7]
    for (agent, month), summaries in sorted(by_month.items()):
        # A session that ended late in the month has its summary a week later.
        if month < over and (agent, month) not in done and len(summaries) >= FEWEST_SESSIONS:
            yield _month(
                night, agent, month, sorted(summaries, key=lambda each: (_day(each), each.id))
            )


def _month(night: Night, agent: str, month: str, summaries: list[Memory]) -> Conclusion:
    episodes = sum(int(str(each.attributes["episodes"])) for each in summaries)
    ranked = sorted(
        summaries, key=lambda each: (-int(str(each.attributes["episodes"])), _day(each), each.id)
    )
    told = ranked[:MOST_SENTENCES]
    gists = sorted((_day(each), _gist(each)) for each in told)
    quoted = sorted({position for each in told for position in quoted_positions(each)})
    content = (
        f"In {month}, {agent} worked {len(summaries)} sessions of {episodes} episodes here. "
        + " ".join(f"{day}: {gist}" for day, gist in gists)
    )
    return rolled_up(
        night, content, summaries, f"{len(summaries)} sessions of a month are over",
        {
            "level": "agent", "agent": agent, "month": month, "episodes": episodes,
            QUOTES: quoted,
        },
    )  # fmt: skip


def _is_of_a_session(memory: Memory) -> bool:
    return (
        concluded_by(memory, PASS)
        and memory.attributes.get("level") == "session"
        and memory.status is Status.ACTIVE
    )


def _day(summary: Memory) -> str:
    """Return the day on which the session of a summary began."""
    return summary.belief.valid_from.date().isoformat()


def _gist(summary: Memory) -> str:
    """Return the first sentence of a summary, without the day and the number before it."""
    return next(iter(sentences(summary.content.partition(" episodes: ")[2])), "")
