"""The server that embeds is away: questions are answered by words, and what is said is kept."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager

import pytest
from tests.adapters.models.conftest import EmbeddingServer
from tests.doors.mcp.conftest import called, connected, make_repository, run
from tests.doors.rest.conftest import ended, started
from tests.doors.test_asking import typed

from helix import Helix
from helix.doors.cli.commands.recall import BY_WORDS
from helix.model.errors import BadInput
from helix.model.recollection import Abstained, Recollected
from helix.ports.embedder import EmbedderUnavailable

SETTINGS = '[embedder]\nmodel = "openai:some-model"\nurl = "{url}"\n'
NOTE = "Searched by words alone: openai:some-model@127.0.0.1:"


@contextmanager
def serving():
    """Give a real server that embeds, for as long as this lasts."""
    with EmbeddingServer() as served:
        thread = threading.Thread(target=served.serve_forever, args=[0.01])
        thread.start()
        try:
            yield served
        finally:
            served.released.set()
            served.shutdown()
            thread.join()


@contextmanager
def counting():
    """Give an address where connections are taken and ended at once, and how many there were."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taken = []

        def take():
            while True:
                try:
                    link, _ = listening.accept()
                except OSError:
                    return
                taken.append(link)
                link.close()

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", taken
        listening.shutdown(socket.SHUT_RDWR)


def configured(home, url, more=""):
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(SETTINGS.format(url=url) + more)


@pytest.fixture
def away():
    """The address of a server that was there and is closed."""
    with serving() as served:
        was = served
    return was.url


@pytest.fixture
def opened(tmp_path, monkeypatch, away):
    """A memory in this process, whose server is away."""
    configured(tmp_path, away)
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with Helix.open(scope="project:demo-shop", background=False) as memory:
        yield memory


def test_a_command_answers_by_words_and_says_why(helix, tmp_path, away):
    """What is said is kept, and found by its words; the answer is that of --words-only."""
    configured(tmp_path, away)
    assert helix("remember", "the service listens on port 8080").code == 0
    assert helix("capture", "changed the port to 8080").code == 0
    ran = helix("recall", "port")
    assert ran.code == 0
    assert ran.err == ""
    head, note, *rest = ran.out.splitlines()
    assert note.startswith(NOTE)
    assert "cannot be reached" in note
    assert "\n".join([head, *rest]) == helix("recall", "port", "--words-only").out.rstrip("\n")


def test_a_command_that_does_not_know_says_why_too(helix, tmp_path, away):
    configured(tmp_path, away)
    helix("remember", "the service listens on port 8080")
    ran = helix("recall", "zebra")
    assert ran.code == 1
    assert ran.out.startswith("Memory does not know")
    assert NOTE in ran.out


def test_a_document_tells_why_it_is_by_words(helix, tmp_path, away):
    """`words_only` is the reason; null where nothing was left out or words alone were asked for."""
    configured(tmp_path, away)
    helix("remember", "the service listens on port 8080")
    document = helix("recall", "port", "--json").document
    assert document["found"] is True
    assert "cannot be reached" in document["words_only"]
    assert helix("recall", "zebra", "--json").document["words_only"]
    assert helix("recall", "port", "--words-only", "--json").document["words_only"] is None


def test_a_server_that_embedded_everything_and_then_stopped(helix, tmp_path):
    with serving() as served:
        configured(tmp_path, served.url)
        helix("remember", "the service listens on port 8080")
        assert helix("enrich").code == 0
        assert helix("recall", "port", "--json").document["words_only"] is None
    ran = helix("recall", "port")
    assert ran.code == 0
    assert "port 8080" in ran.out
    assert NOTE in ran.out


def test_enriching_says_that_the_server_is_away(helix, tmp_path, away):
    """It cannot do without; nothing is lost, and what waits is enriched when it is back."""
    configured(tmp_path, away)
    helix("remember", "the service listens on port 8080")
    ran = helix("enrich", "--json")
    assert ran.code == 5
    assert ran.error["family"] == "embedder_unavailable"
    assert "cannot be reached" in ran.error["message"]
    with serving() as served:
        configured(tmp_path, served.url)
        assert helix("enrich", "--json").document["enriched"] == 1


def test_the_facade_answers_by_words(opened):
    opened.remember("the service listens on port 8080")
    answer = opened.recall("port")
    assert isinstance(answer, Recollected)
    assert "cannot be reached" in answer.words_only
    by_words = opened.recall("port", tuning=BY_WORDS)
    assert by_words.words_only == ""
    assert [each.memory.id for each in answer.remembered] == [
        each.memory.id for each in by_words.remembered
    ]
    no_words = opened.recall("?!")
    assert isinstance(no_words, Abstained)
    assert no_words.words_only


