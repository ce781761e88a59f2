"""The command line, fuzzed: one text after a command, and whole lines of commands and options.

What waits for a person or destroys something is tried as the user: an agent is turned away
before anything is read, and nothing would be fuzzed.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.integrity.fitting import as_toml, changed
from benchmarks.integrity.shaping import Target, chance_of, plain, shaped
from helix.app.settings import _KNOWN, load
from helix.doors.cli.door import Door
from helix.doors.cli.main import called, cli
from helix.model.errors import HelixError
from helix.model.outcome import Kept

if TYPE_CHECKING:
    from helix.app.facade import Helix

WAITS = "the release is cut by hand, step"
"""Held back until the user looks at it, each time with another number."""

OUTSIDE = frozenset({
    "init", "demo", "tour", "completion", "import", "export", "connect", "disconnect", "mcp",
    "serve", "hook", "retain", "attest", "doctor", "enrich", "models",
})  # fmt: skip
"""These read or write files, other programs or a model; what they read has targets of its own."""

WHOLE = frozenset({"sleep", "flush", "verify", "rebuild"})
"""These go over the whole store and take no text."""

MOMENTS = ("yesterday", "2026-05-14", "in 30 days", "2026-05-14T10:00:00+02:00", "2 weeks ago")

LINES_A_STORE = 100
"""Then a new one is begun: `rollback --to 0` undoes all of it, within the time of one input."""


def targets(folder: Path, memory: Helix, users: Callable[[Path], Helix]) -> dict[str, Target]:
    """Return what is typed, by name; `memory` is an agent's, `users` opens one of the user."""
    own = users(folder / "own.db")
    own.remember("Anna Example keeps the keys of acme/shop")
    numbers = count()

    def settings(text: str) -> None:
        for told in (text, as_toml(_set(text))):
            (folder / "settings.toml").write_text(told, encoding="utf-8", errors="replace")
            with suppress(HelixError):
                load({"HELIX_HOME": str(folder)}, folder)

    signed = folder / "signed.json"
    _typed(own, "attest", "--out", str(signed))
    genuine = json.loads(signed.read_text(encoding="utf-8"))

    def receipt(text: str) -> None:
        path = folder / "receipt.json"
        for told in (text, json.dumps(changed(genuine, text))):
            path.write_text(told, encoding="utf-8", errors="replace")
            with suppress(HelixError):
                _typed(own, "attest", "--check", str(path))

    def after(typed_by: Helix, *words: str) -> Target:
        return lambda text: _typed(typed_by, *words, "--", _sayable(text))

    def review(text: str) -> None:
        held = _planted(own, f"{WAITS} {next(numbers)}")
        _typed(own, "review", "--edit", held, "--", _sayable(text))

    return {
        "settings": settings,
        "receipt": receipt,
        "capture": after(memory, "capture"),
        "remember": after(memory, "remember"),
        "recall": after(memory, "recall"),
        "show": after(memory, "show"),
        "review": review,
        "subject": after(own, "subject"),
        "commands": _Lines(folder / "commands", users).one,
    }


def _set(text: str) -> dict[str, object]:
    """Return settings, some of them as they might be."""
    names = [*_KNOWN, "half_life_days", "keep_days", "every_hours", "personal", "path", "model"]
    fits = {"store": plain(text[:40]), "projects": {plain(text[:30]): "x"}, "owner": plain(text)}
    chance = chance_of(text)
    return shaped(text, names) | {name: fits[name] for name in fits if chance.random() < 0.6}


class _Lines:
    """Whole lines, each of some command that a store alone can answer."""

    def __init__(self, folder: Path, users: Callable[[Path], Helix]) -> None:
        self._folder = folder
        self._users = users
        self._memory: Helix | None = None
        self._tried = 0

    def one(self, text: str) -> None:
        chance = chance_of(text)
        memory = self._lived_in()
        ids = [each.id for each in memory.list(limit=12)]
        _typed(memory, *_line(_sayable(text), ids, chance))

    def _lived_in(self) -> Helix:
        if self._memory is None or self._tried >= LINES_A_STORE:
            if self._memory is not None:
                self._memory.close()
                shutil.rmtree(self._folder)
            self._folder.mkdir()
            self._memory = self._users(self._folder / "lines.db")
            self._tried = 0
            self._memory.remember("we deploy on Fridays")
            self._memory.capture("pytest failed in test_login", session="s1", event_id="e1")
            _planted(self._memory, WAITS)
        self._tried += 1
        return self._memory


