"""The gates that every text passes on its way in, in order.

A gate takes a text and returns it, changed if need be, or raises `BadInput`. They run
before anything is written and before any model could see the text, for every door alike;
whatever must never be stored is taken out in a gate of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping

from helix.model.errors import BadInput
from helix.model.memory import EventTime
from helix.model.moment import as_moment
from helix.rules.echo import without_echo
from helix.rules.secrets.assignments import given_away, number_given_away
from helix.rules.secrets.pairs import VALUES
from helix.rules.secrets.plainness import is_plain
from helix.rules.secrets.redacting import Tag, placeholder, redacted, secrets_in, untagged

Gate = Callable[[str], str]

LONGEST_CONTENT = 100_000
"""Letters. Helix keeps distilled observations, not transcripts."""

LONGEST_NAME = 500
MOST_FILES = 1_000
DEEPEST_ATTRIBUTES = 8
MOST_ATTRIBUTE_LETTERS = 20_000

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONE_SURROGATES = re.compile(r"[\ud800-\udfff]")


def readable(text: str) -> str:
    """Return the text without control characters and half characters, and without outer space."""
    if not text.isprintable():
        text = _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
        text = _UNPRINTABLE.sub(" ", text)
    return text.strip()


def not_empty(text: str) -> str:
    """Refuse a text in which nothing is said."""
    if text:
        return text
    raise BadInput(
        "there is nothing to keep: the text is empty",
        code="empty_content",
        remedy="say in a sentence what happened or what is so",
    )


def not_too_long(text: str) -> str:
    """Refuse a text that is a transcript or a document rather than an observation."""
    if len(text) <= LONGEST_CONTENT:
        return text
    raise BadInput(
        f"the text has {len(text):,} characters; at most {LONGEST_CONTENT:,} are kept",
        code="content_too_long",
        remedy="keep the observation, and say in it where the document is",
    )


def not_an_echo(text: str) -> str:
    """Return the text without what Helix itself had told an agent: it is no news."""
    return without_echo(text).strip()


def redaction(tag: Tag = untagged, *, people: bool = False) -> Gate:
    """Return the gate that puts typed placeholders in the place of secrets.

    `tag` marks equal secrets alike; `people` takes data about people out as well.
    """

    def redact(text: str) -> str:
        return redacted(text, tag, people=people)

    return redact


def gates(tag: Tag = untagged, *, people: bool = False) -> tuple[Gate, ...]:
    """Return the gates in their order."""
    return (readable, not_an_echo, not_empty, not_too_long, redaction(tag, people=people))


GATES: tuple[Gate, ...] = gates()
_REFUSING = (not_empty, not_too_long)
_SHAPING = (readable, not_an_echo, *_REFUSING)


def admitted(text: str, gates: Iterable[Gate] = GATES) -> str:
    """Return the text as it may be kept, or raise `BadInput`."""
    for gate in gates:
        text = gate(text)
    return text


def cleaning(gates: Iterable[Gate]) -> Gate:
    """Return what the gates do to a text short of refusing it: for notes and attributes."""
    changing = [gate for gate in gates if gate not in _REFUSING]

    def clean(text: str) -> str:
        for gate in changing:
            text = gate(text)
        return text

    return clean


def redacting(gates: Iterable[Gate]) -> tuple[Gate, ...]:
    """Return those of the gates that only take secrets out: for looking again at what is kept."""
    return tuple(gate for gate in gates if gate not in _SHAPING)


def admitted_name(name: str, what: str) -> str:
    """Return an id or a name as it may be kept: short, and on one line."""
    if not name or (name.isprintable() and len(name) <= LONGEST_NAME):
        return name
    raise BadInput(
        # Redacted whole, then cut: half a secret could no longer be told.
        f"{redacted(name)[:40]!r} cannot be used as {what}",
        code="unusable_name",
        remedy=f"use up to {LONGEST_NAME} printable characters",
    )


def admitted_id(name: str, what: str) -> str:
    """Return a name that is to be kept for ever, or raise `BadInput` if it holds a secret.

    Ids, sessions, agents and scopes stand in sealed headers or are compared letter by letter:
    there, a secret could be neither erased nor replaced by a placeholder.
    """
    name = admitted_name(name, what)
    if not is_plain(name) and (found := secrets_in(name)):
        raise BadInput(
            f"{what} cannot be kept: it holds a secret ({found[0].kind})",
            code="secret_in_name",
            remedy="name it otherwise; such names are kept for ever and cannot be redacted",
        )
    return name


def admitted_share(value: float | None, what: str) -> float | None:
    """Return a number in [0, 1], or raise `BadInput`."""
    if value is None or 0.0 <= value <= 1.0:
        return value
    raise BadInput(
        f"{value} cannot be {what}", code="out_of_range", remedy="give a number from 0 to 1"
    )


def admitted_note(text: str, gates: Iterable[Gate] = GATES) -> str:
    """Return a reason or remark as it may be kept; it may be empty, and is cut when long.

    Whatever the gates are, no secret passes: they only say how it is marked, and what else goes.
    """
    return redacted(cleaning(redacting(gates))(readable(text)))[:LONGEST_NAME]


def admitted_event_time(
    event_time: EventTime | None, gates: Iterable[Gate] = GATES
) -> EventTime | None:
    """Return an event time with its moments in UTC and its words readable."""
    if event_time is None:
        return None
    return EventTime(
        start=event_time.start and as_moment(event_time.start),
        end=event_time.end and as_moment(event_time.end),
        text=admitted_note(event_time.text, gates),
        timezone=admitted_note(event_time.timezone, gates),
    )


def admitted_attributes(
    attributes: Mapping[str, object], gates: Iterable[Gate] = GATES
) -> Mapping[str, object]:
    """Return attributes that can be written down: plain values, not too many, not too deep."""
    if not attributes:
        return attributes
    if _letters(attributes, DEEPEST_ATTRIBUTES) > MOST_ATTRIBUTE_LETTERS:
        raise _unusable_attributes("they are too long")
    clean = cleaning(gates)
    return {clean(name): _clean_value(name, value, clean) for name, value in attributes.items()}


def _clean_value(name: str, value: object, clean: Gate) -> object:
    match value:
        case str():
            # In a mapping the name gives a value away, as it does in a text.
            kind = given_away(name, value)
            return placeholder(kind) if kind else clean(value)
        case Mapping():
            # `value` is called what stands beside it as a name, or what holds it.
            beside = value.get("name", value.get("key"))
            under = beside if isinstance(beside, str) else name
            return {
                clean(key): _clean_value(under if key.lower() in VALUES else key, part, clean)
                for key, part in value.items()
            }
        case int() | float() if not isinstance(value, bool) and number_given_away(name):
            kind = given_away(name, str(value))
            return placeholder(kind) if kind else value
        case list() | tuple():
            return [_clean_value(name, part, clean) for part in value]
        case _:
            return value


def _letters(value: object, depth: int) -> int:
    if depth < 0:
        raise _unusable_attributes("they are nested too deep")
    match value:
        case int() if not -(2**63) <= value < 2**64:
            raise _unusable_attributes("a number in them is too large")
        case float() if not math.isfinite(value):
            raise _unusable_attributes(f"{value} is not a number that can be written down")
        case None | bool() | int() | float():
            return 8
        case str():
            return len(value)
        case Mapping():
            if not all(isinstance(key, str) for key in value):
                raise _unusable_attributes("their names are not all text")
            return sum(_letters(part, depth - 1) for pair in value.items() for part in pair)
        case list() | tuple():
            return sum(_letters(part, depth - 1) for part in value)
        case _:
            raise _unusable_attributes(f"{type(value).__name__} is not a plain value")


def _unusable_attributes(why: str) -> BadInput:
    return BadInput(
        f"the attributes cannot be kept: {why}",
        code="unusable_attributes",
        remedy="use text, numbers, true/false, lists and objects of these",
    )
