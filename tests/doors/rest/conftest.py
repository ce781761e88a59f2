"""A real server in a process of its own, spoken to over real sockets."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.doors.mcp.conftest import make_repository

pytest.importorskip("mcp")
TOKEN = "a-token-of-this-test"


@dataclass
class Server:
    """One that runs, and how to ask it."""

    process: subprocess.Popen
    port: int
    home: Path
    folder: Path

    def ask(self, method, path, body=None, headers=None, *, raw=None, token=TOKEN):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        given = {"Helix-Folder": str(self.folder)}
        given |= {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            given["Content-Type"] = "application/json"
        link.request(method, path, raw, given | (headers or {}))
        answer = link.getresponse()
        text = answer.read()
        link.close()
        kind = answer.getheader("content-type", "")
        return answer.status, json.loads(text) if "json" in kind else text.decode()


def environment(home):
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "HELIX_HOME": str(home),
        "HELIX_TOKEN": TOKEN, "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }  # fmt: skip


def started(home, folder, *args):
    process = subprocess.Popen(
        [sys.executable, "-m", "helix", "serve", "--port=0", "--json", *args],
        env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home,
    )  # fmt: skip
    line = process.stdout.readline()
    assert line, process.stderr.read().decode()
    port = int(json.loads(line)["address"].rsplit(":", 1)[1])
    server = Server(process, port, home, folder)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            if server.ask("GET", "/healthz")[0] == 200:
                return server
        except OSError:
            time.sleep(0.05)
    raise AssertionError("it does not answer")


def ended(server):
    server.process.terminate()
    code = server.process.wait(timeout=15)
    server.process.stdout.close()
    server.process.stderr.close()
    return code


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    folder = make_repository(tmp_path_factory.mktemp("work") / "shop", "github.com/acme/shop")
    running = started(home, folder)
    yield running
    ended(running)
