"""What a model is asked, and what of its reply is believed: pure on both sides of the call.

The material is a JSON document, so that nothing in a transcript can pass for an instruction.
Secrets are taken out of it with today's rules, whatever the rules were when it was captured.
A reply is parsed strictly into types: an unknown field, type or relation, an id that was not
shown, or anything that is not JSON is refused. What remains goes through the same gates as
every other conclusion, and may say nothing that its grounds do not say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from helix.consolidation.gates import STRICT_GATES, Gate
from helix.consolidation.statements import Statements
from helix.model.changes import PutEdge, PutMemory
from helix.model.edge import EXTENDS
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night, Passed
from helix.ports.language_model import Asked
from helix.rules.concluding import added, link, new_memory, strengthened, superseding
from helix.rules.relations import Relation, differs_in_value
from helix.rules.secrets.redacting import redacted
from helix.rules.steps import step_of
from helix.rules.turns import Turn, sentences, turn_of

PASS = "think"
GATES: tuple[Gate, ...] = STRICT_GATES

TURNS_PER_QUESTION = 20
POSITIONS_PER_PIECE = 64
"""Places in the ledger that one piece may span: it can be told without what stands around it."""

LETTERS_PER_TURN = 1_200
LETTERS_TOLD = 120
"""Of an item that was passed over, in the report of the run."""

MOST_HELD = 20
LONGEST_CONTENT = 400
MOST_SENTENCES = 2
"""A conclusion says one thing; small models go on and on."""

MOST_PER_REPLY = 12

TYPES = ("fact", "decision", "preference", "convention")
RELATIONS = ("new", "duplicate", "extends", "updates", "contradicts")
_FIELDS = frozenset(("type", "content", "cites", "relation", "target"))


class Unreadable(ValueError):
    """A reply that is not what was asked for; the attempt failed."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model: what is asked, the episodes and memories it shows, its weight."""

    asked: Asked
    episodes: tuple[Memory, ...]
    held: tuple[Memory, ...]
    importance: float

    @property
    def ids(self) -> frozenset[str]:
        """What it shows, by the ids under which a reply may cite it."""
        return frozenset(each.id for each in (*self.episodes, *self.held))

    @property
    def key(self) -> str:
        """What the reply is kept under: it follows from everything the model sees."""
        whole = f"{self.asked.instructions}\n{self.asked.material}"
        return hashlib.sha256(whole.encode()).hexdigest()


@cache
def instructions() -> str:
    """Return the prompt, which is a text file."""
    return (files("helix.consolidation") / "prompts" / "statements.txt").read_text("utf-8")


def questions(night: Night) -> Iterator[Question]:
    """Yield what could be asked about a night, the most important first, each made when needed."""
    # Only what people asserted: what sleep concludes must not change the question.
    statements = Statements(each for each in night.held.values() if each.position > 0)
    for turns in pieces(night):
        yield _question(night, turns, statements)


