"""The pass that asks what follows: a question, the evidence for it, and what that shows.

Three questions that a project's own work can answer without any model: what keeps failing,
which files change together, and which decisions do not last. A fourth, what connects parts of
the project, has a pass of its own (`bridges`). Each answer is a memory of its own that cites
its evidence; answers may rest on earlier answers. One that the work shows no more is
withdrawn (`outlived`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from helix.model.changes import Change, PutMemory
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.reflection.outlived import FAILS, TOGETHER, outlived
from helix.reflection.tallies import (
    FAILING_SHARE,
    FEWEST_FAILURES,
    FEWEST_RUNS,
    FEWEST_TOGETHER,
    TOGETHER_SHARE,
    runs,
    touched,
)
from helix.rules.concluded import is_concluded
from helix.rules.concluding import (
    added,
    new_memory,
    strengthened,
    superseding,
)
from helix.rules.quoting import ASKED_OF_CHANGES, CHANGES
from helix.rules.withdrawing import told_again, was_withdrawn

PASS = "reflect"

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
    shown = {each.subject for each in insights}
    gone = outlived(night, {str(each): held[each] for each in held if each not in shown})
    return Findings(len(night.episodes), (*(each for each in made if each), *gone))


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
    known = night.held.get(memory.id)
    earlier = held.get(insight.subject)
    if known is None:
        return answered(night, insight, memory, earlier, PASS)
    if was_withdrawn(known) or _gave_way(night, known):
        return _so_again(night, insight, known, earlier)
    return strengthened(night, known, insight.grounds, PASS, insight.question)


def _so_again(night: Night, insight: Insight, known: Memory, earlier: Memory | None) -> Conclusion:
    """Return the conclusion that an answer that was given up holds again."""
    again = told_again(night, known)
    more = strengthened(night, again, insight.grounds, PASS, insight.question)
    grounds = tuple(each.id for each in insight.grounds)
    changes: tuple[Change, ...] = more.changes if more else (PutMemory(again),)
    if earlier is not None:
        changes = (*changes, *superseding(night, earlier, again, PASS))
    return Conclusion(Decision.UPDATE, "", insight.question, grounds, changes)


def _gave_way(night: Night, known: Memory) -> bool:
    """Tell whether an answer was replaced by another one to its question, not by a person."""
    other = night.held.get(known.belief.superseded_by)
    if known.status is not Status.SUPERSEDED or other is None or not is_insight(other):
        return False
    return other.attributes["subject"] == known.attributes["subject"]


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
    for form, times in runs(night).items():
        failed = [each for each in times if each.failed]
        sessions = {each.session for each in failed}
        often = len(failed) >= max(FEWEST_FAILURES, FAILING_SHARE * len(times))
        if len(times) < FEWEST_RUNS or not often or len(sessions) < 2:  # noqa: PLR2004
            continue
        complaints = Counter(each.complaint for each in failed if each.complaint)
        mostly = f", mostly with {complaints.most_common(1)[0][0]}" if complaints else ""
        yield Insight(
            f"What keeps failing? `{form}`",
            f"`{form}` failed in {_about(len(failed), len(times))} of its runs{mostly}.",
            tuple(each.episode for each in failed),
            f"{FAILS}{form}",
        )


def what_changes_together(night: Night) -> Iterator[Insight]:
    """Yield the pairs of files that are hardly ever changed apart."""
    files = touched(night)
    ranked = sorted(files.together.items(), key=lambda each: (-len(each[1]), each[0]))
    for pair, episodes in ranked:
        (one, other), most = pair, files.most(pair)
        if len(episodes) < FEWEST_TOGETHER or len(episodes) < TOGETHER_SHARE * most:
            continue
        yield Insight(
            f"What changes together? {one} and {other}",
            f"{one} and {other} change together: {_about(len(episodes), most)} of the time.",
            tuple(episodes),
            f"{TOGETHER}{one} {other}",
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
            f"{ASKED_OF_CHANGES}{memory.id}",
            f"Replaced {_several(len(line))} before: {memory.content}",
            (memory, *line),
            f"{CHANGES}{_root(line)}",
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