def _planted(memory: Helix, text: str) -> str:
    """Return the id of what came out of a file that nobody trusts: it waits for the user."""
    kept = memory.quoting("stranger", "notes.md", "notes", "notes.md").remember(text)
    assert isinstance(kept, Kept)
    return kept.memory.id


def _line(text: str, ids: Sequence[str], chance: random.Random) -> list[str]:
    """Return one line: a command, some of its options, its arguments; values from the text."""
    context = click.Context(cli)
    tried = [each for each in cli.list_commands(context) if each not in OUTSIDE | WHOLE]
    name = chance.choice(tried)
    command = cli.get_command(context, name)
    assert command is not None
    line = [name, *_options(command, text, ids, chance)]
    if isinstance(command, click.Group) and chance.random() < 0.8:
        below = chance.choice(sorted(command.commands))
        command = command.commands[below]
        line += [below, *_options(command, text, ids, chance)]
    return [*line, "--", *_arguments(command, text, ids, chance)]


def _options(
    command: click.Command, text: str, ids: Sequence[str], chance: random.Random
) -> Iterator[str]:
    for each in command.params:
        # What every command takes names stores; a path would be written to.
        if not isinstance(each, click.Option) or isinstance(each.type, click.Path):
            continue
        wanted = 0.9 if each.required or each.name == "yes" else 0.2
        if not each.expose_value or chance.random() > wanted:
            continue
        name = each.opts[-1]
        yield name if each.is_flag else f"{name}={_value(each, text, ids, chance)}"


def _arguments(
    command: click.Command, text: str, ids: Sequence[str], chance: random.Random
) -> Iterator[str]:
    for each in command.params:
        if isinstance(each, click.Argument) and (each.required or chance.random() < 0.8):
            for _ in range(1 if each.nargs == 1 else chance.choice((1, 1, 1, 2, 0))):
                yield _value(each, text, ids, chance)


def _value(wanted: click.Parameter, text: str, ids: Sequence[str], chance: random.Random) -> str:
    """Return a value that fits in form, mostly."""
    start = chance.randrange(len(text) + 1)
    piece = text[start : start + chance.randrange(1, 400)]
    if chance.random() < 0.15:
        return piece
    if isinstance(wanted.type, click.Choice):
        return str(chance.choice(wanted.type.choices))
    if isinstance(wanted.type, click.types.IntParamType | click.IntRange):
        return str(chance.choice((1, 5, 40, chance.randrange(-2, 2**66))))
    if isinstance(wanted.type, click.types.FloatParamType | click.FloatRange):
        return str(chance.choice((0.5, 1, float("nan"), 1e308, chance.random())))
    forms = (piece, piece, text, f"{piece[:20]}={piece}")
    fitting = {
        "ID": ids, "FROM": ids, "TO": ids, "TYPE": ("fact", "episode", "decision"),
        "RELATION": ("depends_on", "supports"), "KEY=VALUE": forms[3:], "DATE": MOMENTS,
    }.get(wanted.human_readable_name.strip("[]").upper(), forms)  # fmt: skip
    if isinstance(wanted.type, click.types.FuncParamType):
        fitting = MOMENTS
    return chance.choice([*fitting] or [*forms])


def _sayable(text: str) -> str:
    """Return a text as a program can be given it."""
    return plain(text).replace("\x00", "")


def _typed(memory: Helix, *words: str) -> None:
    with (
        suppress(click.ClickException, click.exceptions.Exit, click.Abort),
        _nobody_there(),
    ):
        called(words, Door(held=memory, silent=True))


@contextmanager
def _nobody_there() -> Iterator[None]:
    """Let nothing stand on standard input: `-` reads it, and a question is put to it."""
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    try:
        yield
    finally:
        sys.stdin = before
