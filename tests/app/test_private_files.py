"""What Helix makes is its owner's alone, whatever the user's mask."""

from __future__ import annotations

import os

import pytest

from helix.app.private_files import appended, created, private_folder


@pytest.fixture(autouse=True)
def _generous_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return path.stat().st_mode & 0o777


def test_a_new_lock_or_log_is_private(tmp_path):
    path = tmp_path / "some.lock"
    for line in ("one\n", "two\n"):
        with appended(path) as file:
            file.write(line)
    assert path.read_text() == "one\ntwo\n"
    assert mode(path) == 0o600


def test_one_that_an_older_version_left_open_is_closed_to_others(tmp_path):
    """Whoever can open a lock can hold it, and so stop who waits for it."""
    path = tmp_path / "some.lock"
    path.touch(mode=0o644)
    appended(path).close()
    assert mode(path) == 0o600


def test_a_file_is_created_privately_and_never_over_another(tmp_path):
    path = tmp_path / "head.json"
    created(path, b"first")
    with pytest.raises(FileExistsError):
        created(path, b"second")
    assert path.read_bytes() == b"first"
    assert mode(path) == 0o600


def test_every_folder_that_is_made_is_private_and_what_was_there_stays(tmp_path):
    (tmp_path / "there").mkdir(mode=0o755)
    private_folder(tmp_path / "there" / "new" / "below")
    private_folder(tmp_path / "there" / "new" / "below")
    assert mode(tmp_path / "there") == 0o755
    assert mode(tmp_path / "there" / "new") == 0o700
    assert mode(tmp_path / "there" / "new" / "below") == 0o700
