"""Sleep as its holder sees it: fall asleep, look at what was concluded, take it back."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import TypeVar

from helix.app.context import Context
from helix.app.metrics import metrics
from helix.app.runs_as_seen import changes_as_seen, run_as_seen
from helix.app.scratching import come_by
from helix.app.stepping_aside import aside
from helix.app.whose import check_the_user
from helix.app.withholding import is_withheld
from helix.app.working_tree import WorkingTree
from helix.capture.admission import cleaning, redacting
from helix.consolidation.gates import STRICT_GATES
from helix.consolidation.rating import PASS as RATE
from helix.consolidation.rating import rated, rating_questions
from helix.consolidation.replies import without_secrets
from helix.consolidation.thinking import PASS as THINK
from helix.consolidation.thinking import Question, Unreadable, believed
from helix.model.changes import ChangeSet
from helix.model.errors import BadInput, NotFound
from helix.model.night import Findings, Night
from helix.model.run import Run, RunState
from helix.model.scope import Realm
from helix.ports.jobs import SLEEP, Job
from helix.ports.language_model import Asked, Reply
from helix.ports.store import Unit
from helix.reflection.bridges import PASS as BRIDGE
from helix.reflection.summaries import PASS as SUMMARISE
from helix.sleep.bridging import bridge_questions, judged
from helix.sleep.passes import DREAM_CYCLE, Pass
from helix.sleep.pending import waiting
from helix.sleep.queue import Busy, Failed, Slept, drained, sleep_now
from helix.sleep.rederiving import Rederived, rederive
from helix.sleep.reverting import Reverted, revert
from helix.sleep.summarising import Summariser, summary_questions
from helix.sleep.thinking import AGENT, DAY, Thinker
from helix.sleep.timing import EVERY, is_due, owe_what_waits
from helix.sleep.workflow import HEURISTIC, Dreamt, Sleeper, dream, entries_of

MANUAL, FLUSH, ANSWERED = "manual", "flush", "answered"

Watch = Callable[[str], None]

Done = TypeVar("Done", Slept | Failed, Slept | Failed | Busy)


@dataclass(frozen=True, slots=True)
class Shown:
    """A run with what each of its passes changed."""

    run: Run
    changes: tuple[tuple[str, ChangeSet], ...]


@dataclass(frozen=True, slots=True)
class Owed:
    """Work that waits, and work that failed too often."""

    waiting: tuple[Job, ...]
    dead: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """A question that a connected agent may answer: its key, and what is asked in which form."""

    key: str
    asked: Asked


class Sleeping:
    """Consolidation and reflection over the scope a memory is open in."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context
        self._aside = False

    def step_aside(self) -> None:
        """Compute at low priority from now on; for a process that is there to sleep only.

        In one that also answers it would do harm: both share the interpreter.
        """
        self._aside = True

    def sleep(
        self,
        reason: str = MANUAL,
        *,
        budget: timedelta | None = None,
        watch: Watch = lambda _: None,
    ) -> Slept | Failed | Busy:
        """Run the dream cycle over this scope now, or go on with one that was cut short.

        `Busy` if another process is at it. `watch` is told the name of each pass when it is
        through. With a `budget`, what is left after it waits in the queue.
        """
        come_by(self._context)
        sleeper = self._sleeper(budget, watch)
        done = sleep_now(sleeper, self._context.realm, reason, worker_name())
        self._step_back(done)
        return self._as_seen(done)

    def flush(self, watch: Watch = lambda _: None) -> Slept | Failed | Busy:
        """Consolidate what was captured so far, without waiting for a trigger."""
        return self.sleep(FLUSH, watch=watch)

    def dream(self, watch: Watch = lambda _: None) -> Dreamt:
        """Return what sleep would conclude, and write nothing."""
        # Nothing is asked of a model for a look: that would cost, and its replies are kept.
        without = replace(self._sleeper(None, watch), passes=DREAM_CYCLE)
        dreamt = dream(without, self._context.realm)
        with self._context.store.reading() as unit:
            seen = self._changes_as_seen(unit, dreamt.changes)
        return Dreamt(run_as_seen(self._context.source, dreamt.run), seen)

    def drain(
        self, most: int | None = None, *, budget: timedelta | None = None
    ) -> Sequence[Slept | Failed]:
        """Take up owed work of every scope, longest due first; for whoever is idle.

        The budget is for all of it. A run that it cuts short is the last one: the rest is for
        the next who is idle.
        """
        come_by(self._context)
        done: list[Slept | Failed] = []
        clock = self._context.clock
        until = None if budget is None else clock.now() + budget
        while most is None or len(done) < most:
            left = None if until is None else until - clock.now()
            if left is not None and done and left <= timedelta(0):
                break
            turned_out = drained(self._sleeper(left), worker_name())
            if turned_out is None:
                break
            self._step_back(turned_out)
            done.append(self._as_seen(turned_out))
            if isinstance(turned_out, Slept) and turned_out.run.state is RunState.RUNNING:
                break
        return done

    def due(self) -> bool:
        """Return whether owed work of any scope could be taken up now."""
        context = self._context
        return is_due(context.store, context.clock, context.realm.tenant)

    def owe_what_waits(self, every: timedelta = EVERY) -> list[Job]:
        """Owe sleep in every scope where something has waited so long, and return the work."""
        context = self._context
        return owe_what_waits(context.store, context.clock, context.realm.tenant, every)

    def runs(self, limit: int = 20) -> Sequence[Run]:
        """Return the runs over this scope, newest first."""
        with self._context.store.reading() as unit:
            found = unit.runs.latest(self._context.realm, limit)
        return [run_as_seen(self._context.source, each) for each in found]

    def run(self, number: int) -> Shown:
        """Return one run with what it changed."""
        realm = self._context.realm
        with self._context.store.reading() as unit:
            run = unit.runs.run(realm.tenant, number)
            if run is None or run.realm != realm:
                raise NotFound(
                    f"there is no run {number} in {realm.scope}",
                    code="unknown_run",
                    remedy="`helix runs` shows them",
                )
            seen = self._changes_as_seen(unit, entries_of(unit, run))
        return Shown(run_as_seen(self._context.source, run), seen)

    def revert(self, number: int) -> Reverted:
        """Take back what a run concluded; it is not concluded again."""
        # What took over an answer was marked by a run: whoever is marked must not lift it.
        check_the_user(self._context, "take a run back", "helix runs revert")
        return revert(self._context.store, self._context.clock, self._context.realm, number)

    def owed(self) -> Owed:
        """Return the work of this scope that waits, and that which is dead."""
        realm = self._context.realm
        with self._context.store.reading() as unit:
            waiting = [each for each in unit.jobs.waiting(realm.tenant) if each.realm == realm]
            dead = [each for each in unit.jobs.dead(realm.tenant) if each.realm == realm]
        return Owed(tuple(waiting), tuple(dead))

    def retry(self, job_id: int) -> Job:
        """Owe dead work again."""
        realm = self._context.realm
        now = self._context.clock.now()
        with self._context.store.writing() as unit:
            dead = {each.id for each in unit.jobs.dead(realm.tenant) if each.realm == realm}
            job = unit.jobs.revive(realm.tenant, job_id, now) if job_id in dead else None
        if job is None:
            raise NotFound(
                f"there is no dead work {job_id} in {realm.scope}",
                code="unknown_job",
                remedy="`helix runs --owed` shows what is dead",
            )
        return job

    def rederive(self, progress: Callable[[int], None] = lambda _: None) -> Rederived:
        """Drop the journal and conclude anew from the ledger, run by run as it was slept on.

        Raises `Conflict` where that would lose conclusions whose ground was purged by age, or
        something that was concluded, taken back or destroyed while it lasted.
        """
        return rederive(self._sleeper(None), self._context.realm.tenant, progress)

    def metrics(self) -> Mapping[str, float]:
        """Return the figures of sleep, under the names that monitoring expects."""
        return metrics(self._context)

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The dream cycle, in its order."""
        return self._passes()

    def pending(self, limit: int = 5) -> list[Thought]:
        """Return questions that a connected agent may answer.

        Of what was captured last the most important first, then of what was before it, and of
        no more than the last few thousand episodes.
        """
        context = self._context
        asked = (each for _, each in waiting(context.store, context.clock, context.realm))
        unanswered = (
            Thought(each.key, each.asked)
            for each in asked
            if not self._has_answered(each) and self._may_be_shown(each)
        )
        return list(islice(unanswered, limit))

    def _may_be_shown(self, question: Question) -> bool:
        # Whole, not without the one: sleep looks for an answer to the question as it stands.
        shown = (*question.episodes, *question.held)
        return not any(is_withheld(self._context.source, each) for each in shown)

    def _has_answered(self, question: Question) -> bool:
        with self._context.store.reading() as unit:
            tenant = self._context.realm.tenant
            return unit.replies.kept(tenant, question.key, AGENT) is not None

    def may_ask(self) -> bool:
        """Return whether a model may still be asked today, within the budget of tokens."""
        realm, now = self._context.realm, self._context.clock.now()
        with self._context.store.reading() as unit:
            spent = unit.replies.spent(realm.tenant, now - DAY)
        return spent < self._context.language().tokens_per_day

    def answer(self, key: str, text: str, tokens: int = 0) -> Findings:
        """Take an agent's answer to a pending question; sleep applies it, through every gate.

        Sleep is owed then. `tokens` is what the answer cost, where that is known. Raises
        `NotFound` if nothing of that key is pending, `BadInput` if it cannot be read.
        """
        realm = self._context.realm
        asks = waiting(self._context.store, self._context.clock, realm)
        found = next((each for each in asks if each[1].key == key), None)
        if found is None:
            raise _not_pending(key, realm)
        text = without_secrets(text, self._clean(), found[1].ids)
        try:
            findings = believed(*found, text)
        except Unreadable as error:
            raise BadInput(
                f"the answer cannot be read: {error}",
                code="reply_unreadable",
                remedy="answer with one JSON object of the schema that was given",
            ) from error
        with self._context.store.writing() as unit:
            if unit.ledger.destroyed_since(realm.tenant, found[0].head):
                raise _not_pending(key, realm)  # it may be about what is gone
            now = self._context.clock.now()
            unit.replies.keep(realm.tenant, key, AGENT, Reply(text, tokens), now)
            unit.jobs.enqueue(realm, SLEEP, ANSWERED, now)
        return findings

    def _as_seen(self, done: Done) -> Done:
        if not isinstance(done, Slept):
            return done
        return replace(done, run=run_as_seen(self._context.source, done.run))

    def _changes_as_seen(
        self, unit: Unit, changes: Iterable[tuple[str, ChangeSet]]
    ) -> tuple[tuple[str, ChangeSet], ...]:
        realm = self._context.realm
        return changes_as_seen(
            self._context.source, changes, lambda each: unit.projection.held(realm.tenant, each)
        )

    def _step_back(self, done: Slept | Failed | Busy) -> None:
        """Let what has faded step back once a run is through: summaries stand by then.

        Each sweep is a conclusion of its own, capped and revertible apart from the run.
        """
        policy = self._context.policy
        if not policy.sweeps_with_sleep or not isinstance(done, Slept):
            return
        if done.run.state is RunState.FINISHED:
            # Loaded here: most who open a memory never sleep.
            from helix.app.lifecycle import Lifecycle  # noqa: PLC0415

            Lifecycle(replace(self._context, realm=done.run.realm)).sweep()

    def _clean(self) -> Callable[[str], str]:
        return cleaning(redacting(self._context.gates))

    def _passes(self, until: datetime | None = None) -> tuple[Pass, ...]:
        context, language = self._context, self._context.language()
        cycle = DREAM_CYCLE
        if language.model is not None or self._answered():
            thinker = Thinker(
                context.store, context.clock, language.model, language.tokens_per_day,
                clean=self._clean(), until=until,
            )  # fmt: skip
            # After extraction, so that a model improves on what patterns found; before
            # relations, so that what it says is compared as well.
            at = [each.name for each in cycle].index("distil")
            does = "asks the language model, where there is one"
            cycle = (*cycle[:at], Pass(THINK, does, thinker, STRICT_GATES), *cycle[at:])
        if language.model is not None:
            judge = Thinker(
                context.store, context.clock, language.model, language.tokens_per_day,
                ask=bridge_questions, read=judged, agents_too=False,
                clean=self._clean(), until=until,
            )  # fmt: skip
            teller = Summariser(replace(judge, ask=summary_questions))
            asks: dict[str, Callable[[Night], Findings]] = {BRIDGE: judge, SUMMARISE: teller}
            cycle = tuple(
                each._replace(run=asks[each.name], does=f"{each.does}, with the language model")
                if each.name in asks
                else each
                for each in cycle
            )
        if language.online is not None:
            rater = Thinker(
                context.store, context.clock, language.online, language.online_tokens_per_day,
                ask=rating_questions, read=rated, agents_too=False,
                clean=self._clean(), until=until,
            )  # fmt: skip
            # First, so that the most important comes first in everything after it.
            cycle = (Pass(RATE, "lets the small model rate importance", rater), *cycle)
        return cycle

    def _answered(self) -> bool:
        with self._context.store.reading() as unit:
            return unit.replies.any_of(self._context.realm.tenant, AGENT)

    def _sleeper(self, budget: timedelta | None, watch: Watch = lambda _: None) -> Sleeper:
        context = self._context
        root = context.root
        until = None if budget is None else context.clock.now() + budget
        return replace(
            Sleeper(
                context.store,
                context.clock,
                self._passes(until),
                _concluder(context),
                watch=watch,
                budget=budget,
                rest=time.sleep,
                compute=aside() if self._aside else lambda work: work(),
            ),
            # Claims are held against the tree of their own project, and no other.
            tree=lambda realm: WorkingTree(root) if root and realm == context.realm else None,
        )


def _not_pending(key: str, realm: Realm) -> NotFound:
    return NotFound(
        f"no question {key[:12]!r} is pending in {realm.scope}",
        code="unknown_question",
        remedy="ask for what is pending; a question changes when more is captured",
    )


def _concluder(context: Context) -> str:
    language = context.language()
    asked = [each.name for each in (language.online, language.model) if each is not None]
    return "+".join([HEURISTIC, *asked])


def worker_name() -> str:
    """Return what this process is called in a lease: where it runs, and as which process."""
    return f"{socket.gethostname()}:{os.getpid()}"
