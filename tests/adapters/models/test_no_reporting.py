"""Embedding reports to nobody."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("onnxruntime")

PROGRAM = """
import socket, sys

def refused(*arguments):
    sys.exit("a socket was opened")

socket.socket.connect = refused
from helix import Helix

with Helix.open(":demo:", scope="project:x") as memory:
    memory.remember("Deploys are frozen on Fridays")
    memory.recall("when may we release?")
"""


def test_embedding_leaves_nothing_behind_and_opens_no_socket(tmp_path):
    """A recall by meaning writes no file into the user's home and connects to nothing."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "HELIX_HOME": str(tmp_path / "helix")}
    environment.pop("CI", None)  # some libraries keep quiet only where they take it for a test
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert list(home.iterdir()) == []
