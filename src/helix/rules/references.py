"""What a text refers to so plainly that no meaning is needed: ids, commits, issues, files.

A memory is *about* the commit, issue or file its text opens with ("#42: the login loops",
"src/a.py holds the parser", "commit 3f2a9c1 …"), and about the commit it is signed with at
its end ("(commit 3f2a9c1 by Ada)"). A memory that names the same thing elsewhere refers to
it. Missing a reference is better than inventing one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix.rules.entities import Entity, key

LETTERS_READ = 4_000
KINDS = ("issue", "file")
"""Entities that things are written about; a package or a person is named too freely."""

_ID = re.compile(r"\b(?:mem|ep)_[0-9a-z_]*[0-9a-z]\b")
_HASH = re.compile(r"(?<![\w/.-])[0-9a-f]{7,40}(?![\w/-])")
_SHORTEST_HASH = 7
_OPENING = re.compile(r"\W*(?:commit|issue|bug|ticket|pr|mr|pull request|file)?\W*", re.IGNORECASE)
_SIGNED = re.compile(r"\(commit ([0-9a-f]{7,40})\b[^()\n]*\)\s*$")
_LETTERS_OPENED_WITH = 200


def named(text: str, held: Sequence[Entity]) -> tuple[str, ...]:
    """Return the keys of everything a text names that another memory may be, or be about.

    `held` is what `entities` finds in the text; finding it is most of the work, so it is
    done once.
    """
    head = text[:LETTERS_READ]
    found = [f"memory:{each}" for each in _ID.findall(head)]
    found += [_commit(each) for each in _HASH.findall(head) if _is_hash(each)]
    found += [key(each) for each in held if each.kind in KINDS]
    return tuple(dict.fromkeys(found))


def about(text: str, held: Sequence[Entity]) -> tuple[str, ...]:
    """Return the keys of what a text opens with or is signed with, if that is such a thing."""
    signed = _SIGNED.search(text[-_LETTERS_OPENED_WITH:])
    ends = (_commit(signed[1]),) if signed and _is_hash(signed[1]) else ()
    return tuple(dict.fromkeys((*_opened_with(text[:_LETTERS_OPENED_WITH], held), *ends)))


def _opened_with(head: str, held: Sequence[Entity]) -> tuple[str, ...]:
    opening = _OPENING.match(head)
    start = opening.end() if opening else 0
    commit = _HASH.match(head, start)
    if commit and _is_hash(commit[0]):
        return (_commit(commit[0]),)
    first = next(iter(held), None)
    if first is None or first.kind not in KINDS:
        return ()
    # An entity's name is as it was written, so where it stands can be seen.
    at = head.find(first.name.lstrip("#./"))
    return (key(first),) if 0 <= at <= start else ()


def _is_hash(token: str) -> bool:
    # A word such as "defaced" has no digit, and a number no letter.
    return any(each.isdigit() for each in token) and any(each.isalpha() for each in token)


def _commit(token: str) -> str:
    return f"commit:{token[:_SHORTEST_HASH]}"
