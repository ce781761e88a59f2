"""Where `~` leads, and what is said where it leads nowhere."""

from __future__ import annotations

import pwd
from pathlib import Path

import pytest

from helix.app.homes import expanded, user_home
from helix.app.settings import load
from helix.model.errors import BadInput


@pytest.fixture
def homeless(monkeypatch):
    """A user that exists as a number alone, as in many containers."""

    def unknown(uid):
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)


def test_a_path_leads_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_home() == tmp_path
    assert expanded("~/memory.db") == tmp_path / "memory.db"
    assert expanded(Path("memory.db")) == Path("memory.db")


@pytest.mark.parametrize("path", ["~nobody-is-called-so", "~nobody-is-called-so/x.db", "a\0b"])
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(BadInput) as caught:
        expanded(path)
    assert caught.value.remedy


def test_whoever_has_no_home_names_one(homeless, tmp_path):
    """HELIX_HOME is enough; without it, the remedy says so."""
    assert load({"HELIX_HOME": str(tmp_path)}, user_home()).store == tmp_path / "memory.db"
    with pytest.raises(BadInput, match="no home folder is known"):
        load({}, user_home())
