"""The pass that rolls up what has gone stale: a session of weeks ago becomes a few sentences.

Three levels, each resting on the one below: a long episode, a session, an agent's month. The
episodes stay; a summary exists before any of them steps back. It is put together from their
own words: what weighed most, what failed, which files were touched.

A summary says what happened, not what is so. It needs no second source, is believed no more
than one of its episodes, and is compared with nothing and probed by nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from helix.model.changes import PutMemory
from helix.model.edge import SUMMARISES
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night
from helix.reflection.telling import MOST_SENTENCES, in_brief, most_telling
from helix.rules.agreement import first_confidence
from helix.rules.concluding import (
    added,
    concluded_by,
    is_summary,
    link,
    new_memory,
    weakest_origin,
)
from helix.rules.turns import sentences

PASS = "summarise"

STALE = timedelta(days=7)
"""One half-life of an episode: from here on, it is a candidate to step back."""

FEWEST_EPISODES = 6
MOST_FILES = 5

LONG = 1_200
"""Letters of an episode that is worth a summary of its own: about what an answer shows of one."""

SHORTER = 0.5
"""Share of an episode that its summary may take up; a longer one spares too little."""

FEWEST_SESSIONS = 3
"""Sessions of one agent in one month that are worth a summary of their own."""


def summarise(night: Night) -> Findings:
    """Return a summary for each long episode, session and month that is over for a while."""
    sessions: dict[str, list[Memory]] = defaultdict(list)
    for episode in night.episodes:
        if episode.circumstances and episode.circumstances.session:
            sessions[episode.circumstances.session].append(episode)
    episodes_told = list(_episodes(night))
    told = {
        str(each.attributes["episode"]): each
        for each in (*night.held.values(), *map(_memory_of, episodes_told))
        if each.status is Status.ACTIVE and each.attributes.get("level") == "episode"
    }
    done = {each.attributes.get("session") for each in night.held.values()}
    made = [
        _summary(night, name, episodes, told)
        for name, episodes in sessions.items()
        if name not in done
        and len(episodes) >= FEWEST_EPISODES
        and night.now - episodes[-1].recorded_at >= STALE
    ]
    sessions_told = [each for each in made if each]
    months = _months(night, sessions_told)
    return Findings(len(night.episodes), (*episodes_told, *sessions_told, *months))


def _months(night: Night, just_made: list[Conclusion]) -> Iterator[Conclusion]:
    """Yield a summary of each agent's month that is over, resting on those of its sessions."""
    told = [_memory_of(each) for each in just_made]
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
    return _rolled_up(
        night, content, summaries, f"{len(summaries)} sessions of a month are over",
        {"level": "agent", "agent": agent, "month": month, "episodes": episodes},
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


def _summary(
    night: Night, session: str, episodes: list[Memory], told: Mapping[str, Memory]
) -> Conclusion | None:
    quoted = most_telling(episodes)
    if not quoted:
        return None
    day = episodes[0].recorded_at.date().isoformat()
    failed = sum(bool(each.circumstances and each.circumstances.exit_status) for each in episodes)
    files = _files(episodes)
    parts = [f"On {day}, {len(episodes)} episodes: " + " ".join(quoted)]
    if failed:
        parts.append(f"{failed} of the commands failed.")
    if files:
        parts.append("Files: " + ", ".join(files) + ".")
    below = [told[each.id] for each in episodes if each.id in told]
    return _rolled_up(
        night, " ".join(parts), episodes, f"{len(episodes)} episodes have gone stale",
        {"session": session, "level": "session", "episodes": len(episodes)}, below,
    )  # fmt: skip


def _episodes(night: Night) -> Iterator[Conclusion]:
    """Yield a summary of each long episode that has gone stale."""
    done = {each.attributes.get("episode") for each in night.held.values() if is_summary(each)}
    for episode in night.episodes:
        if (
            len(episode.content) < LONG
            or episode.id in done
            or night.now - episode.recorded_at < STALE
        ):
            continue
        told = " ".join(in_brief(episode))
        if told and len(told) <= SHORTER * len(episode.content):
            day = episode.recorded_at.date().isoformat()
            yield _rolled_up(
                night, f"On {day}, in brief: {told}", [episode], "a long episode has gone stale",
                {"episode": episode.id, "level": "episode", "letters": len(episode.content)},
            )  # fmt: skip


def _rolled_up(  # noqa: PLR0917 - what a summary is made of
    night: Night, content: str, grounds: list[Memory], why: str, attributes: dict[str, object],
    below: Sequence[Memory] = (),
) -> Conclusion:  # fmt: skip
    # Episodes do not vouch for each other: a summary is as sure as one of them, however many.
    sure = first_confidence(weakest_origin(grounds))
    memory = new_memory(
        night, PASS, "fact", content, grounds, attributes=attributes, confidence=sure
    )
    made = added(night, memory, grounds, PASS, why)
    edges = tuple(link(night, memory, SUMMARISES, each, by=PASS) for each in (*grounds, *below))
    return Conclusion(made.decision, made.key, made.why, made.grounds, (made.changes[0], *edges))


def _memory_of(conclusion: Conclusion) -> Memory:
    change = conclusion.changes[0]
    assert isinstance(change, PutMemory)  # a summary begins with itself
    return change.memory


def _files(episodes: list[Memory]) -> list[str]:
    counts: dict[str, int] = defaultdict(int)
    for episode in episodes:
        for file in episode.circumstances.files if episode.circumstances else ():
            counts[file] += 1
    return sorted(counts, key=lambda each: (-counts[each], each))[:MOST_FILES]
