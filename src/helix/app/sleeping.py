"""Sleep as its holder sees it: fall asleep, look at what was concluded, take it back."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from helix.app.context import Context
from helix.app.metrics import metrics
from helix.app.working_tree import WorkingTree
from helix.consolidation.gates import STRICT_GATES
from helix.consolidation.thinking import PASS as THINK
from helix.consolidation.thinking import Unreadable, believed, questions
from helix.model.changes import ChangeSet
from helix.model.errors import BadInput, NotFound
from helix.model.night import Findings
from helix.model.run import Run, RunState
from helix.ports.jobs import Job
from helix.ports.language_model import Asked, Reply
from helix.sleep.passes import DREAM_CYCLE, Pass
from helix.sleep.queue import Busy, Failed, Slept, drained, sleep_now
from helix.sleep.rederiving import Rederived, rederive
from helix.sleep.reverting import Reverted, revert
from helix.sleep.thinking import AGENT, Thinker
from helix.sleep.workflow import HEURISTIC, Dreamt, Sleeper, dream, entries_of, night_of

MANUAL, FLUSH = "manual", "flush"

Watch = Callable[[str], None]


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
        sleeper = self._sleeper(budget, watch)
        done = sleep_now(sleeper, self._context.realm, reason, worker_name())
        self._step_back(done)
        return done

    def flush(self, watch: Watch = lambda _: None) -> Slept | Failed | Busy:
        """Consolidate what was captured so far, without waiting for a trigger."""
        return self.sleep(FLUSH, watch=watch)

    def dream(self, watch: Watch = lambda _: None) -> Dreamt:
        """Return what sleep would conclude, and write nothing."""
        # Nothing is asked of a model for a look: that would cost, and its replies are kept.
        without = replace(self._sleeper(None, watch), passes=DREAM_CYCLE)
        return dream(without, self._context.realm)

    def drain(
        self, most: int | None = None, *, budget: timedelta | None = None
    ) -> Sequence[Slept | Failed]:
        """Take up owed work of every scope, longest due first; for whoever is idle."""
        done: list[Slept | Failed] = []
        while most is None or len(done) < most:
            turned_out = drained(self._sleeper(budget), worker_name())
            if turned_out is None:
                break
            self._step_back(turned_out)
            done.append(turned_out)
        return done

    def runs(self, limit: int = 20) -> Sequence[Run]:
        """Return the runs over this scope, newest first."""
        with self._context.store.reading() as unit:
            return unit.runs.latest(self._context.realm, limit)

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
            return Shown(run, tuple(entries_of(unit, run)))

    def revert(self, number: int) -> Reverted:
        """Take back what a run concluded; it is not concluded again."""
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
        """Drop the journal and conclude anew from the ledger, run by run as it was slept on."""
        return rederive(self._sleeper(None), self._context.realm.tenant, progress)

    def metrics(self) -> Mapping[str, float]:
        """Return the figures of sleep, under the names that monitoring expects."""
        return metrics(self._context)

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The dream cycle, in its order."""
        return self._passes()

    def pending(self, limit: int = 5) -> list[Thought]:
        """Return questions that a connected agent may answer, the most important first."""
        realm = self._context.realm
        asked = questions(night_of(self._sleeper(None), realm))
        found: list[Thought] = []
        with self._context.store.reading() as unit:
            for each in asked:
                if unit.replies.kept(realm.tenant, each.key, AGENT) is None:
                    found.append(Thought(each.key, each.asked))
                if len(found) == limit:
                    break
        return found

    def answer(self, key: str, text: str) -> Findings:
        """Take an agent's answer to a pending question; sleep applies it, through every gate.

        Raises `NotFound` if nothing of that key is pending, `BadInput` if it cannot be read.
        """
        realm = self._context.realm
        night = night_of(self._sleeper(None), realm)
        asked = next((each for each in questions(night) if each.key == key), None)
        if asked is None:
            raise NotFound(
                f"no question {key[:12]!r} is pending in {realm.scope}",
                code="unknown_question",
                remedy="ask for what is pending; a question changes when more is captured",
            )
        try:
            findings = believed(night, asked, text)
        except Unreadable as error:
            raise BadInput(
                f"the answer cannot be read: {error}",
                code="reply_unreadable",
                remedy="answer with one JSON object of the schema that was given",
            ) from error
        with self._context.store.writing() as unit:
            now = self._context.clock.now()
            unit.replies.keep(realm.tenant, key, AGENT, Reply(text, 0), now)
        return findings

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

    def _passes(self) -> tuple[Pass, ...]:
        language = self._context.language()
        if language.model is None:
            with self._context.store.reading() as unit:
                if not unit.replies.any_of(self._context.realm.tenant, AGENT):
                    return DREAM_CYCLE
        thinker = Thinker(
            self._context.store, self._context.clock, language.model, language.tokens_per_day
        )
        # After extraction, so that a model improves on what patterns found; before relations,
        # so that what it says is compared as well.
        at = [each.name for each in DREAM_CYCLE].index("distil")
        think = Pass(THINK, "asks the language model, where there is one", thinker, STRICT_GATES)
        return (*DREAM_CYCLE[:at], think, *DREAM_CYCLE[at:])

    def _sleeper(self, budget: timedelta | None, watch: Watch = lambda _: None) -> Sleeper:
        context = self._context
        root = context.root
        return replace(
            Sleeper(
                context.store,
                context.clock,
                self._passes(),
                _concluder(context),
                watch=watch,
                budget=budget,
            ),
            exists=None if root is None else WorkingTree(root),
        )


def _concluder(context: Context) -> str:
    model = context.language().model
    return HEURISTIC if model is None else f"{HEURISTIC}+{model.name}"


def worker_name() -> str:
    """Return what this process is called in a lease: where it runs, and as which process."""
    return f"{socket.gethostname()}:{os.getpid()}"
