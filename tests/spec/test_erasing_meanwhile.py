"""What is erased while Helix works on it stays erased: nothing read before is written after."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.consolidation.families import FAMILIES
from tests.spec.conftest import Opener
from tests.spec.reading import DAY, current, kept, sound

from helix import Helix
from helix.app import sleeping
from helix.app.language import Language
from helix.app.sweeping import Sweeper
from helix.enrichment.workflow import SWITCH, enrich, owe_switch, switch
from helix.model.errors import Conflict, NotFound
from helix.model.night import Findings, Night
from helix.model.run import RunState
from helix.ports.embedder import EmbedderUnavailable
from helix.ports.language_model import Asked, ModelUnavailable, Reply
from helix.sleep.passes import DREAM_CYCLE
from helix.sleep.queue import Failed, Slept
from helix.testing.builders import AGENT, HERE
from helix.testing.clock import SettableClock
from helix.testing.embedders import WordBags

NAME = "Zanzibar"
SAID = f"user: We deploy invoices with {NAME} Quux at zanzibar.example"


@pytest.fixture
def told(memory: Helix) -> Helix:
    memory.capture(SAID, session="s1")
    memory.capture("user: We format code with black", session="s1")
    return memory


class Once:
    """Erases the subject the first time it is called, as somebody else would meanwhile."""

    def __init__(self, memory: Helix) -> None:
        self._memory, self.done = memory, False

    def __call__(self) -> None:
        if not self.done:
            self.done = True
            self._memory.erasing.about(NAME)


def gone(memory: Helix, folder: Path) -> None:
    """Check that no byte of any file holds the name, and that all is in order."""
    assert not [each for each in current(memory) if "anzibar" in each]
    memory.context.store.scour()
    raw = b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
    assert b"anzibar" not in raw.replace(b"Z", b"z")
    sound(memory)


def during(monkeypatch: pytest.MonkeyPatch, name: str, deed: Callable[[], None]) -> None:
    """Let something happen when the pass of this name has read and is not yet written."""

    def meanwhile(night: Night, run: Callable[[Night], Findings]) -> Findings:
        found = run(night)
        deed()
        return found

    cycle = [
        each._replace(run=partial(meanwhile, run=each.run)) if each.name == name else each
        for each in DREAM_CYCLE
    ]
    monkeypatch.setattr(sleeping, "DREAM_CYCLE", tuple(cycle))


@pytest.mark.parametrize("name", ["ground", "extract", "relate", "drift"])
def test_a_sleep_in_flight_does_not_undo_an_erasure(
    told: Helix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The run goes on from what is left, comes to its end, and concludes that."""
    during(monkeypatch, name, Once(told))
    done = told.sleeping.sleep()
    assert isinstance(done, Slept)
    assert done.run.state is RunState.FINISHED
    assert any("format code with black" in each for each in current(told))
    gone(told, tmp_path)


def test_a_report_that_is_written_last_holds_nothing_of_it(
    told: Helix, tmp_path: Path, seen_from: Opener
) -> None:
    """Erased between the last pass and the end of the run, what was left alone is not told."""
    for text in FAMILIES["venv"]:
        seen_from(source=AGENT).capture(text.replace("venv", "zanzibar"), session="s2")
    erase = Once(told)

    def watch(name: str) -> None:
        if name == DREAM_CYCLE[-1].name:
            assert any("anzibar" in str(each) for each in told.sleeping.runs())
            erase()

    done = told.sleeping.sleep(watch=watch)
    assert isinstance(done, Slept)
    assert (erase.done, done.run.state) == (True, RunState.FINISHED)
    assert not any("anzibar" in str(each) for each in told.sleeping.runs())
    gone(told, tmp_path)


