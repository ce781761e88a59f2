"""Summaries worded by a model, where there is one: its words, if the episodes bear them out.

What it does not answer, or words badly, is told in the words of the episodes: a summary stands
in any case, before what it sums up steps back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from helix.consolidation.gates import unsaid
from helix.consolidation.thinking import LETTERS_PER_TURN, TURNS_PER_QUESTION, Question, Unreadable
from helix.model.memory import Memory
from helix.model.night import Findings, Night, Passed
from helix.ports.language_model import Asked
from helix.reflection.summaries import Stale, stale, summarise
from helix.rules.secrets.redacting import redacted
from helix.rules.turns import ASSISTANT, Turn, sentences, turn_of
from helix.sleep.thinking import Thinker
from helix.sleep.workflow import PassFailed

LONGEST = 500
MOST_SENTENCES = 3
MOST_TOKENS = 600
_FIELDS = frozenset(("summary", "cites"))


@dataclass(frozen=True, slots=True)
class ToSumUp(Question):
    """The question what happened in something that is over."""

    stale: Stale


@dataclass(frozen=True, slots=True)
class Summariser:
    """Rolls up what has gone stale. Has the signature of a pass."""

    thinker: Thinker

    def __call__(self, night: Night) -> Findings:
        """Return the summaries; raises `PassFailed` with all of them if the model failed."""
        words: dict[tuple[str, str], str] = {}

        def read(_: Night, question: Question, reply: str) -> Findings:
            assert isinstance(question, ToSumUp)  # asked below
            said, fault = worded(question, reply)
            if fault:
                return Findings(0, (), (Passed(question.stale.name, fault),))
            words[question.stale.key] = said
            return Findings()

        failed = ""
        try:
            asked = replace(self.thinker, read=read)(night)
        except PassFailed as error:
            asked, failed = error.findings, str(error)
        made = summarise(night, words)
        findings = Findings(made.read, made.conclusions, asked.passed)
        if failed:
            raise PassFailed(failed, findings)
        return findings


@cache
def instructions() -> str:
    """Return the prompt, which is a text file."""
    return (files("helix.sleep") / "prompts" / "summaries.txt").read_text("utf-8")


def summary_questions(night: Night) -> Iterator[Question]:
    """Yield what could be asked about what has gone stale."""
    for each in stale(night):
        turns = _shown(each)
        if not turns:
            continue
        shown = tuple(turn.memory for turn in turns)
        material = {
            "episodes": [
                {
                    "id": turn.memory.id,
                    "role": turn.role or "note",
                    "text": redacted(turn.memory.content)[:LETTERS_PER_TURN],
                }
                for turn in turns
            ]
        }
        asked = Asked(
            instructions(),
            json.dumps(material, ensure_ascii=False),
            form([one.id for one in shown]),
            MOST_TOKENS,
        )
        yield ToSumUp(asked, shown, (), sum(one.importance for one in shown), each)


def worded(question: Question, reply: str) -> tuple[str, str]:
    """Return what a reply says, and what is wrong with it; raises `Unreadable` if it is none."""
    try:
        said = json.loads(reply)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from error
    if not isinstance(said, dict) or set(said) != _FIELDS:
        raise Unreadable("it is not an object with `summary` and `cites`, and nothing else")
    text, cites = said["summary"], said["cites"]
    if not isinstance(text, str) or not isinstance(cites, list):
        raise Unreadable("`summary` is not a text, or `cites` is not a list")
    text = redacted(" ".join(text.split()))
    return text, _fault(text, cites, {each.id: each for each in question.episodes})


def form(shown: Sequence[str]) -> dict[str, object]:
    """Return the JSON schema of a reply to what was shown."""
    fields = {
        "summary": {"type": "string", "maxLength": LONGEST},
        "cites": {
            "type": "array",
            "items": {"type": "string", "enum": list(shown)},
            "minItems": 1,
            "maxItems": len(shown),
        },
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(fields),
        "properties": fields,
    }


def _shown(each: Stale) -> list[Turn]:
    """Return what of it is shown: what weighs most, in its order, and nothing doubtful."""
    turns = [
        turn
        for turn in map(turn_of, each.episodes)
        if turn.role != ASSISTANT and turn.memory.belief.suspicion is None
    ]
    ranked = sorted(turns, key=lambda turn: (-turn.memory.importance, turn.memory.position))
    return sorted(ranked[:TURNS_PER_QUESTION], key=lambda turn: turn.memory.position)


def _fault(text: str, cites: Sequence[object], shown: dict[str, Memory]) -> str:
    if not 0 < len(text) <= LONGEST or len(sentences(text)) > MOST_SENTENCES:
        return "it is empty, or more than three sentences"
    if not cites:
        return "it cites nothing"
    grounds = []
    for each in cites:
        if not isinstance(each, str) or each not in shown:
            return f"it cites {each!r}, which was not shown"
        grounds.append(shown[each].content)
    return unsaid(text, grounds)
