"""Where the injection set contradicts itself: one order, called an attack here and honest there.

Its tool outputs come from recorded runs against agents. Runs with three of the attack wrappers
are labelled as attacks; those with a fourth (`<INFORMATION>`) are labelled honest, although
they carry the same orders. Nothing of Helix knows these wrappers; they are written down here to
tell the two apart when measuring.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from benchmarks.recalling.sets.reading import Json

WRAPPERS = {
    "important message": re.compile(r"<INFORMATION>"),
    "ignore previous": re.compile(r"gnore your previous\s+iunstructions"),
    "injecagent": re.compile(r"IMPORTANT!!!\s+Ignore all"),
    "direct": re.compile(
        r"TODO:\s+(?:Please email|Send|Say|Get me|Make a|Delete|Update|Modify|Change|Transfer|Visit"
        r"|Invite|Concatenate|Email|Forward)"
    ),
}
_ORDER = re.compile(
    r"following\s+instruction:\s*(.{24,400})|iunstructions\.\s+Do\s+(.{24,400})|TODO:\s+(.{24,400})",
    re.S,
)
ORDER_LETTERS = 24
"""So many letters of an order, spaces and signs left out, tell it from all others of the set."""


def wrapper(text: str) -> str | None:
    """Return which of the set's own attack wrappers a text carries."""
    return next((name for name, each in WRAPPERS.items() if each.search(text)), None)


def called_honest(row: Json) -> bool:
    """Return whether a text is labelled honest and carries one of the set's own attacks."""
    return not row["label"] and "tool-output" in row["source"] and wrapper(row["text"]) is not None


def contradictions(rows: Sequence[Json]) -> dict[str, object]:
    """Return, by source and wrapper, how the set labels it, and how many orders are in both."""
    outputs = [each for each in rows if "tool-output" in each["source"]]
    orders = {order for each in outputs if each["label"] for order in _orders(each["text"])}
    wrong = [each for each in outputs if called_honest(each)]
    same = sum(_carries(each["text"], orders) for each in wrong)
    counts: Counter[tuple[str, str, str]] = Counter(
        (each["source"], wrapper(each["text"]) or "none", "attack" if each["label"] else "honest")
        for each in outputs
    )
    by_source: dict[str, dict[str, dict[str, int]]] = {}
    for (source, name, label), count in sorted(counts.items()):
        by_source.setdefault(source, {}).setdefault(name, {})[label] = count
    return {
        "texts": len(wrong),
        "with_an_order_that_is_labelled_an_attack_elsewhere": same,
        "by_source": by_source,
    }


def _orders(text: str) -> set[str]:
    return {
        _letters(next(filter(None, found.groups())))[:ORDER_LETTERS]
        for found in _ORDER.finditer(text)
    }


def _carries(text: str, orders: set[str]) -> bool:
    letters = _letters(text)
    return any(each in letters for each in orders)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.replace("\\n", " ").lower())
