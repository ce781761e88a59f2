"""A key is made whole or not at all, once for everybody, and what failed can be tried again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from helix.app.keyring import KEY_BYTES, TAG_KEY, private_key, tagging

MAKE = """
import sys
from pathlib import Path
from helix.app.keyring import private_key
for line in sys.stdin:
    print(private_key(Path(line.rstrip())).hex(), flush=True)
"""

ON_A_FULL_DISK = """
import resource, sys
from pathlib import Path
from helix.app.keyring import private_key, tagging
home = Path(sys.argv[1])
tag = tagging(home)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
assert (private_key(home / "signing.key"), tag("swordfish")) == (b"", "")
assert list(home.iterdir()) == [], list(home.iterdir())
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert private_key(home / "signing.key") and tag("swordfish")
"""


def test_a_full_disk_leaves_no_empty_key_behind(tmp_path):
    """Once there is space, the same process makes one."""
    done = subprocess.run(
        [sys.executable, "-c", ON_A_FULL_DISK, str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("left", [b"", b"a few bytes"])
def test_what_a_full_disk_left_is_made_anew(tmp_path, left):
    """An older version wrote in place; nothing was ever signed with such a file."""
    path = tmp_path / "signing.key"
    path.write_bytes(left)
    made = private_key(path)
    assert len(made) == KEY_BYTES
    assert private_key(path) == made == path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_may_be_somebodys_is_not_replaced(tmp_path):
    """A longer file and a link are no leftovers."""
    long, link, target = tmp_path / "long.key", tmp_path / "link.key", tmp_path / "target"
    long.write_bytes(b"x" * (KEY_BYTES + 1))
    target.write_bytes(b"")
    link.symlink_to(target)
    assert (private_key(long), private_key(link)) == (b"", b"")
    assert long.stat().st_size == KEY_BYTES + 1
    assert (link.is_symlink(), target.read_bytes()) == (True, b"")


def test_two_that_make_a_key_at_once_have_the_same(tmp_path):
    """Whether there was none, or one to be made anew."""
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", MAKE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for number in range(100):
        path = tmp_path / f"{number}.key"
        if number % 2:
            path.write_bytes(b"")
        made = _made_together(makers, path)
        assert made == {path.read_bytes().hex()}
        assert len(path.read_bytes()) == KEY_BYTES
    for each in makers:
        each.communicate()


def _made_together(makers: list[subprocess.Popen[str]], path: Path) -> set[str]:
    for each in makers:
        assert each.stdin
        each.stdin.write(f"{path}\n")
        each.stdin.flush()
    return {each.stdout.readline().strip() for each in makers if each.stdout}


def test_a_tag_comes_once_there_is_a_key(tmp_path):
    """A failure is not remembered."""
    home = tmp_path / "home"
    home.write_text("in the way")
    tag = tagging(home)
    assert tag("swordfish") == ""
    home.unlink()
    assert tag("swordfish") == tagging(home)("swordfish") != ""
    assert (home / TAG_KEY).exists()
