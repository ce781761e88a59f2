"""What a model is asked about a bridge, and how far its word goes: pure on both sides.

It may accept or reject what words suggest, and nothing else. Accepting takes episodes that it
was shown, of at least two of the parts; what is concluded then is worded without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from helix.consolidation.thinking import LETTERS_PER_TURN, Question, Unreadable
from helix.model.memory import Memory
from helix.model.night import Conclusion, Findings, Night, Passed
from helix.ports.language_model import Asked
from helix.reflection.bridges import bridges, confirmed, parts_of, rejected
from helix.reflection.insights import Insight
from helix.rules.secrets.redacting import redacted

SHOWN_PER_PART = 4
"""The first episodes of each part: later ones do not change the question."""

LONGEST_WHY = 300
MOST_TOKENS = 500
ACCEPT, REJECT = "accept", "reject"
_FIELDS = frozenset(("decision", "cites", "why"))


@dataclass(frozen=True, slots=True)
class AboutBridge(Question):
    """The question whether a bridge holds."""

    insight: Insight


@cache
def instructions() -> str:
    """Return the prompt, which is a text file."""
    return (files("helix.sleep") / "prompts" / "bridges.txt").read_text("utf-8")


def bridge_questions(night: Night) -> Iterator[Question]:
    """Yield what could be asked about the bridges of a night."""
    for insight in bridges(night):
        shown = tuple(_shown(insight))
        material = {
            "thing": insight.subject.rpartition(":")[2],
            "parts": sorted({part for each in shown for part in parts_of(each)}),
            "episodes": [
                {
                    "id": each.id,
                    "parts": sorted(parts_of(each)),
                    "text": redacted(each.content)[:LETTERS_PER_TURN],
                }
                for each in shown
            ],
        }
        asked = Asked(
            instructions(),
            json.dumps(material, ensure_ascii=False),
            form([each.id for each in shown]),
            MOST_TOKENS,
        )
        yield AboutBridge(asked, shown, (), sum(each.importance for each in shown), insight)


def judged(night: Night, question: Question, reply: str) -> Findings:
    """Return what follows from a reply; raises `Unreadable` if it is no reply at all."""
    assert isinstance(question, AboutBridge)  # asked above
    said = _read(reply)
    insight, read = question.insight, len(question.episodes)
    if said["decision"] == REJECT:
        why = f"a model rejects it: {redacted(str(said['why']))}"
        made = rejected(night, insight)
        return Findings(read, _some(made), (Passed(insight.subject, why),))
    fault = _fault(said["cites"], question.episodes)
    if fault:
        return Findings(read, (), (Passed(insight.subject, fault),))
    return Findings(read, _some(confirmed(night, insight)))


def form(shown: Sequence[str]) -> dict[str, object]:
    """Return the JSON schema of a reply to what was shown."""
    fields = {
        "decision": {"type": "string", "enum": [ACCEPT, REJECT]},
        "cites": {
            "type": "array",
            "items": {"type": "string", "enum": list(shown)},
            "maxItems": len(shown),
        },
        "why": {"type": "string", "maxLength": LONGEST_WHY},
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(fields),
        "properties": fields,
    }


def _shown(insight: Insight) -> Iterator[Memory]:
    seen: dict[str, int] = {}
    for episode in sorted(insight.grounds, key=lambda each: each.position):
        parts = parts_of(episode)
        if any(seen.get(part, 0) < SHOWN_PER_PART for part in parts):
            yield episode
            for part in parts:
                seen[part] = seen.get(part, 0) + 1


def _read(reply: str) -> Mapping[str, object]:
    try:
        said = json.loads(reply)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from error
    if not isinstance(said, dict) or set(said) != _FIELDS:
        raise Unreadable("it is not an object with `decision`, `cites` and `why`, and nothing else")
    if said["decision"] not in (ACCEPT, REJECT):
        raise Unreadable("it neither accepts nor rejects")
    if not isinstance(said["cites"], list) or not isinstance(said["why"], str):
        raise Unreadable("`cites` is not a list, or `why` is not a text")
    return {**said, "why": said["why"][:LONGEST_WHY]}


def _fault(cites: object, shown: Sequence[Memory]) -> str:
    assert isinstance(cites, list)  # read above
    known = {each.id: each for each in shown}
    if unknown := [each for each in cites if not isinstance(each, str) or each not in known]:
        return f"it cites {unknown[0]!r}, which was not shown"
    if len({part for each in cites for part in parts_of(known[each])}) < 2:  # noqa: PLR2004 - a bridge has two ends
        return "it cites episodes of one part only"
    return ""


def _some(made: Conclusion | None) -> tuple[Conclusion, ...]:
    return () if made is None else (made,)
