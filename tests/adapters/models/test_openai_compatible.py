"""The remote embedder against a real server that answers well, badly, late or never."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import numpy as np
import pytest
from tests.adapters.models.conftest import DIMENSION, EmbeddingServer, Request, vector, well

from helix.adapters.models.openai_compatible import (
    ATTEMPTS,
    LETTERS,
    TEXTS_PER_REQUEST,
    OpenAICompatible,
    Server,
)
from helix.app.models import Choice, active
from helix.model.errors import BadInput
from helix.ports.embedder import Embedder, EmbedderUnavailable, EmbedderUnreachable

KEY = "sk-very-secret"
TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


class Naps(list[float]):
    """Pauses that were asked for and not taken."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def embedder(server: EmbeddingServer, **more: object) -> tuple[OpenAICompatible, Naps]:
    naps = Naps()
    described = Server(server.url, "some-model", **more)  # type: ignore[arg-type]
    return OpenAICompatible(described, {"SOME_KEY": KEY}, naps), naps


def failure(asked: Embedder, texts: tuple[str, ...] = ("text",)) -> EmbedderUnavailable:
    with pytest.raises(EmbedderUnavailable) as raised:
        asked.embed(texts)
    return raised.value


def test_vectors_come_in_the_order_of_the_texts(server: EmbeddingServer) -> None:
    """The server may answer in any order and at any length; rows fit the texts, at unit length."""
    asked, naps = embedder(server)
    rows = asked.embed(["first", "second", "third"])
    for row, text in zip(rows, ["first", "second", "third"], strict=True):
        given = np.array(vector(text))
        assert np.allclose(row, given / np.linalg.norm(given), atol=1e-6)
    assert asked.dimension == DIMENSION
    assert not naps


def test_many_texts_are_sent_in_batches(server: EmbeddingServer) -> None:
    """No request is larger than a server takes; blank texts are not sent at all."""
    asked, _ = embedder(server)
    texts = [f"text {number}" for number in range(2 * TEXTS_PER_REQUEST + 5)]
    texts[7] = "  "
    rows = asked.embed(texts)
    assert [len(request.asked["input"]) for request in server.requests] == [64, 64, 4]
    assert not rows[7].any()
    assert "  " not in server.requests[0].asked["input"]


def test_the_key_is_sent_and_never_shown(server: EmbeddingServer) -> None:
    """The key goes into the header only: not into names, errors, or what can be printed."""

    def echo(request: Request) -> None:
        said = f"Incorrect API key provided: {KEY}"
        request.reply(401, {"error": {"message": said}})

    asked, naps = embedder(server, key_variable="SOME_KEY")
    asked.embed(["text"])
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    server.answer = echo
    error = failure(asked)
    assert "401" in error.message
    assert "***" in error.message
    assert "key_variable" in error.remedy
    assert not naps, "a refused key is not tried again"
    for shown in (error.message, error.remedy, repr(error), asked.name, asked.cost, repr(asked)):
        assert KEY not in shown


def test_without_a_key_none_is_sent(server: EmbeddingServer) -> None:
    """A local server needs no key, and gets no header for one."""
    asked, _ = embedder(server)
    asked.embed(["text"])
    assert "Authorization" not in server.requests[0].headers


def test_a_key_that_is_not_set_is_said_at_once(server: EmbeddingServer) -> None:
    """The user named a variable that is empty: nothing is sent."""
    asked = OpenAICompatible(Server(server.url, "m", key_variable="MISSING"), {})
    with pytest.raises(BadInput, match="MISSING is not set"):
        asked.embed(["text"])
    assert not server.requests


def test_a_key_never_travels_in_the_clear() -> None:
    """A key for another machine needs https."""
    remote = Server("http://models.example.com/v1", "m", key_variable="SOME_KEY")
    with pytest.raises(BadInput, match="unencrypted"):
        OpenAICompatible(remote, {"SOME_KEY": KEY}).embed(["text"])


