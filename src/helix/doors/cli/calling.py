"""How the running program is called, so that what it suggests can be typed as it stands."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

NAME = "helix"


def as_typed(program: str | None = None) -> str:
    """Return how this program can be called from here, as short as it goes."""
    program = sys.argv[0] if program is None else program
    if Path(program).stem != NAME:
        return NAME
    here = Path(program).absolute()
    found = shutil.which(NAME)
    if found and Path(found).absolute() == here:
        return NAME
    return str(here.relative_to(Path.cwd())) if here.is_relative_to(Path.cwd()) else str(here)
