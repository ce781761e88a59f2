"""What an examination tells to do works as it is printed."""

from __future__ import annotations

import shlex
import subprocess
from contextlib import closing
from pathlib import Path

from helix.adapters.sqlite.store import SqliteStore


def test_a_store_that_others_may_read_is_closed_to_them_by_the_remedy(tmp_path: Path) -> None:
    """Also where its path has blanks."""
    path = tmp_path / "my home" / "memory.db"
    with closing(SqliteStore(path)) as store:
        path.chmod(0o644)
        (told,) = [each for each in store.examine() if each.name == "privacy"]
        subprocess.run(shlex.split(told.remedy), check=True)
        assert path.stat().st_mode & 0o777 == 0o600
