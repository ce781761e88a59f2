"""`helix doctor` and the servers that the settings name: does something answer there?"""

from __future__ import annotations

import socket
from contextlib import closing

import pytest
from tests.doors.spying import Spy


@pytest.fixture
def listener():
    """A port of this machine on which somebody listens, and says nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        taken.settimeout(10)
        yield taken


@pytest.fixture
def closed():
    """A port of this machine that is taken, and on which nobody listens."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def url_of(listener):
    return f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


def found(helix, settings, **environment):
    """Return the findings by name."""
    (helix.home / "settings.toml").write_text(settings)
    ran = helix("doctor", "--json", environment=environment)
    assert ran.code == 0, ran.out
    return {each["name"]: each for each in ran.document["findings"]}


def sent_to(listener):
    """Return all that the one who connected has sent."""
    with listener.accept()[0] as link:
        link.settimeout(10)
        return link.recv(1000)


def test_a_language_model_that_answers_is_told_and_asked_nothing(helix, listener):
    url = url_of(listener)
    finding = found(helix, f"[language_model]\nurl = '{url}'\nmodel = 'qwen3:8b'\n")[
        "language model"
    ]
    assert (finding["state"], finding["remedy"]) == ("ok", "")
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    assert finding["says"] == (
        f"openai: qwen3:8b at {host}, on this machine; something answers there"
    )
    assert sent_to(listener) == b""


def test_a_language_model_that_is_away_is_a_warning_with_a_remedy(helix, closed):
    server = f"provider = 'anthropic'\nurl = 'http://127.0.0.1:{closed}'\nmodel = 'm'\n"
    finding = found(helix, f"[language_model]\n{server}")["language model"]
    assert finding["state"] == "warning"
    assert finding["says"].startswith(f"anthropic: m at 127.0.0.1:{closed}, on this machine; ")
    assert "nothing answers there: " in finding["says"]
    assert "`url` below [language_model]" in finding["remedy"]


def test_the_small_model_is_looked_for_as_well(helix, listener, closed):
    """Either may be there without the other."""
    settings = (
        f"[language_model]\nurl = '{url_of(listener)}'\nmodel = 'm'\n"
        f"[language_model.online]\nurl = 'http://127.0.0.1:{closed}'\nmodel = 's'\n"
    )
    findings = found(helix, settings)
    assert findings["language model"]["state"] == "ok"
    small = findings["language model (online)"]
    assert small["state"] == "warning"
    assert "below [language_model.online]" in small["remedy"]
    alone = found(helix, f"[language_model.online]\nurl = '{url_of(listener)}'\nmodel = 's'\n")
    assert alone["language model (online)"]["state"] == "ok"
    assert "language model" not in alone


def test_a_key_is_neither_sent_nor_shown_and_missed_where_it_is_not_set(helix, listener):
    settings = (
        f"[language_model]\nurl = '{url_of(listener)}'\nmodel = 'm'\nkey_variable = 'SOME_KEY'\n"
    )
    findings = found(helix, settings, SOME_KEY="sk-not-to-be-seen")
    assert findings["language model"]["state"] == "ok"
    assert "sk-not-to-be-seen" not in str(findings)
    assert sent_to(listener) == b""
    missed = found(helix, settings)["language model"]
    assert missed["state"] == "warning"
    assert "something answers there; the environment variable SOME_KEY is not set" in missed["says"]
    assert "export SOME_KEY" in missed["remedy"]


def test_an_embedder_is_a_server_that_answers_or_a_warning(helix, listener, closed):
    settings = "[embedder]\nmodel = 'openai:m'\nurl = '{}'\n"
    there = found(helix, settings.format(url_of(listener)))["embedder"]
    assert there["state"] == "ok"
    assert "by a server on this machine; something answers there; 0 memories" in there["says"]
    assert sent_to(listener) == b""
    away = found(helix, settings.format(f"http://127.0.0.1:{closed}/v1"))["embedder"]
    assert away["state"] == "warning"
    assert "by a server on this machine; nothing answers there: " in away["says"]
    assert "`url` below [embedder]" in away["remedy"]


def test_what_is_advised_where_an_embedder_is_away_helps(helix, memory, closed):
    """Words alone answer without it, and no longer try it, if they are told to."""
    memory.remember("This repo uses pnpm")
    served = f"[embedder]\nmodel = 'openai:m'\nurl = 'http://127.0.0.1:{closed}/v1'\n"
    remedy = found(helix, served)["embedder"]["remedy"]
    assert "by words alone" in helix("recall", "pnpm").out
    assert 'with `model = "none"` there, words alone answer' in remedy
    (helix.home / "settings.toml").write_text(served.replace("openai:m", "none"))
    told = helix("recall", "pnpm").out
    assert "uses pnpm" in told
    assert "by words alone" not in told


@pytest.mark.parametrize(
    "settings", ["", "[embedder]\nmodel = 'none'\nurl = 'http://127.0.0.1:9/v1'\n"]
)
def test_nothing_is_contacted_that_is_not_in_use(helix, tmp_path, settings):
    spy = Spy(tmp_path)
    findings = found(helix, settings, **spy.environment)
    assert not any(name.startswith("language model") for name in findings)
    assert [each for each in spy.seen() if each[0] != "socket.bind"] == []


def test_only_what_is_configured_is_contacted(helix, tmp_path, listener):
    spy = Spy(tmp_path)
    settings = f"[language_model]\nurl = '{url_of(listener)}'\nmodel = 'm'\n"
    found(helix, settings, **spy.environment)
    assert {where for _, where in spy.seen()} == {"127.0.0.1"}
    assert sum(event == "socket.connect" for event, _ in spy.seen()) == 1
