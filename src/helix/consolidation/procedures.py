"""The pass that learns how things are done: steps that recur become a procedure.

Two kinds are told apart: what mends a command that failed (keyed by the command and its
complaint), and what is done in a row to get somewhere (keyed by where it ends). Each
procedure cites the runs it was learned from, those that went well and those that did not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

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


@dataclass
class Run:
    """The same steps, done several times: the episodes they ended in, by how they ended."""

    trigger: str
    forms: tuple[str, ...]
    words: tuple[str, ...]
    well: list[Memory] = field(default_factory=list)
    badly: list[Memory] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)
    members: dict[str, Memory] = field(default_factory=dict)

    def note(self, session: str, taken: Sequence[Step], *, failed: bool) -> None:
        """Write down one more time that the steps were done."""
        (self.badly if failed else self.well).append(taken[-1].episode)
        self.sessions.add(session)
        for step in taken:
            self.members.setdefault(step.episode.id, step.episode)

    @property
    def runs(self) -> int:
        """How often the steps were done."""
        return len(self.well) + len(self.badly)

    @property
    def content(self) -> str:
        """The procedure as people read it."""
        numbered = " ".join(f"{n}. `{words}`" for n, words in enumerate(self.words, 1))
        return f"{self.trigger}: {numbered}"


def proceed(night: Night) -> Findings:
    """Return the procedures that the sessions of a night show."""
    sessions = steps(map(turn_of, night.episodes))
    mending = _mending(sessions)
    learned = [each for each in mending if _stereotyped(each)]
    known = {frozenset(each.forms) for each in learned}
    learned += [
        each
        for each in _in_a_row(sessions)
        if _stereotyped(each) and not any(set(each.forms) <= forms for forms in known)
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
    grounds = sorted(run.members.values(), key=lambda each: each.position)
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
    found: dict[tuple[str, ...], Run] = {}
    for session, taken in sessions.items():
        for at, failing in enumerate(taken):
            if not failing.failed:
                continue
            mended = _mended(taken, at)
            if mended is None:
                continue
            between, again = mended
            key = (failing.form, failing.complaint.lower(), *(each.form for each in between))
            what = f" fails with {failing.complaint}" if failing.complaint else " fails"
            run = found.setdefault(
                key,
                Run(
                    f"When `{failing.words}`{what}",
                    (*(each.form for each in between), again.form),
                    (*(each.words for each in between), again.words),
                ),
            )
            run.note(session, [failing, *between, again], failed=again.failed)
    return list(found.values())


def _mended(taken: Sequence[Step], at: int) -> tuple[list[Step], Step] | None:
    between: list[Step] = []
    for step in taken[at + 1 : at + MOST_BETWEEN + 2]:
        if step.form == taken[at].form:
            return (between, step) if between else None
        if not step.idle and not step.failed:
            between.append(step)
    return None


def _in_a_row(sessions: Mapping[str, Sequence[Step]]) -> list[Run]:
    """Return the longest runs of steps that recur, none of them part of another."""
    found: dict[tuple[str, ...], Run] = {}
    for session, taken in sessions.items():
        busy = [step for step in taken if not step.idle]
        for length in range(SHORTEST_RUN, LONGEST_RUN + 1):
            for at in range(len(busy) - length + 1):
                part = busy[at : at + length]
                forms = tuple(step.form for step in part)
                # A step repeated is one step done twice, not a way of doing something.
                if len(set(forms)) < length or any(step.failed for step in part[:-1]):
                    continue
                words = tuple(step.words for step in part)
                run = found.setdefault(forms, Run(f"To `{words[-1]}`", forms, words))
                run.note(session, part, failed=part[-1].failed)
    often = _usual_order(run for run in found.values() if run.runs >= FEWEST_RUNS)
    return [run for run in often if not _part_of_another(run, often)]


def _usual_order(runs: Iterable[Run]) -> list[Run]:
    """Return, of runs that differ only in the order of their steps, the most frequent one."""
    usual: dict[frozenset[str], Run] = {}
    for run in runs:
        steps_taken = frozenset(run.forms)
        known = usual.get(steps_taken)
        if known is None or run.runs > known.runs:
            usual[steps_taken] = run
    return list(usual.values())


def _part_of_another(run: Run, others: Iterable[Run]) -> bool:
    return any(
        len(other.forms) > len(run.forms)
        and set(run.forms) <= set(other.forms)
        and other.runs >= WELL_ENOUGH * run.runs
        for other in others
    )


def _stereotyped(run: Run) -> bool:
    return run.runs >= FEWEST_RUNS and len(run.sessions) >= FEWEST_SESSIONS