def test_a_server_that_recovers_is_asked_again(server: EmbeddingServer) -> None:
    """A fault that passes costs a pause; Retry-After is respected, within reason."""

    def twice_busy(request: Request) -> None:
        if len(server.requests) == 1:
            request.reply(500, b"oops")
        elif len(server.requests) == 2:
            request.reply(429, {"error": "slow down"}, Retry_After="3600")
        else:
            well(request)

    server.answer = twice_busy
    asked, naps = embedder(server)
    assert asked.embed(["text"]).any()
    assert naps == [0.5, 10.0]


def test_a_server_that_stays_broken_is_given_up(server: EmbeddingServer) -> None:
    """Attempts are bounded, and the error says what the server said."""
    server.answer = lambda request: request.reply(500, {"error": {"message": "out of\nmemory"}})
    asked, naps = embedder(server)
    error = failure(asked)
    assert "500" in error.message
    assert "out of memory" in error.message
    assert len(server.requests) == ATTEMPTS
    assert naps == [0.5, 1.0]


def test_a_wrong_request_is_not_repeated(server: EmbeddingServer) -> None:
    """What is wrong now stays wrong: an unknown model is said at once."""
    server.answer = lambda request: request.reply(404, {"error": {"message": "no such model"}})
    asked, naps = embedder(server)
    error = failure(asked)
    assert "no such model" in error.message
    assert "model's name" in error.remedy
    assert not naps


def test_a_slow_server_does_not_hold_one_up(server: EmbeddingServer) -> None:
    """After the timeout an attempt counts as failed."""
    server.answer = lambda _: server.released.wait(30) and None
    asked, naps = embedder(server, timeout=0.1)
    error = failure(asked)
    assert "within 0.1 s" in error.message or "timed out" in error.message
    assert len(naps) == ATTEMPTS - 1


