"""Whatever was lived through, erasing takes what it should, and nothing else changes unseen."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.app.receipts import Receipt
from helix.model.errors import HelixError
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin, Source
from helix.testing import invariants
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock

AGENT = Source("agent", Origin.AGENT_INGESTED)
SUBJECT = "Alice Example"


def everything(store: SqliteStore) -> dict[str, Memory]:
    with store.reading() as unit:
        return {each.id: each for each in invariants.everything(unit, HERE.tenant)}


def live(user: Helix, agent: Helix, clock: SettableClock, chance: random.Random) -> None:
    """Say, correct and decide at random; what is refused is refused."""
    store = user.context.store
    assert isinstance(store, SqliteStore)
    for number in range(chance.randrange(10, 50)):
        clock.move(timedelta(minutes=1))
        held = list(everything(store)) or ["mem_none"]
        who = chance.choice([user, user, agent])
        by = chance.choice(["", "", f"{SUBJECT} says: "])
        word = f"zq{chance.getrandbits(40):010x}"
        text = f"{by}{word} is where part {number} of {chance.randrange(3)} stands"
        one, other = chance.choice(held), chance.choice(held)
        reason = chance.choice(["", f"because of {SUBJECT}", f"see {other}"])
        deeds = deeds_on(user, who, (one, other), (text, reason), chance)
        with suppress(HelixError):
            chance.choice(deeds)()
        if chance.random() < 0.05:
            user.sleeping.sleep()


def deeds_on(
    user: Helix,
    who: Helix,
    ids: tuple[str, str],
    words: tuple[str, str],
    chance: random.Random,
) -> list[Callable[[], object]]:
    (one, other), (text, reason) = ids, words
    says = [lambda: who.capture(text), lambda: who.remember(text)]
    corrects = [lambda: who.correct(one, text)] * 3
    decides = [
        lambda: who.confirm(one),
        lambda: user.forget(one, reason),
        lambda: user.restore(one),
        lambda: user.pin(one, pinned=chance.random() < 0.7),
        lambda: who.relate(one, "depends_on", other),
        lambda: who.life.used(one, chance.randrange(6)),
        lambda: user.life.promote(one, text),
        lambda: user.life.demote(one, reason),
        lambda: user.history.rollback(position=user.upkeep.status().records, reason=reason),
        lambda: user.reviewing.reject(one, reason),
        lambda: user.reviewing.approve(one),
        lambda: resolve(user, reason, chance),
        lambda: user.life.sweep(everything=True),
    ]
    return [*says, *corrects, *decides]


def resolve(user: Helix, reason: str, chance: random.Random) -> None:
    for item in user.review.items():
        if len(item.memories) == 2:
            verdict = chance.choice(["first", "second", "both", "neither"])
            user.review.resolve(item.id, verdict, reason=reason)
            return


@pytest.mark.parametrize("seed", range(24))
def test_erasing_takes_what_it_should_and_nothing_else(tmp_path: Path, seed: int) -> None:
    """No byte is left; what goes is counted; whoever stands otherwise afterwards is told of."""
    chance = random.Random(seed)
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        clock = SettableClock()
        user = open_memory(store, HERE, clock=clock)
        live(user, open_memory(store, HERE, clock=clock, source=AGENT), clock, chance)
        before = everything(store)
        words, receipt = erased(user, before, chance)
        if receipt is None:
            return
        after = everything(store)
        gone = before.keys() - after.keys()
        assert (receipt.residue, receipt.memories) == ((), len(gone))
        check_standing(before, after, receipt)
        raw = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        if not receipt.still_mentioned:
            assert not [each for each in (*words, *gone) if each.encode() in raw]
        invariants.all_hold(store)


def erased(
    user: Helix, before: dict[str, Memory], chance: random.Random
) -> tuple[list[str], Receipt | None]:
    """Erase one memory or the subject; return what must be gone then."""
    if before and chance.random() < 0.5:
        target = chance.choice(sorted(before))
        return [target], user.erasing.memory(target)
    with suppress(HelixError):  # nobody may have been named
        return [SUBJECT], user.erasing.about(SUBJECT)
    return [], None


def check_standing(before: dict[str, Memory], after: dict[str, Memory], receipt: Receipt) -> None:
    again = {each.id for each in receipt.stands_again}
    closed = {each.id for each in receipt.kept_closed}
    for memory_id, memory in after.items():
        was = before[memory_id]
        expected = was.status
        if memory_id in again:
            assert was.status is not Status.ACTIVE
            expected = Status.ACTIVE
        elif memory_id in closed:
            expected = Status.FORGOTTEN
        assert (memory.status, memory.belief.pinned) == (expected, was.belief.pinned), memory_id
