"""What is read is a real file, and no more of it than is wanted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helix.app.regular_files import opened, whole


def test_a_file_is_read_whole_up_to_its_bound(tmp_path):
    path = tmp_path / "some.md"
    path.write_bytes(b"12345")
    assert whole(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger"):
        whole(path, 4)


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "real").write_bytes(b"here")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert whole(tmp_path / "link", 10) == b"here"


@pytest.mark.parametrize("what", ["pipe", "folder", "device"])
def test_what_may_never_end_is_not_read(tmp_path, what):
    """It is refused at once; nothing waits for somebody at the other end."""
    path = tmp_path / "some.md"
    match what:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path = Path("/dev/zero")
    with pytest.raises(OSError, match="regular"):
        opened(path)