def test_why_a_pass_broke_is_not_kept_if_something_was_erased(
    told: Helix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error may quote what it broke over."""
    erase = Once(told)

    def broken() -> None:
        erase()
        raise ValueError(f"cannot read {SAID}")

    during(monkeypatch, "extract", broken)
    done = told.sleeping.sleep()
    assert isinstance(done, Failed)
    assert "erased" in done.error
    (owed,) = told.sleeping.owed().waiting
    assert owed.last_error == done.error
    gone(told, tmp_path)


class Model:
    """A model that takes so long that somebody erases meanwhile."""

    name = "model:slow"

    def __init__(self, meanwhile: Callable[[], None], *, answers: bool) -> None:
        self._meanwhile, self._answers = meanwhile, answers
        self.seen: list[str] = []

    def reply(self, asked: Asked) -> Reply:
        self._meanwhile()
        self.seen.append(asked.material)
        first = json.loads(asked.material)["episodes"][0]
        if not self._answers:
            raise ModelUnavailable(f"400: invalid input: {first['text']}", code="model_failed")
        said = {"type": "fact", "content": first["text"].removeprefix("user: "),
                "cites": [first["id"]], "relation": "new", "target": None}  # fmt: skip
        return Reply(json.dumps({"conclusions": [said]}), 70)


@pytest.mark.parametrize("answers", [True, False])
def test_what_a_model_says_too_late_is_not_kept(told: Helix, tmp_path: Path, answers: bool) -> None:
    """Neither its reply nor its error, which may quote what it was asked; it was paid for."""
    model = Model(Once(told), answers=answers)
    opened = Helix(replace(told.context, language=lambda: Language(model)))
    done = opened.sleeping.sleep()
    assert isinstance(done, Slept)
    assert [NAME in each for each in model.seen[:2]] == [True, False]
    assert "anzibar" not in f"{opened.sleeping.owed()} {opened.sleeping.runs()}"
    with told.context.store.reading() as unit:
        assert not any("anzibar" in each for each in unit.replies.texts(HERE.tenant))
        assert unit.replies.spent(HERE.tenant, told.context.clock.now() - DAY) == (
            70 * len(model.seen) if answers else 0
        )
    gone(told, tmp_path)


def test_an_answer_that_comes_too_late_is_not_kept(
    told: Helix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was given to a question that nobody may ask any more."""
    (thought,) = told.sleeping.pending()
    erase, real = Once(told), sleeping.believed

    def slowly(*given):
        erase()
        return real(*given)

    monkeypatch.setattr(sleeping, "believed", slowly)
    first = json.loads(thought.asked.material)["episodes"][0]
    said = {"type": "fact", "content": first["text"].removeprefix("user: "),
            "cites": [first["id"]], "relation": "new", "target": None}  # fmt: skip
    with pytest.raises(NotFound) as refused:
        told.sleeping.answer(thought.key, json.dumps({"conclusions": [said]}))
    assert refused.value.code == "unknown_question"
    assert told.sleeping.owed().waiting == ()
    gone(told, tmp_path)


def test_concluding_everything_anew_gives_up_if_something_is_erased(
    told: Helix, tmp_path: Path
) -> None:
    """What it drew from the copy is of before; nothing is put in place."""
    told.sleeping.sleep()
    erase = Once(told)
    with pytest.raises(Conflict) as refused:
        told.sleeping.rederive(lambda _: erase())
    assert refused.value.code == "changed_meanwhile"
    gone(told, tmp_path)
    told.sleeping.rederive()
    assert any("format code with black" in each for each in current(told))
    gone(told, tmp_path)


def test_a_model_asked_while_concluding_anew_is_not_asked_about_it(
    told: Helix, tmp_path: Path
) -> None:
    """The copy would never know of the erasure, however often it were begun again."""
    told.sleeping.sleep()
    model = Model(Once(told), answers=True)
    opened = Helix(replace(told.context, language=lambda: Language(model)))
    with pytest.raises(Conflict) as refused:
        opened.sleeping.rederive()
    assert (refused.value.code, len(model.seen)) == ("changed_meanwhile", 1)
    gone(told, tmp_path)


def test_why_a_switch_of_models_stopped_is_not_kept_if_something_was_erased(
    told: Helix, tmp_path: Path
) -> None:
    """A server that embeds may quote what it was given."""
    erase, context = Once(told), told.context

    class Quoting(WordBags):
        def embed(self, texts, progress=None):
            erase()
            raise EmbedderUnavailable(f"400: cannot read {texts[0]}", code="embedder_server")

    enrich(context.store, WordBags("served-so-far/1"))
    with context.store.writing() as unit:
        owe_switch(unit, HERE, Quoting().name, context.clock)
    with pytest.raises(EmbedderUnavailable):
        switch(context.store, lambda _: Quoting(), context.clock, "w1")
    with context.store.reading() as unit:
        (owed,) = [each for each in unit.jobs.waiting(HERE.tenant) if each.kind == SWITCH]
    assert "erased" in owed.last_error
    gone(told, tmp_path)


def test_a_sweep_in_flight_does_not_undo_an_erasure(
    told: Helix, tmp_path: Path, seen_from: Opener, clock: SettableClock
) -> None:
    """What was ready for promotion is looked at again where it is written."""
    agent = seen_from(source=AGENT)
    episode = kept(agent.capture(f"{NAME} must be off", importance_hint=0.7))
    for _ in range(5):
        clock.move(DAY)
        agent.life.used(episode.id, 4)
    told.confirm(episode.id)
    erase = Once(told)
    sweeper = Sweeper(told.context, told.context.now, rest=lambda _: erase())
    (found,) = sweeper.run(["promotion"], everything=True)
    assert (erase.done, found.changed) == (True, 0)
    gone(told, tmp_path)
