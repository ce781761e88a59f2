"""For developers: `python -m helix.adapters.models build [MODEL …]` and `… measure`.

`build` makes models, from the packages installed here, for every store of this Python
environment (or in `HELIX_MODELS`); it never downloads. `measure` says how fast, how large
and how exact they are on this machine. People use `helix models`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from helix.adapters.models import building, locating
from helix.adapters.models.recipes import MINILM_INT8, RECIPES
from helix.model.errors import HelixError


def main(arguments: Sequence[str]) -> int:
    """Do what the first word says and return the exit code."""
    match arguments:
        case ["build", *names] if set(names) <= set(RECIPES):
            return _build(names or [MINILM_INT8.name])
        case ["measure", *rest]:
            from helix.adapters.models import measuring

            return measuring.main(rest, _folder())
        case _:
            sys.stderr.write(__doc__ or "")
            return 2


def _build(names: Sequence[str]) -> int:
    for recipe in (RECIPES[name] for name in names):
        there = locating.built(recipe, _folder())
        if there and not building.damaged(recipe, there):
            continue
        package = locating.installed_package(recipe)
        if package is None:
            sys.stderr.write(f"{recipe.name}: {recipe.wheel} is not installed here\n")
            return 1
        start = time.perf_counter()
        try:
            given = locating.gather(recipe, package)
            folder = building.build(recipe, given, _folder(), lambda _what, _fraction: None)
        except HelixError as error:
            sys.stderr.write(f"{error.message}\n{error.remedy}\n")
            return 1
        seconds = time.perf_counter() - start
        sys.stdout.write(f"Built {recipe.name} in {seconds:.1f} s: {folder}\n")
    return 0


def _folder() -> Path:
    return Path(os.environ.get("HELIX_MODELS") or locating.shared_folder())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