@pytest.mark.parametrize("fresh", [0, 3])
def test_a_question_tries_once(tmp_path, monkeypatch, fresh):
    """Not for what was captured a moment ago and for itself, and not again after a pause."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with counting() as (url, taken):
        configured(tmp_path, url)
        with Helix.open(scope="project:demo-shop", background=False) as memory:
            for number in range(fresh):
                memory.remember(f"service {number} listens on port 808{number}")
            assert memory.recall("which port does service 2 listen on?").words_only
        assert len(taken) == 1


def test_a_server_that_never_answers_is_not_waited_for_long(tmp_path, monkeypatch):
    """A question is given up soon; where the settings say how long to wait, as they say."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with serving() as served:
        served.answer = lambda _: served.released.wait(30) and None
        for more, least, most in (("", 2.0, 4.5), ("timeout = 0.2\n", 0.2, 1.5)):
            configured(tmp_path, served.url, more)
            with Helix.open(scope="project:demo-shop", background=False) as memory:
                memory.remember(f"the service listens on port 8080 {more}")
                began = time.monotonic()
                answer = memory.recall("port")
                took = time.monotonic() - began
            assert answer.words_only
            assert least <= took < most


def test_what_is_fresh_is_still_embedded_for_a_question(tmp_path, monkeypatch):
    """The question's own text first, then what waits: two requests, and nothing waits then."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with serving() as served:
        configured(tmp_path, served.url)
        with Helix.open(scope="project:demo-shop", background=False) as memory:
            memory.remember("the service listens on port 8080")
            assert memory.recall("port").words_only == ""
            assert memory.upkeep.lag().memories == 0
        assert [each.asked["input"][0][:4] for each in served.requests] == ["port", "the "]


def test_other_faults_stay_errors(tmp_path, monkeypatch):
    """Another model answers, the model is unknown, the key is missing: the user has to act."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    with serving() as served:
        faults = [
            ("dimension = 5\n", None, EmbedderUnavailable, "embedder_dimension"),
            ("", 404, EmbedderUnavailable, "embedder_server"),
            ('key_variable = "NOT_SET"\n', None, BadInput, "embedder_key"),
        ]
        for more, status, kind, code in faults:
            configured(tmp_path, served.url, more)
            if status:
                served.answer = lambda request: request.reply(404, {"error": "no such model"})
            with Helix.open(scope="project:demo-shop", background=False) as memory:
                memory.remember("the service listens on port 8080")
                with pytest.raises(kind) as raised:
                    memory.recall("port")
            assert raised.value.code == code


def test_a_server_answers_by_words_and_so_does_a_question_handed_over(tmp_path, away):
    home, folder = tmp_path / "home", make_repository(tmp_path / "shop", "github.com/acme/shop")
    configured(home, away)
    assert typed(home, folder, "remember", "the service listens on port 8080")[0] == 0
    alone = typed(home, folder, "recall", "port")
    assert NOTE in alone[1]
    server = started(home, folder)
    try:
        status, document = server.ask("POST", "/v1/recall", {"question": "port"})
        helped = typed(home, folder, "recall", "port")
        counted = server.ask("GET", "/metrics")[1]
        schema = server.ask("GET", "/openapi.json")[1]["components"]["schemas"]["Recollection"]
    finally:
        ended(server)
    assert status == 200
    assert document["found"] is True
    assert "cannot be reached" in document["words_only"]
    assert "words_only" in schema["properties"]
    assert helped == alone
    assert 'helix_requests_total{operation="command"} 1' in counted


def test_an_agent_is_answered_by_words(tmp_path, away):
    """It is told in words of our own: what a server said is nothing for an agent to read."""
    home, folder = tmp_path / "home", make_repository(tmp_path / "shop", "github.com/acme/shop")
    home.mkdir()
    configured(home / ".helix", away)

    async def asked():
        async with connected(home, folder) as client:
            kept = await called(client, "remember", content="the service listens on port 8080")
            return (
                kept,
                await called(client, "recall", question="port"),
                await called(client, "recall", question="zebra"),
            )

    kept, found, unknown = run(asked())
    assert not kept[0]
    assert not found[0]
    assert "port 8080" in found[1]
    note = "Searched by words alone: the model that finds by meaning cannot be reached."
    assert note in found[1]
    assert not unknown[0]
    assert note in unknown[1]
