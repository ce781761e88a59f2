"""`helix serve` sleeps when it is time, and answers all the while."""

from __future__ import annotations

import time

import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.rest.conftest import ended, started

from helix.app.facade import Helix

SECONDS = 60.0


@pytest.fixture
def server(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text("[sleep]\nevery_hours = 1e-9\nlook_seconds = 0.2\n")
    running = started(home, make_repository(tmp_path / "shop", "github.com/acme/shop"))
    yield running
    assert ended(running) in (0, -15)


def test_the_timer_lets_a_server_sleep(server):
    """What was captured is slept over without anybody asking, and requests are answered."""
    status, _ = server.ask("POST", "/v1/captures", {"content": "we decided to use pnpm"})
    assert status == 200
    until = time.monotonic() + SECONDS
    with Helix.open(
        server.home / "memory.db", scope="project:github.com/acme/shop", background=False
    ) as memory:
        while not (runs := memory.sleeping.runs()) or runs[0].state.value != "finished":
            assert time.monotonic() < until
            assert server.ask("POST", "/v1/recall", {"question": "what do we use?"})[0] == 200
            time.sleep(0.05)
        assert runs[0].reason == "timer"
