"""Which target has had how much processor time, at which commit, and what came of it.

Kept in one file, written anew after every slice of a target's time: whoever stops a run loses
less than a slice, and the next run goes on there. Several may keep theirs in one file at once.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from benchmarks.showing import table

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that broke a target, and how."""

    target: str
    how: str
    given: str

    @property
    def break_(self) -> str:
        """What two inputs that broke the same thing have in common."""
        return re.sub(r"\d+|'.*?'", "#", self.how.partition(" (")[0]) + self.how.rpartition(" (")[2]


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one target: inputs, processor seconds, and what broke it.

    `edges` is what an engine that follows coverage has reached; None of one that does not.
    """

    name: str
    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    edges: int | None = None
    findings: tuple[Finding, ...] = ()
    commit: str = ""
    engine: str = ""

    def and_then(self, later: Tried) -> Tried:
        """Return both as one; the same break is told once."""
        known = {each.break_: each for each in (*later.findings, *self.findings)}
        reached = [each for each in (self.edges, later.edges) if each is not None]
        return replace(
            later,
            inputs=self.inputs + later.inputs,
            seconds=self.seconds + later.seconds,
            slowest=max(self.slowest, later.slowest),
            edges=max(reached, default=None),
            findings=tuple(known.values()),
        )


@dataclass
class Times:
    """The file, and what stands in it."""

    path: Path | None = None
    rows: list[Tried] = field(default_factory=list)

    @classmethod
    def kept_in(cls, path: Path | None) -> Times:
        """Return what a file holds; nothing if there is none yet."""
        if path is None or not path.exists():
            return cls(path)
        told = json.loads(path.read_text(encoding="utf-8"))
        if told.get("format") != FORMAT:
            raise ValueError(f"{path} is no record of fuzzing that can be read here")
        return cls(path, [_row(each) for each in told["tried"]])

    def add(self, tried: Tried) -> None:
        """Add what one more slice came to, and keep it beside what others kept meanwhile."""
        if self.path is None:
            self._put(tried)
            return
        # The file itself is replaced, and cannot be waited for.
        with self.path.with_suffix(f"{self.path.suffix}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.rows = Times.kept_in(self.path).rows
            self._put(tried)
            document = {"format": FORMAT, "tried": [asdict(each) for each in self.rows]}
            written = self.path.with_suffix(f"{self.path.suffix}.{os.getpid()}")
            written.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
            written.replace(self.path)

    def _put(self, tried: Tried) -> None:
        for place, row in enumerate(self.rows):
            if (row.name, row.commit, row.engine) == (tried.name, tried.commit, tried.engine):
                self.rows[place] = row.and_then(tried)
                return
        self.rows.append(tried)

    def of(self, name: str) -> list[Tried]:
        """Return what became of a target, commit by commit."""
        return [each for each in self.rows if each.name == name]

    def seconds(self, name: str) -> float:
        """Return how much processor time a target has had, at whatever commit."""
        return sum(each.seconds for each in self.of(name))


def told(rows: Iterable[Tried], names: Iterable[str] = ()) -> list[str]:
    """Return the table of time by target and commit; `names` that had none stand last."""
    rows = list(rows)
    lines = [
        [each.name, each.engine, each.commit or "-", each.seconds / 60, each.inputs,
         "-" if each.edges is None else each.edges, 1000 * each.slowest, len(each.findings)]
        for each in rows
    ]  # fmt: skip
    had = {each.name for each in rows}
    lines += [[name, "-", "-", 0.0, 0, "-", 0.0, 0] for name in names if name not in had]
    head = ["target", "engine", "commit", "minutes", "inputs", "edges", "slowest ms", "findings"]
    found = [
        f"{each.target}: {each.how}\n  {each.given[:300]!r}"
        for row in rows
        for each in row.findings
    ]
    return [*table(head, lines), *found]


def commit() -> str:
    """Return the commit that is fuzzed, with a plus if files differ from it."""
    here = Path(__file__).parent
    try:
        name = _git(here, "rev-parse", "--short=10", "HEAD")
        return name + ("+" if _git(here, "status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, check=True, text=True,
        env=environment,
    )  # fmt: skip
    return done.stdout.strip()


def _row(plain: Mapping[str, object]) -> Tried:
    values = dict(plain)
    findings = values.pop("findings")
    assert isinstance(findings, list)
    found = tuple(Finding(**each) for each in findings)
    return Tried(**values, findings=found)  # type: ignore[arg-type]
