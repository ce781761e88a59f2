"""What a model or an agent replied, before anybody keeps it: without secrets. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection

Clean = Callable[[str], str]


def without_secrets(reply: str, clean: Clean, known: Collection[str] = ()) -> str:
    """Return a reply with its secrets taken out; the same text if it holds none.

    Text by text, so that JSON stays JSON, and then as a whole: a name may give a value away.
    `known` are the ids that were shown: they are to be cited as they are.
    """
    try:
        document = json.loads(reply)
        better = _cleaned(document, clean, frozenset(known))
    except (ValueError, RecursionError):
        return clean(reply)
    return clean(reply if better == document else json.dumps(better))


def _cleaned(value: object, clean: Clean, known: frozenset[str]) -> object:
    match value:
        case str():
            return value if value in known else clean(value)
        case dict():
            return {clean(name): _cleaned(part, clean, known) for name, part in value.items()}
        case list():
            return [_cleaned(part, clean, known) for part in value]
        case _:
            return value
