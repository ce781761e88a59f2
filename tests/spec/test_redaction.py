"""Secrets never land: what is written down holds none, whatever way it came in."""

from __future__ import annotations

from pathlib import Path

from tests.spec.reading import kept

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore

TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


def files_hold(folder: Path, text: str) -> list[str]:
    return [
        str(each)
        for each in folder.rglob("*")
        if each.is_file() and text.encode() in each.read_bytes()
    ]


def test_no_way_in_lets_a_secret_through(memory: Helix, store: SqliteStore, tmp_path: Path) -> None:
    """Episodes, statements, corrections, attributes, tools, files and reasons are all redacted."""
    said = f"deployed with {TOKEN}"
    memory.capture(
        said, tool=f"curl -H token:{TOKEN}", files=[f"a/{TOKEN}"], attributes={"x": said}
    )
    held = kept(memory.remember(said, attributes={"deep": [{"password": "Zk82hsQ1!"}]}))
    fixed = memory.correct(held.id, f"rolled back with {TOKEN}")
    memory.forget(fixed.memory.id, reason=f"{TOKEN} is gone")
    store.close()
    assert files_hold(tmp_path, TOKEN) == []
    assert files_hold(tmp_path, "Zk82hsQ1!") == []


def test_what_was_redacted_can_still_be_recalled_by_the_rest(memory: Helix) -> None:
    """The words around a secret stay."""
    memory.capture(f"the deploy of billing used {TOKEN}")
    answer = memory.recall("what did the billing deploy use?")
    assert "[redacted github-token" in answer.remembered[0].memory.content


def test_the_same_event_with_the_same_secret_joins(memory: Helix) -> None:
    """Redaction is stable: a repeated event is recognised."""
    memory.capture(f"used {TOKEN}", event_id="e1")
    again = memory.capture(f"used {TOKEN}", event_id="e1")
    assert type(again).__name__ == "Joined"


def test_placeholders_of_one_home_are_stable_and_betray_nothing(
    tmp_path: Path, monkeypatch: object
) -> None:
    """Two opened memories mark the same secret alike; the key lies in a private file."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path / "home"))  # type: ignore[attr-defined]
    contents = []
    for _ in range(2):
        with Helix.open(tmp_path / "memory.db", scope="global") as memory:
            contents.append(kept(memory.capture(f"used {TOKEN}")).content)
    assert contents[0] == contents[1]
    key = tmp_path / "home" / "redaction.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert files_hold(tmp_path, TOKEN) == []
