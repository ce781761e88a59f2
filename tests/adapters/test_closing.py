"""Closing a store that other threads are using, as Ctrl-C does in the middle of sleep."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.model.errors import StoreUnavailable

ENDLESS = "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM n) SELECT count(*) FROM n"
STEPS = 1_000


@pytest.mark.parametrize("writes", [False, True])
def test_a_store_closes_although_another_thread_works_with_it(tmp_path: Path, writes: bool) -> None:
    """Whoever closes is not kept; whoever was at it hears that the store is closed."""
    store = SqliteStore(tmp_path / "memory.db")
    busy = threading.Event()
    heard: list[BaseException] = []

    def work() -> None:
        try:
            with store.writing() if writes else store.reading() as unit:
                unit.connection.set_progress_handler(lambda: bool(busy.set()), STEPS)
                unit.connection.execute(ENDLESS).fetchall()
        except BaseException as error:  # noqa: BLE001 - looked at below
            heard.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    assert busy.wait(20)
    store.close()
    worker.join(20)
    assert not worker.is_alive()
    assert [type(each) for each in heard] == [StoreUnavailable]
    assert isinstance(heard[0], StoreUnavailable)
    assert heard[0].code == "store_closed"
    with closing(SqliteStore(tmp_path / "memory.db")) as again, again.writing() as unit:
        assert unit.ledger.head("local").position == 0


def test_a_transaction_whose_store_was_closed_says_so(tmp_path: Path) -> None:
    """Between two statements nothing is busy; the next one hears it, and so does the end."""
    store = SqliteStore(tmp_path / "memory.db")
    with pytest.raises(StoreUnavailable) as refused, store.writing() as unit:  # noqa: PT012 - the block is what is refused
        store.close()
        unit.ledger.head("local")
    assert refused.value.code == "store_closed"
    again = SqliteStore(tmp_path / "memory.db")
    with pytest.raises(StoreUnavailable) as refused, again.writing():
        again.close()
    assert refused.value.code == "store_closed"
