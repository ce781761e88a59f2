"""Redaction follows the settings while a memory stays open."""

from __future__ import annotations

from helix import Helix
from helix.model.types import MemoryType, Shape

RECIPE = MemoryType("recipe", Shape.PROCEDURAL, "how to cook something")


def test_what_is_switched_on_holds_for_the_next_write(tmp_path, monkeypatch):
    """Also where the settings speak of a type that only this process knows."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    settings = tmp_path / "settings.toml"
    with Helix.open(scope="project:here", types=[RECIPE], background=False) as memory:
        memory.remember("call +49 170 7654321 at night")
        settings.write_text("[redaction]\npersonal = true\n[life.half_life_days]\nrecipe = 30\n")
        memory.remember("or ring +49 170 1234567 by day")
        said = sorted(each.content for each in memory.list())
    assert said[0] == "call +49 170 7654321 at night"
    assert "1234567" not in said[1]
