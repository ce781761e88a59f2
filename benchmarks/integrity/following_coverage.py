"""Fuzzing with atheris: inputs that reach new branches of Helix are kept and built upon.

atheris ends the process it runs in, so each slice of a target's time gets one of its own:
`python -m benchmarks.integrity.following_coverage TARGET SECONDS SEED FOLDER CORPUS`. It is not
among the locked packages, since it has wheels for few platforms; `pip install atheris` in the
environment, or beside it with PYTHONPATH.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.recalling.values import Unavailable

if TYPE_CHECKING:
    from benchmarks.integrity.fuzz_times import Tried

_REACHED = re.compile(r"\bcov: (\d+)")
HANGS_SECONDS = 600
"""Of waiting, not of work: what takes long is judged by its processor time."""


def tried(name: str, seconds: float, chance: str, keep: Path | None) -> Tried:
    """Return what a slice of a target's time came to; `Unavailable` where atheris is not.

    What reached something new is kept beside the file `keep`, and built upon the next time.
    """
    from benchmarks.integrity.fuzz_times import Finding, Tried

    if find_spec("atheris") is None:
        raise Unavailable("atheris is not installed here: pip install atheris")
    with tempfile.TemporaryDirectory() as place:
        corpus = Path(place) / "corpus"
        if keep is not None:
            corpus = keep.with_suffix(".corpus") / re.sub(r"\W+", "-", name)
        corpus.mkdir(parents=True, exist_ok=True)
        seed = zlib.crc32(chance.encode()) % 2**31
        command = [
            sys.executable,
            "-m",
            __name__,
            name,
            str(seconds),
            str(seed),
            place,
            str(corpus),
        ]
        done = subprocess.run(
            command, capture_output=True, check=False, text=True, errors="replace"
        )
        reached = _REACHED.findall(done.stderr)
        told = Path(place) / "told.json"
        found = json.loads(told.read_text(encoding="utf-8")) if told.exists() else {}
        findings = [Finding(name, how, given) for how, given in found.get("findings", {}).values()]
        for path in Path(place).glob("found-*"):
            given = path.read_bytes().decode("utf-8", "replace")
            findings.append(Finding(name, f"ended the process: {path.name.split('-')[1]}", given))
        if not found and not findings:
            last = done.stderr.strip().split("\n")[-1]
            findings.append(Finding(name, f"ended with {done.returncode}: {last}"[:300], ""))
        return Tried(
            name,
            found.get("inputs", 0),
            # A process that ended early is not tried for ever.
            found.get("seconds", seconds),
            found.get("slowest", 0.0),
            max(map(int, reached), default=None),
            tuple(findings),
        )


def follow(name: str, seconds: float, seed: int, folder: Path, corpus: Path) -> None:
    """Fuzz one target in this process, which ends with it."""
    import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

    with atheris.instrument_imports(include=["helix"]):
        from benchmarks.integrity.fuzz_targets import targets
        from benchmarks.integrity.fuzzing import MOST_FINDINGS, judged
        from benchmarks.integrity.mutating import LONGEST, pool

        known = targets(folder / "work")
        target = known.__enter__()[name]  # never left: atheris ends the process
    parent = os.getppid()
    started = time.process_time()
    told: dict[str, Any] = {"inputs": 0, "slowest": 0.0, "findings": {}}

    def one(raw: bytes) -> None:
        given = raw.decode("utf-8", "replace")[:LONGEST]
        took, broke = judged(name, target, given)
        told["inputs"] += 1
        told["slowest"] = max(told["slowest"], took)
        if broke:
            told["findings"].setdefault(broke.break_, [broke.how, broke.given])
        spent = time.process_time() - started
        if spent >= seconds or len(told["findings"]) >= MOST_FINDINGS:
            written = json.dumps(told | {"seconds": spent})
            (folder / "told.json").write_text(written, encoding="utf-8")
            os._exit(0)
        if os.getppid() != parent:  # whoever asked for it is gone
            os._exit(1)

    for number, text in enumerate(pool()):
        (corpus / f"seed-{number}").write_text(text, encoding="utf-8", errors="replace")
    atheris.Setup(
        [
            sys.argv[0], f"-seed={seed + 1}", f"-max_len={LONGEST}", f"-timeout={HANGS_SECONDS}",
            f"-report_slow_units={HANGS_SECONDS}",
            f"-artifact_prefix={folder}/found-", "-rss_limit_mb=4096", str(corpus),
        ],
        one,
    )  # fmt: skip
    atheris.Fuzz()


if __name__ == "__main__":
    given_name, given_seconds, given_seed, given_folder, given_corpus = sys.argv[1:6]
    (Path(given_folder) / "work").mkdir(exist_ok=True)
    follow(
        given_name, float(given_seconds), int(given_seed), Path(given_folder), Path(given_corpus)
    )
