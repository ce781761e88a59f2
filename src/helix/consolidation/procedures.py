"""The pass that learns how things are done: steps that recur become a procedure.

Two kinds are told apart: what mends a command that failed (keyed by the command and its
complaint), and what is done in a row to get somewhere (keyed by where it ends). Each
procedure cites the runs it was learned from, those that went well and those that did not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from helix.consolidation.variants import Time, told, variants
from helix.model.changes import PutEdge
from helix.model.edge import FAILED_IN, SUCCEEDED_IN
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night, Passed
from helix.rules.concluding import added, concluded_by, link, new_memory, strengthened
from helix.rules.steps import Step, steps
from helix.rules.turns import turn_of

PASS = "proceed"

FEWEST_RUNS = 3
"""Runs of the same steps before they are a procedure."""

FEWEST_SESSIONS = 2
MOST_BETWEEN = 4
"""Steps between a failure and its repetition that may be what mended it."""

LONGEST_RUN, SHORTEST_RUN = 5, 2
WELL_ENOUGH = 0.6
"""Share of runs that must end well before the steps are worth repeating."""


@dataclass(frozen=True)
class Run:
    """The same steps, done several times: what they lead to, their words, and each time."""

    trigger: str
    words: tuple[str, ...]
    times: Sequence[Time]

    @property
    def runs(self) -> int:
        """How often the steps were done."""
        return len(self.times)

    @cached_property
    def well(self) -> list[Memory]:
        """The episodes in which they ended well."""
        return [each.taken[-1].episode for each in self.times if not each.taken[-1].failed]

    @cached_property
    def badly(self) -> list[Memory]:
        """The episodes in which they did not."""
        return [each.taken[-1].episode for each in self.times if each.taken[-1].failed]

    @property
    def members(self) -> list[Memory]:
        """Every episode of it, in the order in which they happened."""
        found = {step.episode.id: step.episode for each in self.times for step in each.taken}
        return sorted(found.values(), key=lambda each: each.position)

    @property
    def content(self) -> str:
        """The procedure as people read it."""
        numbered = " ".join(f"{n}. `{words}`" for n, words in enumerate(self.words, 1))
        return f"{self.trigger}: {numbered}"


def proceed(night: Night) -> Findings:
    """Return the procedures that the sessions of a night show."""
    sessions = steps(map(turn_of, night.credible))
    learned = _mending(sessions)
    known = [set(each.words) for each in learned]
    learned += [
        each for each in _in_a_row(sessions) if not any(set(each.words) <= words for words in known)
    ]
    conclusions: list[Conclusion] = []
    passed: list[Passed] = []
    for run in learned:
        made = _concluded(night, run)
        if isinstance(made, Conclusion):
            conclusions.append(made)
        elif made is not None:
            passed.append(made)
    return Findings(sum(map(len, sessions.values())), tuple(conclusions), tuple(passed))


def _concluded(night: Night, run: Run) -> Conclusion | Passed | None:
    if len(run.well) < WELL_ENOUGH * run.runs:
        return Passed(run.content, f"it ended well in {len(run.well)} of {run.runs} runs only")
    grounds = run.members
    memory = new_memory(
        night, PASS, "procedure", run.content, grounds,
        attributes={
            "trigger": run.trigger, "steps": list(run.words),
            "succeeded": len(run.well), "failed": len(run.badly),
        },
    )  # fmt: skip
    held = night.held.get(memory.id) or _same_steps(night, run)
    if held is not None:
        if held.status is not Status.ACTIVE or not concluded_by(held, PASS):
            return Passed(held.id, f"it is {held.status.value}")
        more = strengthened(night, held, grounds, PASS, f"done {run.runs} times")
        return more and _with_outcomes(night, more, held, run)
    if memory.id in night.refused:
        return Passed(memory.id, "a person reverted it")
    why = f"done {run.runs} times, {len(run.well)} of them well"
    return _with_outcomes(night, added(night, memory, grounds, PASS, why), memory, run)


def _same_steps(night: Night, run: Run) -> Memory | None:
    """Return the procedure that has these steps already, in whatever order they were usual."""
    for each in night.held.values():
        if each.type == "procedure" and concluded_by(each, PASS):
            known = each.attributes.get("steps")
            plain = run.trigger.startswith("To ") and str(each.attributes["trigger"])[:3] == "To "
            if plain and isinstance(known, list) and set(known) == set(run.words):
                return each
    return None


def _with_outcomes(night: Night, made: Conclusion, memory: Memory, run: Run) -> Conclusion:
    ends = [(each, SUCCEEDED_IN) for each in run.well] + [(each, FAILED_IN) for each in run.badly]
    edges: list[PutEdge] = [link(night, memory, how, each, by=PASS) for each, how in ends]
    return Conclusion(made.decision, made.key, made.why, made.grounds, (*made.changes, *edges))


def _mending(sessions: Mapping[str, Sequence[Step]]) -> list[Run]:
    """Return what was done between a failure and the same command going well."""
    found: dict[tuple[str, ...], list[Time]] = defaultdict(list)
    for session, taken in sessions.items():
        for at, failing in enumerate(taken):
            if not failing.failed:
                continue
            mended = _mended(taken, at)
            if mended is None:
                continue
            between, again = mended
            key = (failing.form, failing.complaint.lower(), *(each.form for each in between))
            found[key].append(Time(session, (failing, *between, again)))
    return [_mend(times) for each in found.values() for times in variants(each, _stereotyped)]


def _mend(times: Sequence[Time]) -> Run:
    failing, *words = told(times)
    complaint = times[0].taken[0].complaint
    what = f" fails with {complaint}" if complaint else " fails"
    return Run(f"When `{failing}`{what}", tuple(words), times)


def _mended(taken: Sequence[Step], at: int) -> tuple[list[Step], Step] | None:
    between: list[Step] = []
    for step in taken[at + 1 : at + MOST_BETWEEN + 2]:
        if (step.form, step.values) == (taken[at].form, taken[at].values):
            return (between, step) if between else None
        if not step.idle and not step.failed:
            between.append(step)
    return None


def _in_a_row(sessions: Mapping[str, Sequence[Step]]) -> list[Run]:
    """Return the longest runs of steps that recur, none of them part of another."""
    found: dict[tuple[str, ...], list[Time]] = defaultdict(list)
    for session, taken in sessions.items():
        busy = [step for step in taken if not step.idle]
        for length in range(SHORTEST_RUN, LONGEST_RUN + 1):
            for at in range(len(busy) - length + 1):
                part = busy[at : at + length]
                forms = tuple(step.form for step in part)
                # A step repeated is one step done twice, not a way of doing something.
                if len(set(forms)) < length or any(step.failed for step in part[:-1]):
                    continue
                found[forms].append(Time(session, tuple(part)))
    often = _usual_order(
        _row(times) for each in found.values() for times in variants(each, _stereotyped)
    )
    return [run for run in often if not _part_of_another(run, often)]


def _row(times: Sequence[Time]) -> Run:
    words = told(times)
    return Run(f"To `{words[-1]}`", words, times)


def _usual_order(runs: Iterable[Run]) -> list[Run]:
    """Return, of runs that differ only in the order of their steps, the most frequent one."""
    usual: dict[frozenset[str], Run] = {}
    for run in runs:
        steps_taken = frozenset(run.words)
        known = usual.get(steps_taken)
        if known is None or run.runs > known.runs:
            usual[steps_taken] = run
    return list(usual.values())


def _part_of_another(run: Run, others: Iterable[Run]) -> bool:
    return any(
        len(other.words) > len(run.words)
        and set(run.words) <= set(other.words)
        and other.runs >= WELL_ENOUGH * run.runs
        for other in others
    )


def _stereotyped(times: Sequence[Time]) -> bool:
    return len(times) >= FEWEST_RUNS and len({each.session for each in times}) >= FEWEST_SESSIONS
