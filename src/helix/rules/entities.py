"""What a text names: people, files, packages, commands, identifiers, error codes, issues.

Extraction is deterministic and needs no model: it reads spelling and the words beside it,
and prefers missing a name to inventing one. The same thing in another spelling has the
same `key`, which is what memories are linked by. Nothing here knows what an entity means,
or which of its namesakes is meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from helix.model.frozen import dataclass
from helix.rules.codes import number_at
from helix.rules.commands import OPENERS
from helix.rules.names import capitalised, person_at, speaker
from helix.rules.spellings import one_spelling
from helix.rules.token_kinds import kind_of, kind_of_word
from helix.rules.tokens import TOKEN, Found, Place
from helix.rules.vocabulary import PACKAGES, listed

__all__ = ["KINDS", "Entity", "entities", "key", "overlap", "speaker"]


KINDS = (
    "person", "file", "package", "command", "identifier", "error_code", "url", "issue", "version",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing, as it was first written; `kind` is one of `KINDS`."""

    kind: str
    name: str


def entities(text: str, limit: int = 32) -> tuple[Entity, ...]:
    """Return the distinct things a text names, in order of appearance.

    Two spellings with one key are one thing, in the spelling that came first.
    """
    distinct: dict[str, Entity] = {}
    if limit <= 0:
        return ()
    for kind, name, _ in _found(text):
        entity = Entity(kind, name)
        distinct.setdefault(key(entity), entity)
        if len(distinct) == limit:
            break
    return tuple(distinct.values())


def key(entity: Entity) -> str:
    r"""Return "kind:name" in the one spelling that all spellings of a thing share.

    Case never counts. `getUserById` and `get_user_by_id`, `./src/a.py:12` and `src\a.py`,
    `Foo_Bar==1.2` and `foo-bar`, `@ada.lovelace` and "Ada Lovelace" meet.
    """
    return f"{entity.kind}:{one_spelling(entity.kind, entity.name)}"


def overlap(asked: Collection[Entity], held: Collection[Entity]) -> float:
    """Return the share of entities two sides have in common, 0 to 1 (R-186).

    Shared keys over the larger side, so that a text that names everything is close to
    nothing. 0.0 when either side names nothing.
    """
    ours, theirs = set(map(key, asked)), set(map(key, held))
    if not ours or not theirs:
        return 0.0
    return len(ours & theirs) / max(len(ours), len(theirs))


def _found(text: str) -> Iterator[Found]:
    read_to = person_ends = 0
    in_dialogue = speaker(text) is not None
    previous: re.Match[str] | None = None
    for match in TOKEN.finditer(text):
        before, previous = previous, match
        token = match[0]
        if match.lastindex and token not in OPENERS and token not in PACKAGES:
            continue
        start = match.start()
        if start < read_to:
            continue
        gap = text[before.end() : start] if before else text[:start]
        place = Place(text, start, match.end(), token, gap, before[0] if before else "")
        for found in _at(place, person_ends, in_dialogue=in_dialogue):
            yield found
            read_to = max(read_to, found.end)
            if found.kind == "person":
                person_ends = found.end


def _at(place: Place, person_ends: int, *, in_dialogue: bool) -> Iterator[Found]:
    token = place.token
    if token in OPENERS:
        opened = tuple(OPENERS[token](place))
        if opened:
            yield from opened
            return
    if token.isalpha() or capitalised(token):
        person = capitalised(token) and person_at(
            place, in_list=_continues_list(place, person_ends), in_dialogue=in_dialogue
        )
        if person:
            yield person
            return
        capital_tells = token[0].isupper() and not place.opens and place.previous.islower()
        named = kind_of_word(token, capital_tells=capital_tells)
    elif token.isdecimal():
        named = number_at(place)
    else:
        named = kind_of(token)
    if named and not _is_syntax(place):
        yield Found(*named, place.end)


def _continues_list(place: Place, person_ends: int) -> bool:
    near = person_ends > 0 and place.start - person_ends <= _LONGEST_MARK
    return near and place.text[person_ends : place.start] in _LIST_MARKS


_LIST_MARKS = frozenset((", ", " and ", ", and ", " & ", " or "))
_LONGEST_MARK = max(map(len, _LIST_MARKS))


def _is_syntax(place: Place) -> bool:
    """Tell whether "@cached" is a decorator, "#333" a colour, "#1" a rank, ":tada:" a face."""
    after = place.text[place.end : place.end + 1]
    if place.token[0] == "@":
        return after == "(" or (place.opens_line and after in ("\n", "\r"))
    if place.token[0] != "#":
        return after == ":" and place.gap.endswith(":")
    ordinal = len(place.token) == len("#1") and place.previous.lower() not in _BEFORE_A_LOW_NUMBER
    return after == ";" or (ordinal and not place.gap.endswith("("))


_BEFORE_A_LOW_NUMBER = listed(
    "bug close closed closes fix fixed fixes gh issue mr pr ref refs request resolve resolved"
    " resolves see ticket"
)
