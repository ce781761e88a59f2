"""Fuzzing with atheris: inputs that reach new branches of Helix are kept and built upon.

atheris ends the process it runs in, so each target gets one of its own:
`python -m benchmarks.integrity.following_coverage TARGET SECONDS SEED FOLDER`. It is not among
the locked packages, since it has wheels for few platforms; `pip install atheris` in the
environment, or beside it with PYTHONPATH.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.recalling.values import Unavailable

if TYPE_CHECKING:
    from benchmarks.integrity.fuzzing import Tried

_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_BROKE = re.compile(r"=== Uncaught Python exception: ===\n(.+)")
GRACE = 120.0


def run(seconds: float, seed: int, only: str) -> Iterator[Tried]:
    """Yield what became of each target; raises `Unavailable` where atheris is not installed."""
    from benchmarks.integrity.fuzz_targets import targets
    from benchmarks.integrity.fuzzing import Finding, Tried
    from benchmarks.showing import progress

    if find_spec("atheris") is None:
        raise Unavailable("atheris is not installed here: pip install atheris")
    with tempfile.TemporaryDirectory() as place:
        names = [each for each in targets(Path(place)) if only in {"", each}]
    for name in names:
        progress(f"{name}: following coverage for {seconds:.0f} s")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            command = [sys.executable, "-m", __name__, name, str(seconds), str(seed), place]
            done = subprocess.run(
                command, capture_output=True, check=False, timeout=seconds + GRACE, text=True,
                errors="replace",
            )  # fmt: skip
            tried = Tried(name)
            executed = _EXECUTED.search(done.stderr)
            tried.inputs = int(executed[1]) if executed else 0
            broke = _BROKE.search(done.stderr)
            for path in [each for each in folder.glob("found-*") if each.is_file()]:
                how = broke[1] if broke else path.name.split("-")[1]
                given = path.read_bytes().decode("utf-8", "replace")
                tried.findings.append(Finding(name, how[:300], given))
            if done.returncode and not tried.findings:
                told = done.stderr.strip().split("\n")[-1]
                tried.findings.append(Finding(name, f"ended with {done.returncode}: {told}", ""))
            yield tried


def follow(name: str, seconds: float, seed: int, folder: Path) -> None:
    """Fuzz one target in this process, which ends with it."""
    import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

    with atheris.instrument_imports(include=["helix"]):
        from benchmarks.integrity.fuzz_targets import targets
        from benchmarks.integrity.mutating import LONGEST, pool
        from helix.model.errors import HelixError

        target = targets(folder / "work")[name]

    def one(raw: bytes) -> None:
        try:
            target(raw.decode("utf-8", "replace")[:LONGEST])
        except HelixError:
            return

    corpus = folder / "corpus"
    corpus.mkdir()
    for number, text in enumerate(pool()):
        (corpus / f"seed-{number}").write_text(text, encoding="utf-8", errors="replace")
    atheris.Setup(
        [
            sys.argv[0], f"-max_total_time={int(seconds)}", f"-seed={seed + 1}",
            f"-max_len={LONGEST}", "-timeout=20", "-print_final_stats=1", "-verbosity=0",
            f"-artifact_prefix={folder}/found-", "-rss_limit_mb=4096", str(corpus),
        ],
        one,
    )  # fmt: skip
    atheris.Fuzz()


if __name__ == "__main__":
    given_name, given_seconds, given_seed, given_folder = sys.argv[1:5]
    (Path(given_folder) / "work").mkdir(exist_ok=True)
    follow(given_name, float(given_seconds), json.loads(given_seed), Path(given_folder))
