"""The pass that rolls up what has gone stale: a session of weeks ago becomes a few sentences.

The episodes stay; the summary exists before any of them steps back. It is put together from
their own words: what weighed most, what failed, which files were touched.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta

from helix.model.edge import SUMMARISES
from helix.model.memory import Memory
from helix.model.night import Conclusion, Findings, Night
from helix.rules.concluding import added, link, new_memory
from helix.rules.turns import ASSISTANT, sentences, turn_of

PASS = "summarise"

STALE = timedelta(days=7)
"""One half-life of an episode: from here on, it is a candidate to step back."""

FEWEST_EPISODES = 6
MOST_SENTENCES = 3
LONGEST_SENTENCE = 160
MOST_FILES = 5


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
    return Findings(len(night.episodes), tuple(each for each in made if each))


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