def pieces(night: Night) -> list[list[Turn]]:
    """Return what was said and seen, session by session, in pieces that a model can read.

    The most important come first. They are cut at fixed places in the ledger and at fixed
    numbers of turns, so that a piece that was asked about once is the same for ever, whatever
    was captured before and after it.
    """
    spans: dict[tuple[str, int], list[Turn]] = {}
    for episode in night.episodes:
        turn = turn_of(episode)
        # What is under suspicion is not put before a model, nor is anything concluded from it.
        if not turn.prose or step_of(turn) is not None or episode.belief.suspicion is not None:
            continue
        session = episode.circumstances.session if episode.circumstances else ""
        spans.setdefault((session, episode.position // POSITIONS_PER_PIECE), []).append(turn)
    found = [
        turns[start : start + TURNS_PER_QUESTION]
        for turns in spans.values()
        for start in range(0, len(turns), TURNS_PER_QUESTION)
    ]
    return sorted(found, key=lambda each: (-weight(each), each[0].memory.position))


def weight(turns: Sequence[Turn]) -> float:
    """Return how important a piece is."""
    return sum(turn.memory.importance for turn in turns)


def believed(night: Night, question: Question, reply: str) -> Findings:
    """Return what of a reply may be concluded; raises `Unreadable` if it is no reply at all."""
    shown = {each.id: each for each in question.episodes}
    held = {each.id: each for each in question.held}
    conclusions: list[Conclusion] = []
    passed: list[Passed] = []
    for item in _items(reply):
        fault = _fault(item, shown, held)
        if fault:
            # Redacted whole, then cut: half a secret could no longer be told.
            passed.append(Passed(redacted(repr(item))[:LETTERS_TOLD], redacted(fault)))
            continue
        made = _concluded(night, item, shown, held)
        if made is not None:
            conclusions.append(made)
    return Findings(len(question.episodes), tuple(conclusions), tuple(passed))


def form(shown: Sequence[str], held: Sequence[str]) -> dict[str, object]:
    """Return the JSON schema of a reply to what was shown.

    It names the ids that may be cited: a server that enforces schemas cannot let its model
    invent one, or ramble where an id belongs. The reply is judged by the same rules either way.
    """
    conclusion = {
        "type": {"type": "string", "enum": list(TYPES)},
        "content": {"type": "string", "maxLength": LONGEST_CONTENT},
        "cites": {
            "type": "array",
            "items": {"type": "string", "enum": list(shown)},
            "minItems": 1,
            "maxItems": len(shown),
        },
        "relation": {"type": "string", "enum": list(RELATIONS if held else RELATIONS[:1])},
        "target": {"type": ["string", "null"], "enum": [*held, None]},
    }
    item = {
        "type": "object",
        "additionalProperties": False,
        "required": list(conclusion),
        "properties": conclusion,
    }
    most = min(MOST_PER_REPLY, len(shown))
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["conclusions"],
        "properties": {"conclusions": {"type": "array", "maxItems": most, "items": item}},
    }


def _question(night: Night, turns: Sequence[Turn], statements: Statements) -> Question:
    episodes = tuple(turn.memory for turn in turns)
    held = tuple(_near(turns, statements, before=episodes[0].position))
    material = {
        "date": episodes[-1].recorded_at.date().isoformat(),
        "scope": night.realm.scope,
        "episodes": [
            {
                "id": turn.memory.id,
                "role": turn.role or "note",
                # Redacted whole, then cut: half a secret could no longer be told.
                "text": redacted(turn.prose)[:LETTERS_PER_TURN],
            }
            for turn in turns
        ],
        "held": [
            {"id": each.id, "type": each.type, "content": redacted(each.content)} for each in held
        ],
    }
    schema = form([each.id for each in episodes], [each.id for each in held])
    asked = Asked(instructions(), json.dumps(material, ensure_ascii=False), schema)
    return Question(asked, episodes, held, weight(turns))


def _near(turns: Sequence[Turn], statements: Statements, before: int) -> Iterator[Memory]:
    # And only what they had asserted by then.
    found: dict[str, Memory] = {}
    for turn in turns:
        for each in statements.near(turn.prose[:LETTERS_PER_TURN]):
            if 0 < each.position < before:
                found.setdefault(each.id, each)
    yield from list(found.values())[:MOST_HELD]


def _items(reply: str) -> list[object]:
    try:
        document = json.loads(reply)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from error
    if not isinstance(document, dict) or set(document) != {"conclusions"}:
        raise Unreadable("it is not an object with `conclusions` and nothing else")
    items = document["conclusions"]
    if not isinstance(items, list):
        raise Unreadable("`conclusions` is not a list")
    return items[:MOST_PER_REPLY]


def _fault(  # noqa: PLR0911 - one sentence per fault
    item: object, shown: dict[str, Memory], held: dict[str, Memory]
) -> str:
    if not isinstance(item, dict) or set(item) != _FIELDS:
        return "its fields are not those that were asked for"
    if item["type"] not in TYPES or item["relation"] not in RELATIONS:
        return "its type or relation is unknown"
    content = item["content"]
    if not isinstance(content, str) or not 0 < len(content.strip()) <= LONGEST_CONTENT:
        return "its content is empty or too long"
    if any("\ud800" <= letter <= "\udfff" for letter in content):
        return "its content is not text: it holds half a character"
    if len(sentences(content)) > MOST_SENTENCES:
        return "it is more than a sentence or two"
    cites = item["cites"]
    if not isinstance(cites, list) or not cites:
        return "it cites nothing"
    # Compared, not looked up: a list or an object is no key.
    if unknown := [each for each in cites if each not in list(shown)]:
        return f"it cites {unknown[0]!r}, which was not shown"
    if item["relation"] != "new" and item["target"] not in list(held):
        return f"it relates to {item['target']!r}, which was not shown"
    return ""


def _concluded(
    night: Night, item: object, shown: dict[str, Memory], held: dict[str, Memory]
) -> Conclusion | None:
    assert isinstance(item, dict)  # checked among the faults
    grounds = [shown[each] for each in dict.fromkeys(item["cites"])]
    content = redacted(" ".join(str(item["content"]).split()))
    relation = Relation(item["relation"])
    target = held.get(item["target"]) if relation is not Relation.NEW else None
    if target is not None and relation is Relation.DUPLICATE:
        # A model may take two values for one; the words decide.
        if not differs_in_value(content, target.content):
            return strengthened(night, target, grounds, PASS, f"said again in {grounds[0].id}")
        target = None
    memory = new_memory(night, PASS, item["type"], content, grounds)
    known = night.held.get(memory.id)
    if known is not None:
        active = known.status is Status.ACTIVE
        return strengthened(night, known, grounds, PASS, "said again") if active else None
    made = added(night, memory, grounds, PASS, f"a model read it in {grounds[0].id}")
    if target is not None and relation is Relation.UPDATES:
        changes: Iterable[PutMemory | PutEdge] = superseding(night, target, memory, PASS)
        return Conclusion(
            Decision.SUPERSEDE, made.key, f"replaces {target.id}", made.grounds,
            (*made.changes, *changes),
        )  # fmt: skip
    if target is not None and relation is Relation.EXTENDS:
        edge = link(night, memory, EXTENDS, target, by=PASS)
        return Conclusion(made.decision, made.key, made.why, made.grounds, (*made.changes, edge))
    return made
