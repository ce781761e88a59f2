"""Stores broken on purpose: what the checks must catch, or their silence means nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

import apsw

from benchmarks.examining import Findings, examine
from benchmarks.killable import SCOPE
from helix import Helix

# One that is there: keys have gaps where a memory was changed and not added.
_MIDDLE = "SELECT key FROM memories ORDER BY key LIMIT 1 OFFSET (SELECT count(*) FROM memories) / 2"


def _without_a_record(path: Path) -> None:
    _tamper(
        path,
        "DROP TRIGGER ledger_loses_nothing",
        "DELETE FROM memories WHERE position = (SELECT max(position) FROM ledger) / 2",
        "DELETE FROM ledger WHERE position = (SELECT max(position) FROM ledger) / 2",
    )


def _altered_payload(path: Path) -> None:
    _tamper(
        path,
        "DROP TRIGGER ledger_only_erases",
        "UPDATE ledger SET body = CAST(replace(CAST(body AS TEXT), 'mark_', 'mork_') AS BLOB)"
        " WHERE body = (SELECT body FROM ledger LIMIT 1 OFFSET 5)",
    )


def _altered_memory(path: Path) -> None:
    _tamper(
        path,
        f"UPDATE memories SET importance_base = importance_base + 0.01 WHERE key = ({_MIDDLE})",
    )


def _lost_words(path: Path) -> None:
    _tamper(path, f"DELETE FROM words_1 WHERE rowid = ({_MIDDLE})")


def _written_twice(path: Path) -> None:
    # A retry that did not recognise its own event: the chain is whole, and yet it is wrong.
    with Helix.open(path, scope=SCOPE) as memory:
        (episode,) = memory.list(types=["episode"], limit=1)
        memory.capture(episode.content, event_id="another id for the same event")


CONTROLS: Mapping[str, tuple[Callable[[Path], None], Callable[[Findings], bool]]] = {
    "a record deleted": (_without_a_record, lambda found: found.lost > 0 and not found.chain_ok),
    "a payload altered": (_altered_payload, lambda found: not found.chain_ok),
    "a memory altered": (_altered_memory, lambda found: not found.rebuild_equal),
    "a memory's words lost": (_lost_words, lambda found: not found.rebuild_equal),
    "an event written twice": (_written_twice, lambda found: found.duplicated > 0),
}
"""What was broken, how, and what the checks must then say."""


def caught(sound: Path, promised: Iterable[str], folder: Path) -> dict[str, bool]:
    """Return, for each way of breaking a copy of a sound store, whether the checks noticed."""
    marks = list(promised)
    found = {}
    for number, (name, (break_it, noticed)) in enumerate(CONTROLS.items()):
        copy = folder / f"control-{number}.db"
        shutil.copyfile(sound, copy)
        break_it(copy)
        found[name] = noticed(examine(copy, marks))
    return found


def _tamper(path: Path, *statements: str) -> None:
    with closing(apsw.Connection(str(path))) as connection, connection:
        for statement in statements:
            connection.execute(statement)