def test_nobody_listens() -> None:
    """A server that is not there is an error with a remedy."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        naps = Naps()
        error = failure(OpenAICompatible(Server(url, "m"), {}, naps))
    assert "cannot be reached" in error.message
    assert error.remedy
    assert error.family == "embedder_unavailable"


def test_a_question_asks_a_server_that_is_away_once(server: EmbeddingServer) -> None:
    """Nor for other texts after that; the next question tries again."""
    server.answer = lambda request: request.connection.close()
    asked, naps = embedder(server)
    for_one = asked.for_a_question()
    first = failure(for_one)
    assert isinstance(first, EmbedderUnreachable)
    assert failure(for_one, ("another",)) is first
    assert len(server.requests) == 1
    assert not naps
    server.answer = well
    assert asked.for_a_question().embed(["text"]).any()


def test_a_question_sends_a_text_once(server: EmbeddingServer) -> None:
    """What it made of a text is kept for the question, even if the server is gone by then."""
    asked, _ = embedder(server)
    for_one = asked.for_a_question()
    rows = for_one.embed(["text"])
    server.answer = lambda request: request.connection.close()
    failure(for_one, ("another",))
    assert np.array_equal(for_one.embed(["text"]), rows)
    assert len(server.requests) == 2


def test_a_question_with_nothing_to_read_is_given_up_as_soon(server: EmbeddingServer) -> None:
    """Asking for the dimension is asking too."""
    server.answer = lambda request: request.connection.close()
    asked, naps = embedder(server)
    assert isinstance(failure(asked.for_a_question(), (" ",)), EmbedderUnreachable)
    assert len(server.requests) == 1
    assert not naps


def test_a_question_waits_for_a_server_that_is_busy(server: EmbeddingServer) -> None:
    """It is there and says so: it is asked again, and what it says stays an error of its own."""
    server.answer = lambda request: request.reply(503, {"error": "loading"})
    asked, naps = embedder(server)
    error = failure(asked.for_a_question())
    assert not isinstance(error, EmbedderUnreachable)
    assert len(server.requests) == ATTEMPTS
    assert naps == [0.5, 1.0]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"data": 3}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}]}',
        b'{"data": [{"index": 0, "embedding": [1, null]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b", 1]}]}",
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": []}',
        b"[" * 100_000,
        json.dumps({"data": [{"index": n, "embedding": [1, 2]} for n in (0, 1)]}).encode(),
    ],
)
def test_a_broken_answer_is_an_error(server: EmbeddingServer, body: bytes) -> None:
    """Whatever comes back, it is vectors for the texts sent or an error of ours."""
    server.answer = lambda request: request.reply(200, body)
    asked, naps = embedder(server)
    failure(asked)
    assert not naps


def test_an_answer_cut_short_is_an_error(server: EmbeddingServer) -> None:
    """A connection that breaks off is tried again and then reported."""

    def broken_off(request: Request) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        request.wfile.write(b'{"data"')

    server.answer = broken_off
    asked, naps = embedder(server)
    assert "broke off" in failure(asked).message
    assert len(naps) == ATTEMPTS - 1


def test_another_dimension_is_refused(server: EmbeddingServer) -> None:
    """One model per index: vectors of another length mean another model answers."""
    asked, _ = embedder(server, dimension=DIMENSION + 1)
    error = failure(asked)
    assert error.code == "embedder_dimension"
    assert f"[{DIMENSION}]" in error.message


def test_a_dimension_that_changes_is_refused(server: EmbeddingServer) -> None:
    """The first answer fixes the dimension for as long as the embedder lives."""
    asked, _ = embedder(server)
    asked.embed(["text"])
    data = [{"index": 0, "embedding": vector("x", 5)}]
    server.answer = lambda request: request.reply(200, {"data": data})
    assert failure(asked).code == "embedder_dimension"


def test_redirects_are_not_followed(server: EmbeddingServer) -> None:
    """Texts and key stay with the server the user named."""
    elsewhere = f"{server.url}/elsewhere"
    server.answer = lambda request: request.reply(307, b"", Location=elsewhere)
    asked, _ = embedder(server, key_variable="SOME_KEY")
    assert "307" in failure(asked).message
    assert len(server.requests) == 1


def test_this_machine_is_reached_without_a_proxy(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy in the environment does not see what stays on this machine."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    asked, _ = embedder(server)
    assert asked.embed(["text"]).any()


@pytest.mark.parametrize("url", ["", "localhost:11434", "ftp://host/v1", "file:///etc/passwd"])
def test_an_address_must_be_one(url: str) -> None:
    """Only http and https lead to a server."""
    with pytest.raises(BadInput) as raised:
        OpenAICompatible(Server(url, "m"), {})
    assert raised.value.code == "embedder_url"


def test_an_address_holds_no_password() -> None:
    """An address is part of the embedder's name, which is shown and kept."""
    with pytest.raises(BadInput) as raised:
        OpenAICompatible(Server("https://me:secret@host/v1", "m"), {})
    assert "secret" not in raised.value.message


def test_the_cost_says_whether_texts_leave() -> None:
    """People are told where their texts go."""
    here = OpenAICompatible(Server("http://localhost:11434/v1", "m"), {})
    there = OpenAICompatible(Server("https://api.example.com/v1", "m"), {})
    assert here.cost == "by a server on this machine"
    assert "sent to api.example.com" in there.cost
    assert here.name == "openai:m@localhost:11434/v1"


def test_texts_are_sent_without_their_secrets(server: EmbeddingServer) -> None:
    """A question is asked in the clear, and an older memory is as it was kept: neither leaves so.

    A secret is taken out before the text is cut, so that no half of one is left either.
    """
    asked, _ = embedder(server)
    asked.embed([f"who uses {TOKEN}?", "word " * ((LETTERS - 20) // 5) + TOKEN])
    sent = "".join(server.requests[0].asked["input"])
    assert TOKEN[:12] not in sent
    assert "who uses [redacted github-token]?" in sent


def test_data_about_people_is_taken_out_if_the_user_says_so(server: EmbeddingServer) -> None:
    """`[redaction] personal` counts for what is sent as it does for what is kept."""
    for people in (False, True):
        choice = Choice("openai:m", url=server.url, people=people)
        found = active(Path("/nonexistent"), choice, {}).embedder
        assert found is not None
        found.embed(["ask jane.roe@kontor-nord.de"])
    plain, taken_out = (each.asked["input"][0] for each in server.requests)
    assert "jane.roe" in plain
    assert "jane.roe" not in taken_out
