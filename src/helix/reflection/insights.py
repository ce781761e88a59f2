"""The pass that asks what follows: a question, the evidence for it, and what that shows.

Four questions that a project's own work can answer without any model: what keeps failing,
which files change together, which decisions do not last, and what connects parts of the
project that otherwise have little to do with each other. Each answer is a memory of its
own that cites its evidence; answers may rest on earlier answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night
from helix.rules.concluding import added, concluded_by, new_memory, strengthened, superseding
from helix.rules.entities import entities, key
from helix.rules.steps import steps
from helix.rules.turns import turn_of
from helix.rules.vocabulary import listed

PASS = "reflect"

FEWEST_RUNS, FEWEST_FAILURES = 6, 3
FAILING_SHARE = 0.3
"""Share of runs that fail from which a command is worth warning of."""

FEWEST_TOGETHER = 5
TOGETHER_SHARE = 0.7
"""Share of the changes to either file that must touch both."""

MOST_FILES = 12
"""An episode that touches more files than this says nothing about pairs of them."""

FEWEST_CHANGES = 3

FEWEST_OF_A_PART = 3
"""Episodes about one part of the project in which a thing must come up."""

MOST_COMMON = 0.1
"""Share of all episodes above which a thing comes up everywhere, and connects nothing."""

BRIDGING = frozenset({"error_code", "package"})
"""Kinds of things that lead from one part to another. People work everywhere."""

MOST_PARTS = 4
_BESIDE = frozenset(listed("tests test docs doc docs_src examples scripts requirements tools"))
_CARRIERS = frozenset(listed("src lib packages apps crates services modules internal cmd pkg"))
MOST_INSIGHTS = 50


class Insight(NamedTuple):
    """What was asked, what the evidence shows, the evidence, and what the answer is about."""

    question: str
    content: str
    grounds: tuple[Memory, ...]
    subject: str


def reflect(night: Night) -> Findings:
    """Return what the work of a night shows."""
    insights = [each for ask in QUESTIONS for each in ask(night)]
    held = {
        each.attributes.get("subject"): each
        for each in night.held.values()
        if concluded_by(each, PASS) and each.status is Status.ACTIVE
    }
    made = [_concluded(night, each, held) for each in insights[:MOST_INSIGHTS]]
    return Findings(len(night.episodes), tuple(each for each in made if each))


def _concluded(night: Night, insight: Insight, held: dict[object, Memory]) -> Conclusion | None:
    grounds = list(insight.grounds)
    memory = new_memory(
        night, PASS, "fact", insight.content, grounds,
        attributes={"question": insight.question, "subject": insight.subject},
    )  # fmt: skip
    earlier = held.get(insight.subject)
    if memory.id in night.held:
        return strengthened(night, night.held[memory.id], grounds, PASS, insight.question)
    made = added(night, memory, grounds, PASS, insight.question)
    if earlier is None:
        return made
    # The same question has another answer now; the earlier one was right in its time.
    changes = (*made.changes, *superseding(night, earlier, memory, PASS))
    return Conclusion(made.decision, made.key, made.why, made.grounds, changes)


def what_keeps_failing(night: Night) -> Iterator[Insight]:
    """Yield the commands that fail often, and with what."""
    runs: dict[str, list[tuple[str, bool, str, Memory]]] = defaultdict(list)
    for session, taken in steps(map(turn_of, night.episodes)).items():
        for step in taken:
            if not step.idle:
                runs[step.form].append((session, step.failed, step.complaint, step.episode))
    for form, times in runs.items():
        failed = [each for each in times if each[1]]
        sessions = {session for session, _, _, _ in failed}
        often = len(failed) >= max(FEWEST_FAILURES, FAILING_SHARE * len(times))
        if len(times) < FEWEST_RUNS or not often or len(sessions) < 2:  # noqa: PLR2004
            continue
        complaints = Counter(complaint for _, _, complaint, _ in failed if complaint)
        mostly = f", mostly with {complaints.most_common(1)[0][0]}" if complaints else ""
        yield Insight(
            f"What keeps failing? `{form}`",
            f"`{form}` failed in {_about(len(failed), len(times))} of its runs{mostly}.",
            tuple(episode for _, _, _, episode in failed),
            f"fails:{form}",
        )


def what_changes_together(night: Night) -> Iterator[Insight]:
    """Yield the pairs of files that are hardly ever changed apart."""
    alone: Counter[str] = Counter()
    together: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for episode in night.episodes:
        files = sorted(set(episode.circumstances.files)) if episode.circumstances else []
        if not 1 <= len(files) <= MOST_FILES:
            continue
        alone.update(files)
        for pair in combinations(files, 2):
            together[pair].append(episode)
    ranked = sorted(together.items(), key=lambda each: (-len(each[1]), each[0]))
    for (one, other), episodes in ranked:
        most = max(alone[one], alone[other])
        if len(episodes) < FEWEST_TOGETHER or len(episodes) < TOGETHER_SHARE * most:
            continue
        yield Insight(
            f"What changes together? {one} and {other}",
            f"{one} and {other} change together: {_about(len(episodes), most)} of the time.",
            tuple(episodes),
            f"together:{one} {other}",
        )


def what_does_not_last(night: Night) -> Iterator[Insight]:
    """Yield what was replaced again and again."""
    before: dict[str, list[Memory]] = defaultdict(list)
    for memory in night.held.values():
        if memory.belief.superseded_by and not concluded_by(memory, PASS):
            before[memory.belief.superseded_by].append(memory)
    for memory in night.held.values():
        if memory.status is not Status.ACTIVE or concluded_by(memory, PASS):
            continue
        line = _ancestors(memory, before)
        if len(line) < FEWEST_CHANGES:
            continue
        # A dependency that is bumped every week tells nothing by being bumped.
        if memory.content.endswith(".") and " is at version " in memory.content:
            continue
        yield Insight(
            f"What does not last? {memory.id}",
            f"Replaced {_several(len(line))} before: {memory.content}",
            (memory, *line),
            f"changes:{_root(line)}",
        )


def what_connects(night: Night) -> Iterator[Insight]:
    """Yield things that come up in work on parts that are seldom touched together."""
    about: dict[str, dict[str, list[Memory]]] = defaultdict(lambda: defaultdict(list))
    names: dict[str, str] = {}
    common: Counter[str] = Counter()
    touched: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for episode in night.episodes:
        parts = sorted(_parts(episode))
        touched.update(parts)
        both.update(combinations(parts, 2))
        if not parts:
            continue
        for entity in entities(episode.content):
            if entity.kind in BRIDGING:
                names.setdefault(key(entity), entity.name)
                common[key(entity)] += 1
                for part in parts:
                    about[key(entity)][part].append(episode)
    most = max(MOST_COMMON * len(night.episodes), 4 * FEWEST_OF_A_PART)
    for thing, by_part in sorted(about.items()):
        often = {
            part: episodes
            for part, episodes in by_part.items()
            if len(episodes) >= FEWEST_OF_A_PART
            and _sessions(episodes) > 1
            and names[thing].lower() not in part.lower()  # it has a part of its own
        }
        apart = sorted({
            part
            for pair in combinations(sorted(often), 2)
            # Parts that are worked on together anyway need no bridge.
            if both[pair] <= (1 - TOGETHER_SHARE) * min(touched[part] for part in pair)
            for part in pair
        })  # fmt: skip
        if common[thing] > most or not apart:
            continue
        cited = {each.position: each for part in apart for each in often[part]}
        yield Insight(
            f"What connects {_listed(apart)}?",
            f"{names[thing]} connects {_listed(apart)}: it came up in work on each.",
            tuple(cited[position] for position in sorted(cited)),
            f"connects:{thing}",
        )


def _parts(episode: Memory) -> set[str]:
    """Return the parts of the project that an episode touches: by the folders of its files."""
    files = episode.circumstances.files if episode.circumstances else ()
    if not 1 <= len(files) <= MOST_FILES:
        return set()
    found = set()
    for file in files:
        first, *below = file.replace("\\", "/").split("/")
        if below and first not in _BESIDE and not first.startswith("."):
            deeper = first in _CARRIERS and len(below) > 1
            found.add(f"{first}/{below[0]}" if deeper else first)
    return found


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:MOST_PARTS])
    if len(names) > MOST_PARTS:
        shown.append("other parts")
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def _sessions(episodes: Sequence[Memory]) -> int:
    return len({each.circumstances.session for each in episodes if each.circumstances})


def _ancestors(memory: Memory, before: dict[str, list[Memory]]) -> list[Memory]:
    found: list[Memory] = []
    waiting = [memory.id]
    while waiting:
        for each in before.get(waiting.pop(), ()):
            if each not in found:
                found.append(each)
                waiting.append(each.id)
    return found


def _root(line: Sequence[Memory]) -> str:
    return min(line, key=lambda each: (each.recorded_at, each.id)).id


def _about(some: int, of_all: int) -> str:
    """Return a share in words that do not change with every further run."""
    share = some / of_all
    for least, words in ((0.9, "nearly all"), (0.7, "most"), (0.5, "more than half")):
        if share >= least:
            return words
    return "a third or more"


def _several(times: int) -> str:
    return "several times" if times < 10 else "many times"  # noqa: PLR2004 - a dozen is many


QUESTIONS: tuple[Callable[[Night], Iterator[Insight]], ...] = (
    what_keeps_failing,
    what_changes_together,
    what_does_not_last,
    what_connects,
)
