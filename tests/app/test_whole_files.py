"""A file is replaced whole or stays as it was, with the mode it had."""

import pytest

from helix.app.whole_files import replace_whole


def mode(path):
    return path.stat().st_mode & 0o777


def test_a_file_that_was_there_keeps_its_mode(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("old")
    path.chmod(0o640)
    replace_whole(path, b"new")
    assert path.read_text() == "new"
    assert mode(path) == 0o640


def test_a_private_file_is_the_owners_alone_even_where_it_was_open(tmp_path):
    path = tmp_path / "manifest.json"
    path.write_text("old")
    path.chmod(0o644)
    replace_whole(path, b"new", private=True)
    assert mode(path) == 0o600


def test_a_link_is_replaced_and_what_it_led_to_stays(tmp_path):
    elsewhere = tmp_path / "profile"
    elsewhere.write_text("mine")
    link = tmp_path / "notes.md"
    link.symlink_to(elsewhere)
    replace_whole(link, b"new")
    assert elsewhere.read_text() == "mine"
    assert not link.is_symlink()
    assert link.read_text() == "new"


def test_what_cannot_be_written_leaves_the_old_file_and_no_draft(tmp_path):
    path = tmp_path / "a-folder"
    path.mkdir()
    (path / "inside").write_text("kept")
    with pytest.raises(OSError, match="a-folder"):
        replace_whole(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["a-folder"]
    assert (path / "inside").read_text() == "kept"
