"""Work shared between threads that help the one that asked."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from helix.adapters.models.sharing import share

OUTLIVES = """
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from helix.adapters.models.onnx_minilm import OnnxMiniLM

class Loaded:
    def one(self, text):
        return 1.0

embedder = OnnxMiniLM("stand-in", Path("."), threads=2)
embedder._loaded = Loaded()

def late():
    threading.main_thread().join()
    print(embedder.embed(["one", "two", "three"]).sum())

ThreadPoolExecutor(1)
threading.Thread(target=late).start()
"""


def test_a_thread_that_outlives_the_script_can_still_embed() -> None:
    """A process that ends takes thread pools away first; embedding does not hang on one."""
    ended = subprocess.run(
        [sys.executable, "-c", OUTLIVES], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.stdout.strip(), ended.stderr) == (str(3 * 384.0), "")


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_each_is_done_once(threads: int) -> None:
    """However many help, and also where there is nothing to do."""
    done: list[int] = []
    share(done.append, range(50), threads)
    assert sorted(done) == list(range(50))
    share(done.append, [], threads)
    assert len(done) == 50


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_goes_wrong_is_raised_and_nobody_works_on(threads: int) -> None:
    """The first failure ends it, whichever thread met it."""
    done: list[int] = []

    def work(number: int) -> None:
        if number == 3:
            raise ValueError(number)
        done.append(number)

    with pytest.raises(ValueError, match="3"):
        share(work, range(100_000), threads)
    assert len(done) < 99_999


def test_without_helpers_the_one_who_asked_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no thread can be started any more, work is slower, not lost."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    done: list[int] = []
    share(done.append, range(10), 4)
    assert done == list(range(10))
