"""What a small model is asked about importance, and how far it is believed.

The rating at write is a heuristic's, because nobody waits for a model then. During sleep a
small model may rate again. Its rating replaces the first one, within bounds: a text that
talks itself up must not become the most important thing there is. Both ratings stand in the
journal, and a run that is reverted gives the first one back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from helix.consolidation.thinking import (
    LETTERS_PER_TURN,
    Question,
    Unreadable,
    pieces,
    weight,
)
from helix.model.changes import Rate
from helix.model.memory import Memory
from helix.model.night import Conclusion, Decision, Findings, Night, Passed
from helix.model.types import EPISODE
from helix.ports.language_model import Asked
from helix.rules.concluding import rating_of
from helix.rules.importance import rate
from helix.rules.secrets.redacting import redacted
from helix.rules.turns import Turn

PASS = "rate"

LEAST, MOST = 1, 10
FURTHEST = 0.3
"""How far a model may move a rating, up or down: as far as surprise may."""

MOST_TOKENS = 1_000


@cache
def instructions() -> str:
    """Return the prompt, which is a text file."""
    return (files("helix.consolidation") / "prompts" / "importance.txt").read_text("utf-8")


def rating_questions(night: Night) -> list[Question]:
    """Return what could be asked about the episodes of a night, the most important first."""
    return [_question(turns) for turns in pieces(night)]


def rated(night: Night, question: Question, reply: str) -> Findings:
    """Return the ratings that a reply changes; raises `Unreadable` if it is no reply at all."""
    shown = {each.id: each for each in question.episodes}
    conclusions: dict[str, Conclusion] = {}
    passed: list[Passed] = []
    for item in _items(reply):
        fault = _fault(item, shown)
        if fault:
            passed.append(Passed(str(item)[:120], fault))
            continue
        assert isinstance(item, dict)  # checked among the faults
        made = _rerated(night, shown[item["id"]], item["importance"])
        if made is not None:
            conclusions[item["id"]] = made
    return Findings(len(question.episodes), tuple(conclusions.values()), tuple(passed))


def within(first: float, said: int) -> float:
    """Return what a model's rating of 1 to 10 makes of a first one, within bounds."""
    return round(min(first + FURTHEST, max(first - FURTHEST, said / MOST)), 2)


def _rerated(night: Night, episode: Memory, said: int) -> Conclusion | None:
    status = episode.circumstances.exit_status if episode.circumstances else None
    # From what the rules make of the text: rated twice, it moves no further than once.
    enters = within(rate(EPISODE, episode.content, status), said)
    if enters == episode.importance_base:
        return None
    why = f"a model rates it {said} of {MOST}"
    change = Rate(night.realm, episode.id, episode.importance_base, enters)
    return Conclusion(Decision.UPDATE, rating_of(episode.id), why, (episode.id,), (change,))


def _question(turns: Sequence[Turn]) -> Question:
    episodes = tuple(turn.memory for turn in turns)
    material = {
        "episodes": [
            {
                "id": turn.memory.id,
                "role": turn.role or "note",
                "text": redacted(turn.prose)[:LETTERS_PER_TURN],
            }
            for turn in turns
        ]
    }
    asked = Asked(
        instructions(),
        json.dumps(material, ensure_ascii=False),
        _form([each.id for each in episodes]),
        MOST_TOKENS,
    )
    return Question(asked, episodes, (), weight(turns))


def _form(shown: Sequence[str]) -> dict[str, object]:
    rating = {
        "id": {"type": "string", "enum": list(shown)},
        "importance": {"type": "integer", "minimum": LEAST, "maximum": MOST},
    }
    item = {
        "type": "object",
        "additionalProperties": False,
        "required": list(rating),
        "properties": rating,
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["ratings"],
        "properties": {"ratings": {"type": "array", "maxItems": len(shown), "items": item}},
    }


def _items(reply: str) -> list[object]:
    try:
        document = json.loads(reply)
    except ValueError as error:
        raise Unreadable(f"it is not JSON: {error}") from error
    if not isinstance(document, dict) or set(document) != {"ratings"}:
        raise Unreadable("it is not an object with `ratings` and nothing else")
    items = document["ratings"]
    if not isinstance(items, list):
        raise Unreadable("`ratings` is not a list")
    return items


def _fault(item: object, shown: dict[str, Memory]) -> str:
    if not isinstance(item, dict) or set(item) != {"id", "importance"}:
        return "its fields are not those that were asked for"
    if item["id"] not in shown:
        return f"it rates {item['id']!r}, which was not shown"
    said = item["importance"]
    if isinstance(said, bool) or not isinstance(said, int) or not LEAST <= said <= MOST:
        return "its rating is not a whole number from 1 to 10"
    return ""
