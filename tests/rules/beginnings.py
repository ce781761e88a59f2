"""Which strings a match of a pattern can begin with, read off the pattern itself.

For the table in `helix.rules.screening.beginnings`: `python -m tests.rules.beginnings` writes it.
"""

from __future__ import annotations

import re
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

LONGEST = 5
SHORTEST = 2
MOST = 600
MOST_OF_A_CLASS = 8

Heads = set[tuple[str, bool]]
"""Beginnings, and whether anything may follow: then nothing is known beyond them."""


def beginnings(pattern: str, flags: int = re.DOTALL) -> tuple[str, ...]:
    """Return strings one of which every match begins with; none where that cannot be said."""
    found = {head for head, _ in _heads(list(parser.parse(pattern, flags)))}
    shorter = {each for each in found if not any(each[:end] in found for end in range(len(each)))}
    if not shorter or len(shorter) > MOST or not all(map(_is_rare, shorter)):
        return ()
    return tuple(sorted(shorter))


def _is_rare(head: str) -> bool:
    """Return whether a text holds something but now and then: two letters, or one bracket."""
    return len(head) >= SHORTEST or (len(head) == 1 and not head.isalnum() and not head.isspace())


def _heads(items: list) -> Heads:
    if not items:
        return {("", False)}
    (kind, given), rest = items[0], items[1:]
    if kind in (kinds.AT, kinds.ASSERT, kinds.ASSERT_NOT):  # takes up no letters
        return _heads(rest)
    heads = _own(kind, given)
    found = _followed(heads, rest)
    if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT) and given[0] == 0:
        found |= _heads(rest)
    return found


def _own(kind: object, given: object) -> Heads:
    match kind:
        case kinds.LITERAL:
            return {(chr(given), False)}
        case kinds.IN:
            return _of_class(given)
        case kinds.BRANCH:
            return set().union(*(_heads(list(each)) for each in given[1]))
        case kinds.SUBPATTERN:
            return _heads(list(given[3]))
        case kinds.MAX_REPEAT | kinds.MIN_REPEAT:
            inner = _heads(list(given[2]))
            return inner if given[1] == 1 else {(head, True) for head, _ in inner}
        case _:
            return {("", True)}


def _of_class(members: list) -> Heads:
    letters = [chr(each) for kind, each in members if kind is kinds.LITERAL]
    if len(letters) != len(members) or len(letters) > MOST_OF_A_CLASS:
        return {("", True)}
    return {(each, False) for each in letters}


def _followed(heads: Heads, rest: list) -> Heads:
    found: Heads = set()
    tails = _heads(rest) if any(not is_open for _, is_open in heads) else set()
    for head, is_open in heads:
        if is_open or len(head) >= LONGEST:
            found.add((head[:LONGEST], True))
        else:
            found |= {((head + tail)[:LONGEST], more) for tail, more in tails}
    return found


def written() -> str:
    """Return the module that holds the table."""
    from helix.rules.screening.screens import SCREENS

    lines = [
        '"""What every match of a screen begins with, so that it is tried there and nowhere else.',
        "",
        "Read off the patterns by `python -m tests.rules.beginnings`; a test compares. A screen",
        "that is not here may begin with anything.",
        '"""',
        "",
        "# ruff: noqa: E501, RUF001 - made, not written",
        "from __future__ import annotations",
        "",
        "BEGINNINGS: dict[str, tuple[str, ...]] = {",
    ]
    for screen in SCREENS:
        found = beginnings(screen.pattern.pattern)
        if found:
            told = ", ".join(map(_quoted, found))
            lines.append(f"    {_quoted(screen.name)}: ({told},),")
    return "\n".join([*lines, "}  # fmt: skip", ""])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    print(written(), end="")  # noqa: T201
