"""A name that is called plain holds no secret, whatever the rules would look for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.secrets.test_redacting import CARRIED, TOKENS

from helix.rules.secrets.plainness import is_plain
from helix.rules.secrets.redacting import secrets_in

PARTS = [
    "project", "global", "github.com", "acme", "shop", "hunter2x", "Xk29fj3kd9s", "password", "pw",
    "token", "api_key", "AKIA", "session", "s1", "a1b2c3d4e5", "bob", "claude-code",
    *TOKENS.values(),
    *(text for text, _ in CARRIED),
]  # fmt: skip


@pytest.mark.parametrize("name", ["global", "project:acme/shop", "project:tidepool", "claude-code"])
def test_what_scopes_and_agents_are_called_is_plain(name):
    assert is_plain(name)


@pytest.mark.parametrize("kind", sorted(TOKENS))
def test_no_token_is_plain(kind):
    assert not is_plain(f"project:{TOKENS[kind]}")


@given(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=5),
    st.sampled_from([":", "/", "-", "=", ".", " "]),
)
def test_what_is_plain_holds_nothing_that_any_rule_finds(parts, between):
    name = between.join(parts)
    assert not (is_plain(name) and secrets_in(name))


@given(st.text(st.sampled_from("aZ09:/.-_=@pwdkey"), max_size=40))
def test_nor_does_any_other_name(name):
    assert not (is_plain(name) and secrets_in(name))
