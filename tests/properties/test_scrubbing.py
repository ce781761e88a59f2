"""Whatever was done in a store, scrubbing takes out every secret and moves no memory."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.capture.admission import GATES
from helix.ledger.verifying import Sound
from helix.model.errors import HelixError
from helix.model.memory import Status
from helix.rules.secrets.redacting import redacted
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SeededChance, SettableClock

LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
WORDS = ("mirror", "billing", "cache", "venv", "deploy", "queue", "login", "index")
ACTS = 40


class Life:
    """Random acts, a third of which hold a token of their own, as an older version kept them."""

    def __init__(self, memory, clock, seed):
        self.chosen = random.Random(seed)
        self.memory, self.clock = memory, clock
        self.old = Helix(replace(memory.context, gates=GATES[:3]))
        self.tokens = []

    def said(self, words, share=0.35):
        if self.chosen.random() >= share:
            return words
        self.tokens.append("gh" + "p_" + "".join(self.chosen.choices(LETTERS, k=36)))
        return f"{words} with {self.tokens[-1]}"

    def some(self):
        return self.chosen.choice(held(self.memory)).id

    def act(self, number):
        words = " ".join(self.chosen.sample(WORDS, 3)) + f" {number}"
        old, memory = self.old, self.memory
        self.chosen.choice([
            lambda: old.remember(self.said(f"The {words}"),
                                 attributes={"env": self.said("x", 0.2)}),
            lambda: old.remember(self.said(f"Our {words}"), type="decision"),
            lambda: old.capture(self.said(f"did {words}"), session="s1", tool=self.said("t", 0.1)),
            lambda: old.capture(self.said(f"saw {words}"), files=[self.said("a", 0.1)]),
            lambda: old.correct(self.some(), self.said(f"Now {words}")),
            lambda: old.forget(self.some(), "because"),
            lambda: old.restore(self.some()),
            lambda: old.pin(self.some()),
            lambda: old.confirm(self.some()),
            lambda: old.relate(self.some(), "depends_on", self.some()),
            lambda: old.life.used(self.some(), self.chosen.choice([1, 4])),
            lambda: old.life.promote(self.some()),
            lambda: memory.life.demote(self.some()),
            lambda: memory.history.rollback(self.chosen.randint(1, number + 1)),
        ])()  # fmt: skip


def held(memory):
    """Return what people and agents said, wherever it stands; what sleep concludes comes anew."""
    every = memory.list(statuses=list(Status), limit=1_000)
    return [each for each in every if each.position > 0]


def standing(memory):
    return Counter(
        (each.type, each.status, each.belief.pinned, redacted(each.content))
        for each in held(memory)
    )


@pytest.mark.parametrize("seed", range(8))
def test_every_secret_goes_and_every_memory_stays_where_it_stood(tmp_path, seed):
    """Type, status, pin and words of each are as before, the chain holds, no byte is left."""
    store, clock = SqliteStore(tmp_path / "memory.db"), SettableClock()
    memory = open_memory(store, HERE, clock=clock, chance=SeededChance(seed))
    life = Life(memory, clock, seed)
    for number in range(ACTS):
        clock.move(timedelta(hours=1))
        with suppress(HelixError, IndexError):  # it cannot be done to what was chosen
            life.act(number)
    if seed % 2:
        memory.sleeping.sleep()
    before = standing(memory)
    assert life.tokens
    done = memory.scrubbing.scrub()
    assert all(receipt.residue == () for receipt in done.receipts)
    assert memory.scrubbing.look()[1] == ()
    assert standing(memory) == before
    assert isinstance(memory.upkeep.verify(), Sound)
    assert not memory.upkeep.rebuild(check_only=True).differences
    store.close()
    left = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert [each for each in life.tokens if each.encode() in left] == []
