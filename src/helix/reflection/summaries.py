"""The pass that rolls up what has gone stale: a session of weeks ago becomes a few sentences.

The episodes stay; the summary exists before any of them steps back. It is put together from
their own words: what weighed most, what failed, which files were touched. A month of an
agent's sessions is rolled up again, from their summaries: what it was about, told once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from helix.model.changes import PutMemory
from helix.model.edge import SUMMARISES
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night
from helix.rules.concluding import added, concluded_by, link, new_memory
from helix.rules.turns import ASSISTANT, sentences, turn_of

PASS = "summarise"

STALE = timedelta(days=7)
"""One half-life of an episode: from here on, it is a candidate to step back."""

FEWEST_EPISODES = 6
MOST_SENTENCES = 3
LONGEST_SENTENCE = 160
MOST_FILES = 5

FEWEST_SESSIONS = 3
"""Sessions of one agent in one month that are worth a summary of their own."""


def summarise(night: Night) -> Findings:
    """Return a summary for each session that ended a while ago."""
    sessions: dict[str, list[Memory]] = defaultdict(list)
    for episode in night.episodes:
        if episode.circumstances and episode.circumstances.session:
            sessions[episode.circumstances.session].append(episode)
    done = {each.attributes.get("session") for each in night.held.values()}
    made = [
        _summary(night, name, episodes)
        for name, episodes in sessions.items()
        if name not in done
        and len(episodes) >= FEWEST_EPISODES
        and night.now - episodes[-1].recorded_at >= STALE
    ]
    sessions_told = [each for each in made if each]
    months = _months(night, sessions_told)
    return Findings(len(night.episodes), (*sessions_told, *months))


def _months(night: Night, just_made: list[Conclusion]) -> Iterator[Conclusion]:
    """Yield a summary of each agent's month that is over, resting on those of its sessions."""
    told = [change.memory for each in just_made for change in each.changes[:1]
            if isinstance(change, PutMemory)]  # fmt: skip
    told += [each for each in night.held.values() if _is_of_a_session(each)]
    months: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for each in told:
        agent = each.belief.provenance[0].source.agent
        months[agent, _day(each)[:7]].append(each)
    done = {
        (each.attributes.get("agent"), each.attributes.get("month"))
        for each in night.held.values()
        if each.attributes.get("level") == "agent"
    }
    over = (night.now - STALE).date().isoformat()[:7]
    for (agent, month), summaries in sorted(months.items()):
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
    gists = sorted((_day(each), _gist(each)) for each in ranked[:MOST_SENTENCES])
    content = (
        f"In {month}, {agent} worked {len(summaries)} sessions of {episodes} episodes here. "
        + " ".join(f"{day}: {gist}" for day, gist in gists)
    )
    memory = new_memory(
        night, PASS, "fact", content, summaries,
        attributes={"level": "agent", "agent": agent, "month": month, "episodes": episodes},
    )  # fmt: skip
    made = added(night, memory, summaries, PASS, f"{len(summaries)} sessions of a month are over")
    edges = tuple(link(night, memory, SUMMARISES, each, by=PASS) for each in summaries)
    return Conclusion(made.decision, made.key, made.why, made.grounds, (made.changes[0], *edges))


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


def _summary(night: Night, session: str, episodes: list[Memory]) -> Conclusion | None:
    told = _most_telling(episodes)
    if not told:
        return None
    day = episodes[0].recorded_at.date().isoformat()
    failed = sum(bool(each.circumstances and each.circumstances.exit_status) for each in episodes)
    files = _files(episodes)
    parts = [f"On {day}, {len(episodes)} episodes: " + " ".join(told)]
    if failed:
        parts.append(f"{failed} of the commands failed.")
    if files:
        parts.append("Files: " + ", ".join(files) + ".")
    memory = new_memory(
        night, PASS, "fact", " ".join(parts), episodes,
        attributes={"session": session, "level": "session", "episodes": len(episodes)},
    )  # fmt: skip
    made = added(night, memory, episodes, PASS, f"{len(episodes)} episodes have gone stale")
    edges = tuple(link(night, memory, SUMMARISES, each, by=PASS) for each in episodes)
    return Conclusion(made.decision, made.key, made.why, made.grounds, (made.changes[0], *edges))


def _most_telling(episodes: list[Memory]) -> list[str]:
    ranked = sorted(episodes, key=lambda each: (-each.importance, each.position))
    found: dict[str, int] = {}
    for episode in ranked:
        turn = turn_of(episode)
        if turn.role == ASSISTANT:
            continue
        first = next((each for each in sentences(turn.prose) if len(each.split()) > 2), "")  # noqa: PLR2004
        if first and len(first) <= LONGEST_SENTENCE:
            found.setdefault(first if first[-1] in ".!?" else f"{first}.", episode.position)
        if len(found) == MOST_SENTENCES:
            break
    return sorted(found, key=lambda each: found[each])


def _files(episodes: list[Memory]) -> list[str]:
    counts: dict[str, int] = defaultdict(int)
    for episode in episodes:
        for file in episode.circumstances.files if episode.circumstances else ():
            counts[file] += 1
    return sorted(counts, key=lambda each: (-counts[each], each))[:MOST_FILES]
