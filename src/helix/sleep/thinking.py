"""The pass that asks a language model, where one is configured: within a budget, at most once.

Replies are kept by what was asked, so neither a second run nor a rebuild asks again. A reply
that does not come, or cannot be read, is a failed attempt: it is reported as failed and the
work stays owed. After a few failures in a row the model is left alone for the night.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from helix.consolidation.replies import without_secrets
from helix.consolidation.thinking import PASS, Question, Unreadable, believed, questions
from helix.model.night import Conclusion, Findings, Night, Passed
from helix.ports.clock import Clock
from helix.ports.language_model import LanguageModel, ModelUnavailable, Reply
from helix.ports.store import Store
from helix.rules.secrets.redacting import redacted
from helix.sleep.workflow import ErasedMeanwhile, PassFailed, check_nothing_erased

DAY = timedelta(days=1)
TOKENS_PER_DAY = 200_000
MOST_QUESTIONS = 50
"""Questions that one run asks; the rest waits for the next."""

MOST_FAILURES = 3
"""Failures in a row after which the model is left alone for this run."""

AGENT = "agent"
"""The name under which replies of the connected agent are kept."""


@dataclass(frozen=True, slots=True)
class Thinker:
    """Asks a model about a night. Has the signature of a pass.

    `ask` says what is asked, `read` what of a reply may be concluded. What the connected agent
    answered counts only where it was asked.
    """

    store: Store
    clock: Clock
    model: LanguageModel | None
    tokens_per_day: int = TOKENS_PER_DAY
    most: int = MOST_QUESTIONS
    ask: Callable[[Night], Iterable[Question]] = questions
    read: Callable[[Night, Question, str], Findings] = believed
    agents_too: bool = True
    clean: Callable[[str], str] = redacted
    """Takes secrets out of a reply before it is kept, read or reported."""
    until: datetime | None = None
    """When the time for this run is up: a slow model must not keep it for hours."""

    def __call__(self, night: Night) -> Findings:
        """Return what the model concluded; raises `PassFailed` with what was found so far.

        Raises `ErasedMeanwhile`, and keeps no word, where something was erased since the night
        was read.
        """
        conclusions: list[Conclusion] = []
        passed: list[Passed] = []
        seen = asked = failures = 0
        failed = ""
        for question in self.ask(night):
            reply = self._kept(night, question)
            if reply is None and self.model is None:
                continue  # nobody has answered it, and nobody can be asked
            if reply is None:
                why = self._may_not_ask(night, asked, failures)
                if why:
                    passed.append(Passed(question.episodes[0].id, why))
                    continue
                asked += 1
                try:
                    reply = self._asked(night, question)
                    failures = 0
                except ModelUnavailable as error:
                    failures += 1
                    failed = self.clean(error.message)
                    passed.append(Passed(question.episodes[0].id, f"failed: {failed}"))
                    continue
            found = self.read(night, question, reply.text)
            seen += found.read
            conclusions += found.conclusions
            passed += found.passed
        findings = Findings(seen, tuple(conclusions), tuple(passed))
        if failed:
            raise PassFailed(failed, findings)
        return findings

    def _may_not_ask(self, night: Night, asked: int, failures: int) -> str:
        if failures >= MOST_FAILURES:
            return f"{failures} failures in a row: the model is left alone for now"
        if self.until is not None and self.clock.now() >= self.until:
            return "the time for this run is up; the next goes on"
        if asked >= self.most:
            return f"{self.most} questions were asked in this run; the next goes on"
        with self.store.reading() as unit:
            check_nothing_erased(unit, night)  # what is gone is not sent out either
            spent = unit.replies.spent(night.realm.tenant, self.clock.now() - DAY)
        if spent >= self.tokens_per_day:
            return f"the day's budget of {self.tokens_per_day:,} tokens is spent"
        return ""

    def _kept(self, night: Night, question: Question) -> Reply | None:
        names = ([] if self.model is None else [self.model.name]) + [AGENT] * self.agents_too
        with self.store.reading() as unit:
            for name in names:
                reply = unit.replies.kept(night.realm.tenant, question.key, name)
                if reply is not None:
                    # An older version kept it as it came.
                    return self._without_secrets(question, reply)
        return None

    def _without_secrets(self, question: Question, reply: Reply) -> Reply:
        return replace(reply, text=without_secrets(reply.text, self.clean, question.ids))

    def _asked(self, night: Night, question: Question) -> Reply:
        assert self.model is not None  # looked at before asking
        reply = self._without_secrets(question, self.model.reply(question.asked))
        try:
            self.read(night, question, reply.text)
        except Unreadable as error:
            # What cannot be read is not kept, but it was paid for.
            self._keep(night, f"unreadable {question.key}", Reply("", reply.tokens))
            raise ModelUnavailable(
                f"its reply cannot be read: {error}", code="reply_unreadable"
            ) from error
        self._keep(night, question.key, reply)
        return reply

    def _keep(self, night: Night, key: str, reply: Reply) -> None:
        assert self.model is not None
        tenant, now = night.realm.tenant, self.clock.now()
        with self.store.writing() as unit:
            overtaken = unit.ledger.destroyed_since(tenant, night.head)
            if overtaken:
                # The reply may quote what is gone, but it was paid for.
                key, reply = f"overtaken {key}", Reply("", reply.tokens)
            unit.replies.keep(tenant, key, self.model.name, reply, now)
        if overtaken:
            raise ErasedMeanwhile


__all__ = ["AGENT", "PASS", "Thinker"]
