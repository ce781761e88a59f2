"""A real model behind a real server, started when a test first needs it and stopped after."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401

STOPS_WITHIN = 30.0


class ModelServer:
    """A process that serves a model on a port of this machine."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("serving.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        address = self._process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), f"it does not serve: {address!r}"
        self.url = f"{address}/v1"

    def kill(self) -> None:
        """End it as a crash would."""
        self._process.kill()
        self._process.wait(STOPS_WITHIN)

    def close(self) -> None:
        """Let it go; it ends when nobody holds its other end."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        try:
            self._process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()


def _started() -> ModelServer:
    if find_spec("xllamacpp") is None:
        pytest.fail("the model server is not installed: `make test-model` installs and runs it")
    return ModelServer()


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """One server for all that only ask it."""
    serving = _started()
    yield serving
    serving.close()


@pytest.fixture
def mortal() -> Iterator[ModelServer]:
    """A server of the test's own, which may be killed."""
    serving = _started()
    yield serving
    serving.close()
