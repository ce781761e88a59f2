"""The pass that reads talk and history: what was said for good becomes a statement of its own.

A turn is never read alone: it stands beside the assistant's turn before it, the talk before
that, what is held already, the date and the scope. The result is decided, not just found:
new, the same again, more, or in place of something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from helix.consolidation import answers, commits, talk
from helix.consolidation.statements import Statements
from helix.model.changes import PutMemory
from helix.model.edge import EXTENDS
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night, Passed
from helix.model.provenance import Origin
from helix.rules.concluded import is_concluded
from helix.rules.concluding import (
    added,
    link,
    new_memory,
    strengthened,
    superseding,
    weakest_origin,
)
from helix.rules.naming import concluded_id, fingerprint
from helix.rules.relations import Relation, relation, replaces
from helix.rules.spans import over_by
from helix.rules.turns import ASSISTANT, HISTORY, USER, Turn, sentences, turn_of

NAME = "extract"

WINDOW = 6
"""Turns of the same session before the current one that are looked at."""


class Candidate(NamedTuple):
    """A statement that may be kept, the episode it was said in, and what it is known to be."""

    kind: str
    content: str
    episode: Memory
    updates: bool = False
    answer: answers.Answer | None = None


@dataclass
class _Reader:
    """One reading of a night. Holds what the night holds and what was concluded on the way."""

    night: Night
    held: dict[str, Memory]
    statements: Statements
    conclusions: list[Conclusion] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)

    def take(self, candidate: Candidate) -> None:
        known = self.held.get(concluded_id(self.night.realm, candidate.kind, candidate.content))
        if known is not None:
            if known.status is Status.ACTIVE:
                self._again(known, candidate)
            return
        found = self._related(candidate)
        if found is None:
            self._add(candidate)
            return
        verdict, other = found
        match verdict:
            case Relation.DUPLICATE:
                self._again(other, candidate)
            case Relation.UPDATES:
                self._update(candidate, other)
            case Relation.EXTENDS:
                self._add(candidate, extends=other)
            case _:
                self._add(candidate)

    def _related(self, candidate: Candidate) -> tuple[Relation, Memory] | None:
        if candidate.answer is not None and candidate.answer.about is not None:
            verdict = Relation.UPDATES if candidate.updates else Relation.EXTENDS
            return verdict, candidate.answer.about
        by_relation: dict[Relation, Memory] = {}
        said = fingerprint(candidate.kind, candidate.content)
        for other in self.statements.near(candidate.content):
            # What was over by then is another matter, but for the same words: nothing is held
            # twice.
            if over_by(other, candidate.episode.recorded_at) and other.fingerprint != said:
                continue
            by_relation.setdefault(_verdict(candidate, other), other)
        for verdict in (Relation.DUPLICATE, Relation.UPDATES, Relation.EXTENDS):
            if verdict in by_relation:
                return verdict, by_relation[verdict]
        return None

    def _memory(self, candidate: Candidate) -> Memory:
        attributes: dict[str, object] = {
            "category": answers.category(candidate.kind, candidate.content)
        }
        if names := answers.names_in(candidate.content):
            attributes["entities"] = names
        if candidate.answer is not None:
            attributes |= {"slot": candidate.answer.slot, "base": candidate.answer.base}
        return new_memory(
            self.night, NAME, candidate.kind, candidate.content, [candidate.episode],
            attributes=attributes, valid_from=candidate.episode.recorded_at,
        )  # fmt: skip

    def _add(self, candidate: Candidate, extends: Memory | None = None) -> None:
        memory = self._memory(candidate)
        grounds = [candidate.episode]
        made = added(self.night, memory, grounds, NAME, f"said in {candidate.episode.id}")
        if extends is not None:
            edge = link(self.night, memory, EXTENDS, extends, by=NAME)
            why = f"{made.why}; extends {extends.id}"
            made = Conclusion(made.decision, made.key, why, made.grounds, (*made.changes, edge))
        self._keep(made)

    def _again(self, known: Memory, candidate: Candidate) -> None:
        more = strengthened(
            self.night, known, [candidate.episode], NAME, f"said again in {candidate.episode.id}"
        )
        if more is not None:
            self._keep(more)

    def _update(self, candidate: Candidate, old: Memory) -> None:
        # An agent's word does not overwrite a person's; both stay, and a person decides.
        weaker = weakest_origin([old]) is Origin.USER_ASSERTED and (
            weakest_origin([candidate.episode]) is not Origin.USER_ASSERTED
        )
        if weaker or old.belief.pinned:
            why = "pinned" if old.belief.pinned else "a person's word"
            self.passed.append(Passed(candidate.content, f"{old.id} is {why}: not replaced"))
            self._add(candidate)
            return
        memory = self._memory(candidate)
        made = added(self.night, memory, [candidate.episode], NAME, f"replaces {old.id}")
        changes = (*made.changes, *superseding(self.night, old, memory, NAME))
        self._keep(Conclusion(Decision.SUPERSEDE, memory.id, made.why, made.grounds, changes))

    def _keep(self, conclusion: Conclusion) -> None:
        if conclusion.key in self.night.refused:
            self.passed.append(Passed(conclusion.key, "a person reverted it"))
            return
        self.conclusions.append(conclusion)
        for change in conclusion.changes:
            if isinstance(change, PutMemory):
                self.held[change.memory.id] = change.memory
                self.statements.put(change.memory)


def _verdict(candidate: Candidate, other: Memory) -> Relation:
    verdict = relation(candidate.content, other.content)
    if verdict not in (Relation.CONTRADICTS, Relation.UPDATES):
        return verdict
    # "From now on" says that something begins, not what ends by it. What only may exclude the
    # other is added beside it, and `relate` asks a person.
    changed = candidate.updates or verdict is Relation.UPDATES
    ends = changed and replaces(candidate.content, other.content)
    return Relation.UPDATES if ends else Relation.CONTRADICTS


def extract(night: Night) -> Findings:
    """Return what the turns of a night state for good."""
    reader = _Reader(night, dict(night.held), Statements(night.held.values()))
    before: dict[str, list[Turn]] = {}
    for episode in night.credible:
        turn = turn_of(episode)
        around = episode.circumstances
        talked = before.setdefault(around.session if around else "", [])
        for candidate in _candidates(turn, talked, reader):
            reader.take(candidate)
        talked.append(turn)
        del talked[:-WINDOW]
    return Findings(len(night.episodes), tuple(reader.conclusions), tuple(reader.passed))


def _candidates(turn: Turn, talked: Sequence[Turn], reader: _Reader) -> Iterator[Candidate]:
    if turn.role == HISTORY:
        stated = commits.stated(turn.memory.content)
        if stated is not None:
            yield Candidate(stated.kind, stated.content, turn.memory, stated.updates)
        return
    if turn.role != USER:
        return
    answer = _answer(turn, talked, reader)
    if answer is not None:
        yield Candidate(answer.kind, answer.content, turn.memory, answer.updates, answer)
        return
    for sentence in sentences(turn.prose):
        said = talk.said(sentence, spoken=turn.spoken)
        if said is not None:
            yield Candidate(said.kind, said.content, turn.memory, said.updates)


def _answer(turn: Turn, talked: Sequence[Turn], reader: _Reader) -> answers.Answer | None:
    if len(turn.prose.split()) > answers.MOST_WORDS + 3:
        return None
    # Only what was held when it was said: a second run must read it as the first one did.
    then = [
        each
        for each in reader.statements
        if is_concluded(each) or each.position < turn.memory.position
    ]
    asked = talked[-1].prose if talked and talked[-1].role == ASSISTANT else ""
    if "?" in asked:
        window = [each.prose for each in talked]
        found = answers.resolved(_question(asked), turn.prose, then, window)
        if found is not None:
            return found
    return answers.corrected(turn.prose, then)


def _question(asked: str) -> str:
    return next(each for each in reversed(sentences(asked)) if "?" in each)
