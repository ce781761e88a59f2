"""Two who decide at once are two who decide one after the other: the second sees the first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.spec.reading import HOUR, kept, sound

from helix.adapters.sqlite.store import SqliteStore, Transaction
from helix.app.facade import Helix
from helix.model.errors import HelixError
from helix.model.memory import Status
from helix.model.note import Noted
from helix.sleep.queue import Slept
from helix.testing.builders import AGENT, HERE, open_memory
from helix.testing.clock import SettableClock

Prepared = Callable[[Helix, SettableClock], str]
Deed = Callable[[Helix, str], object]


class Case(NamedTuple):
    """Something that two do at once, after what comes before; `prepared` returns what it names."""

    name: str
    prepared: Prepared
    first: Deed
    second: Deed


def a_fact(memory: Helix, clock: SettableClock) -> str:
    return kept(memory.remember("Deploys go out from the main branch")).id


def said_again(memory: Helix, _: str) -> object:
    return memory.remember("Deploys go out from the main branch")


def a_forgotten_fact(memory: Helix, clock: SettableClock) -> str:
    fact = a_fact(memory, clock)
    memory.forget(fact)
    return fact


def an_episode(memory: Helix, clock: SettableClock) -> str:
    return kept(memory.capture("The deploy took five minutes")).id


def a_contradiction(memory: Helix, clock: SettableClock) -> str:
    memory.remember("The release manager is Anna")
    memory.remember("The release manager is Tom")
    clock.move(HOUR)
    memory.sleeping.sleep()
    (item,) = memory.review.items()
    return item.id


def an_import(memory: Helix, clock: SettableClock) -> str:
    return kept(memory.quoting("import:json", "x.json#1", "import-json", "x.json").remember("X")).id


def a_sweep(memory: Helix, clock: SettableClock) -> str:
    there = open_memory(memory.context.store, clock=clock, source=AGENT)
    for each in ("one", "two", "three"):
        there.capture(each)
    clock.move(1000 * HOUR)
    entries = [
        number for each in memory.life.sweep(everything=True, cap=2) for number in each.entries
    ]
    return str(entries[0])


def a_run(memory: Helix, clock: SettableClock) -> str:
    memory.capture("We moved from AWS to Hetzner", attributes={"role": "user"})
    clock.move(HOUR)
    done = memory.sleeping.sleep()
    assert isinstance(done, Slept)
    return str(done.run.number)


def a_note(memory: Helix, clock: SettableClock) -> str:
    noted = memory.scratch.add("look at the runner")
    assert isinstance(noted, Noted)
    return noted.note.id


def the_newest_act(memory: Helix, clock: SettableClock) -> str:
    fact = a_fact(memory, clock)
    return str(memory.pin(fact).position)


def both(name: str, prepared: Prepared, deed: Deed, other: Deed | None = None) -> Case:
    return Case(name, prepared, other or deed, deed)


CASES = [
    both("resolve", a_contradiction, lambda m, i: m.review.resolve(i, "second"),
         lambda m, i: m.review.resolve(i, "first")),
    both("revert a sweep", a_sweep, lambda m, i: m.life.revert(int(i))),
    both("revert a run", a_run, lambda m, i: m.sleeping.revert(int(i))),
    both("correct", a_fact, lambda m, i: m.correct(i, "Deploys go out from a tag")),
    both("forget", a_fact, lambda m, i: m.forget(i)),
    both("confirm", a_fact, lambda m, i: m.confirm(i), lambda m, i: m.forget(i)),
    both("restore", a_forgotten_fact, lambda m, i: m.restore(i)),
    both("say again", a_forgotten_fact, lambda m, i: m.restore(i), said_again),
    both("remember", a_forgotten_fact, said_again),
    both("promote", an_episode, lambda m, i: m.life.promote(i)),
    both("demote", an_episode, lambda m, i: m.life.demote(i)),
    both("capture", an_episode, lambda m, _: m.capture("anew", event_id="e1")),
    both("approve", an_import, lambda m, i: m.reviewing.approve(i),
         lambda m, i: m.reviewing.reject(i)),
    both("edit", an_import, lambda m, i: m.reviewing.edit(i, "Y")),
    both("trust", an_import, lambda m, _: m.trusting.trust("x.json")),
    both("roll back", the_newest_act, lambda m, i: m.history.rollback(int(i))),
    both("drop a note", a_note, lambda m, i: m.scratch.drop(i)),
    both("keep a note", a_note, lambda m, i: m.scratch.keep(i)),
    both("read a note", a_note, lambda m, i: m.scratch.read(i)),
    both("erase", a_fact, lambda m, i: m.erasing.memory(i)),
    both("end a session", a_note, lambda m, _: m.session("s").end()),
]  # fmt: skip


class Overtaken(SqliteStore):
    """A store in which somebody else comes first to the first write."""

    first: Callable[[], object] | None = None

    def writing(self, *, wait: bool = True) -> Transaction:
        """Let the other one write first."""
        if self.first is not None:
            first, self.first = self.first, None
            first()
        return super().writing(wait=wait)


def outcome(deed: Callable[[], object]) -> str:
    try:
        return type(deed()).__name__
    except HelixError as error:
        return f"{type(error).__name__} {error.code}"


def written(memory: Helix) -> list[object]:
    """Return what stands in the ledger, the journal and the projection, but for chance."""
    with memory.context.store.reading() as unit:
        kinds = [each.kind for each in unit.ledger.read(HERE.tenant)]
        entries = [each.change_set for each in unit.journal.entries(HERE.tenant)]
    held = memory.list(statuses=list(Status), limit=100)
    return [kinds, entries, sorted((each.content, each.status.value) for each in held)]


def decided(folder: Path, case: Case, *, at_once: bool) -> tuple[str, list[object]]:
    """Carry a case out, and return what became of the second, and what is written."""
    clock = SettableClock()
    path = folder / f"{at_once}.db"
    with closing(Overtaken(path)) as mine, closing(SqliteStore(path)) as theirs:
        memory, other = open_memory(mine, clock=clock), open_memory(theirs, clock=clock)
        named = case.prepared(memory, clock)
        if at_once:
            mine.first = lambda: outcome(lambda: case.first(other, named))
        else:
            outcome(lambda: case.first(other, named))
        became = outcome(lambda: case.second(memory, named))
        sound(memory)
        return became, written(memory)


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
def test_whoever_comes_second_sees_what_the_first_decided(case: Case, tmp_path: Path) -> None:
    """However little comes between: judged and written down under the same lock."""
    in_turn = decided(tmp_path, case, at_once=False)
    assert decided(tmp_path, case, at_once=True) == in_turn
