"""The pass that rolls up what has gone stale: a session of weeks ago becomes a few sentences.

Three levels, each resting on the one below: a long episode, a session, an agent's month. The
episodes stay; a summary exists before any of them steps back. It is put together from their
own words: what weighed most, what failed, which files were touched. A model may word it
better, where there is one (`helix.sleep.summarising`).

A summary says what happened, not what is so. It needs no second source, is believed no more
than one of its episodes, and is compared with nothing and probed by nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night
from helix.reflection.months import months
from helix.reflection.rewording import reworded
from helix.reflection.rolling_up import PASS, STALE, rolled_up, summary_in
from helix.reflection.telling import in_brief, most_telling
from helix.rules.concluded import is_summary
from helix.rules.quoting import LENGTHS, QUOTES
from helix.rules.withdrawing import was_withdrawn

__all__ = ["PASS", "STALE", "Stale", "stale", "summarise"]

FEWEST_EPISODES = 6
MOST_FILES = 5

LONG = 1_200
"""Letters of an episode that is worth a summary of its own: about what an answer shows of one."""

SHORTER = 0.5
"""Share of an episode that its summary may take up; a longer one spares too little."""

NO_WORDS: Mapping[tuple[str, str], str] = MappingProxyType({})


class Stale(NamedTuple):
    """What is to be rolled up: a session or a long episode, by name, and what happened in it."""

    level: str
    name: str
    episodes: Sequence[Memory]

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from everything else that is rolled up."""
        return self.level, self.name

    @property
    def head(self) -> str:
        """How its summary begins."""
        day = self.episodes[0].recorded_at.date().isoformat()
        if self.level == "episode":
            return f"On {day}, in brief: "
        return f"On {day}, {len(self.episodes)} episodes: "


def summarise(night: Night, words: Mapping[tuple[str, str], str] = NO_WORDS) -> Findings:
    """Return a summary for each long episode, session and month that is over for a while.

    `words` are somebody's for some of them, by key; the others are told in their own.
    """
    waiting = stale(night)
    brief = [_brief(night, each, words) for each in waiting if each.level == "episode"]
    of_episodes = [each for each in brief if each]
    told = {
        str(each.attributes["episode"]): each
        for each in (*night.held.values(), *map(summary_in, of_episodes))
        if each.status is Status.ACTIVE and each.attributes.get("level") == "episode"
    }
    made = [_session(night, each, words, told) for each in waiting if each.level == "session"]
    of_sessions = [*(each for each in made if each), *_reworded(night, waiting)]
    of_months = months(night, of_sessions)
    return Findings(len(night.episodes), (*of_episodes, *of_sessions, *of_months))


def stale(night: Night) -> list[Stale]:
    """Return the long episodes and the sessions that are over for a while and have no summary."""
    done = {
        (str(each.attributes["level"]), str(each.attributes.get(str(each.attributes["level"]))))
        for each in night.held.values()
        if is_summary(each) and not was_withdrawn(each)
    }
    return [each for each in (*_long(night), *_sessions(night)) if each.key not in done]


def _long(night: Night) -> Iterator[Stale]:
    for episode in night.episodes:
        if len(episode.content) >= LONG and night.now - episode.recorded_at >= STALE:
            yield Stale("episode", episode.id, [episode])


def _sessions(night: Night) -> Iterator[Stale]:
    sessions: dict[str, list[Memory]] = defaultdict(list)
    for episode in night.episodes:
        if episode.circumstances and episode.circumstances.session:
            sessions[episode.circumstances.session].append(episode)
    for name, episodes in sessions.items():
        over = night.now - episodes[-1].recorded_at >= STALE
        if over and len(episodes) >= FEWEST_EPISODES:
            yield Stale("session", name, episodes)


def _brief(night: Night, each: Stale, words: Mapping[tuple[str, str], str]) -> Conclusion | None:
    (episode,) = each.episodes
    told = words.get(each.key) or " ".join(in_brief(episode))
    if not told or len(told) > SHORTER * len(episode.content):
        return None
    return rolled_up(
        night, each.head + told, [episode], "a long episode has gone stale",
        {"level": "episode", "episode": episode.id, "letters": len(episode.content)},
    )  # fmt: skip


def _session(
    night: Night, each: Stale, words: Mapping[tuple[str, str], str], told: Mapping[str, Memory]
) -> Conclusion | None:
    episodes = each.episodes
    quoted = {} if each.key in words else most_telling(episodes)
    said = words.get(each.key) or " ".join(quoted)
    if not said:
        return None
    failed = sum(bool(one.circumstances and one.circumstances.exit_status) for one in episodes)
    files = _files(episodes)
    parts = [each.head + said]
    if failed:
        parts.append(f"{failed} of the commands failed.")
    if files:
        parts.append("Files: " + ", ".join(files) + ".")
    below = [told[one.id] for one in episodes if one.id in told]
    return rolled_up(
        night, " ".join(parts), episodes, f"{len(episodes)} episodes have gone stale",
        {"level": "session", "session": each.name, "episodes": len(episodes)}
        | _sources(quoted),
        below,
    )  # fmt: skip


def _sources(quoted: Mapping[str, int]) -> dict[str, object]:
    """Return where sentences are from, so that one can be taken out again."""
    return {QUOTES: list(quoted.values()), LENGTHS: list(map(len, quoted))} if quoted else {}


def _reworded(night: Night, waiting: Sequence[Stale]) -> Iterator[Conclusion]:
    """Yield what is left of summaries that were withdrawn and cannot be told anew."""
    told = {
        each.attributes.get("session")
        for each in night.held.values()
        if is_summary(each) and each.status is Status.ACTIVE
    } | {each.name for each in waiting if each.level == "session"}
    for each in night.held.values():
        session = each.attributes.get("session")
        if is_summary(each) and was_withdrawn(each) and session and session not in told:
            made = reworded(night, each)
            if made is not None:
                told.add(session)
                yield made


def _files(episodes: Sequence[Memory]) -> list[str]:
    counts: dict[str, int] = defaultdict(int)
    for episode in episodes:
        for file in episode.circumstances.files if episode.circumstances else ():
            counts[file] += 1
    return sorted(counts, key=lambda each: (-counts[each], each))[:MOST_FILES]
