"""The pass that asks what follows: a question, the evidence for it, and what that shows.

Three questions that a project's own work can answer without any model: what keeps failing,
which files change together, and which decisions do not last. A fourth, what connects parts of
the project, has a pass of its own (`bridges`). Each answer is a memory of its own that cites
its evidence; answers may rest on earlier answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night
from helix.rules.concluding import (
    added,
    is_concluded,
    new_memory,
    strengthened,
    superseding,
)
from helix.rules.steps import steps
from helix.rules.turns import turn_of

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
    held = by_subject(night)
    made = [_concluded(night, each, held) for each in insights[:MOST_INSIGHTS]]
    return Findings(len(night.episodes), tuple(each for each in made if each))


def by_subject(night: Night) -> dict[object, Memory]:
    """Return the insights that are held, by what they are about."""
    return {
        each.attributes["subject"]: each
        for each in night.held.values()
        if is_insight(each) and each.status is Status.ACTIVE
    }


def is_insight(memory: Memory) -> bool:
    """Return whether a memory answers a question of this stage."""
    return is_concluded(memory) and "subject" in memory.attributes


def _concluded(night: Night, insight: Insight, held: dict[object, Memory]) -> Conclusion | None:
    memory = memory_of(night, insight, PASS)
    if memory.id in night.held:
        grounds = list(insight.grounds)
        return strengthened(night, night.held[memory.id], grounds, PASS, insight.question)
    return answered(night, insight, memory, held.get(insight.subject), PASS)


def memory_of(night: Night, insight: Insight, by: str, confidence: float | None = None) -> Memory:
    """Return what an insight is as a memory."""
    return new_memory(
        night, by, "fact", insight.content, insight.grounds, confidence=confidence,
        attributes={"question": insight.question, "subject": insight.subject},
    )  # fmt: skip


def answered(
    night: Night, insight: Insight, memory: Memory, earlier: Memory | None, by: str
) -> Conclusion:
    """Return the conclusion that a question has this answer now."""
    made = added(night, memory, insight.grounds, by, insight.question)
    if earlier is None:
        return made
    # The earlier one was right in its time.
    changes = (*made.changes, *superseding(night, earlier, memory, by))
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
        if memory.belief.superseded_by and not is_insight(memory):
            before[memory.belief.superseded_by].append(memory)
    for memory in night.held.values():
        if memory.status is not Status.ACTIVE or is_insight(memory):
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
)
