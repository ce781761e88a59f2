from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults.looking import SCOPE

from helix import Helix


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test's store lies, in a folder that holds nothing else."""
    folder = tmp_path / "store"
    folder.mkdir()
    return folder / "memory.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """A store in which something stands, closed."""
    with Helix.open(path, scope=SCOPE) as memory:
        for number in range(30):
            memory.capture(f"episode {number}: the parser failed on input {number}")
        memory.remember("This project deploys from the branch main")
    return path
