"""What a name gives away, wherever the value stands; and what only sounds like a secret.

Every secret here was made up for this file.
"""

from __future__ import annotations

import pytest

from helix.capture.admission import admitted_attributes
from helix.rules.secrets.assignments import given_away
from helix.rules.secrets.redacting import redacted

WHOLE = [
    ('password="{}"', "Xk<29fj3kd9s!x"),
    ("password='{}'", 'pa"ss9word!x'),
    ('password="{}"', "Xk29f'j3kd9s!x"),
    ('password="{}"', "'Xk29fj3kd9s!x"),
    ('password = "{}"', "Tr0ub4dor & 3 zebra"),
    ('password: "{}"', 'abc\\"def9!kd9s'),
    ('pw="{}", user="bob"', "a<b9f!kd9sXX"),
    ('password = """{}"""', "Xk29f'j3kd9s!x"),
    ("password: {}", "Tr0ub4dor&3"),
    ('{{"log":"{{\\"password\\": \\"{}\\"}}"}}', "Xk29f'j3kd9s!x"),
    ("- name: DB_PASSWORD\n  value: {}", "Xk29fj3kd9s!x"),
    ("  - name: DB_PASSWORD\n    value: '{}'\n  - name: LOG\n    value: debug1", "Xk29f j3kd9s"),
    ('{{"name":"DB_PASSWORD","value":"{}"}}', "Xk29fj3kd9s!x"),
    ('{{"name": "API_TOKEN",\n "value": "{}"}}', "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ('<add key="ApiKey" value="{}"/>', "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("<server><user>bob</user><password>{}</password></server>", "Xk29fj3kd9s!x"),
    ('<s:servicePassword type="text">\n  {}\n</s:servicePassword>', "Xk29fj3kd9s!x"),
]

HONEST = [
    "--- PASS: TestHTTP2 (0.00s)",
    "--- PASS: TestFoo/case_1 (0.00s)",
    "PASS: test_foo2 (0.3s)",
    "the token is base64url-encoded",
    "The token is RS256-signed",
    "the password is sha256-hashed",
    "authentication is SAML2.0-based",
    "signing key is RSA-2048",
    "auth: OAuth2.0",
    "auth is OAuth2/OIDC",
    "auth: oauth2-proxy",
    "cache key is user:123:profile2",
    "Redis key is user:550e8400",
    "sort key is created_at#2024-01-01",
    "the key is session_2024_v2",
    "GPG key is 4AEE18F83AFDEB23",
    "unexpected token: 0x1f3b2c9d",
    "role admin needs password reset2",
    "login form has password field1;",
    "passphrase: env:GPG_PASS1",
    '{"command":"pwd","workdir":"src"}',
    "- name: DB_PASSWORD\n  value: ${DB_PASSWORD}",
    "- name: DB_PASSWORD\n  valueFrom: db-credentials-v2",
    "- name: LOG_LEVEL\n  value: debug2verbose",
    '<input name="password" value="">',
    '<field name="token" type="string1">a1b2c3d4e5</field>',
    "<password>string</password>",
    "<key>CFBundleVersion2</key>",
    'print("password: " + given + "x9!kd9s")',
]

STILL = [
    ("PASS: Xk29fj3kd9s!x", "Xk29fj3kd9s!x"),
    ('("password", "Xk29fj3kd9s!x"): 1', "Xk29fj3kd9s!x"),
    ("DB_PASS=TestDb2024!", "TestDb2024!"),
    ("the token is RS256-9f8e7d6c5b4a", "RS256-9f8e7d6c5b4a"),
    ("the api key is prod-1234-abcd", "prod-1234-abcd"),
    ("invalid token: 9f8e7d6c5b4a3928", "9f8e7d6c5b4a3928"),
    ("ALTER ROLE app PASSWORD Zk82hsQ1", "Zk82hsQ1"),
    ("GET /x?token=9f8e7d6c5b4a3928&user=bob", "9f8e7d6c5b4a3928"),
]


@pytest.mark.parametrize(("text", "secret"), WHOLE)
def test_a_value_is_taken_whole(text: str, secret: str) -> None:
    """Up to the quote that closes it, whatever else is in it, and nothing beyond."""
    after = redacted(text.format(secret))
    before, behind = text.format("\0").split("\0")
    assert after.startswith(before + "[redacted ")
    assert after.endswith("]" + behind)
    assert after.count("[redacted ") == 1


@pytest.mark.parametrize("text", HONEST)
def test_how_developers_speak_of_secrets_is_left_alone(text: str) -> None:
    """Methods, reports of tests, keys that are addresses, and what stands for a value."""
    assert redacted(text) == text


@pytest.mark.parametrize(("text", "secret"), STILL)
def test_what_resembles_honest_text_and_is_a_secret_is_found(text: str, secret: str) -> None:
    """The exceptions reach no further than what they are made for."""
    after = redacted(text)
    before, behind = text.split(secret)
    assert after.startswith(before + "[redacted ")
    assert after.endswith("]" + behind)


def test_a_mapping_gives_its_values_away_whatever_they_hold() -> None:
    """Numbers, nested values, stray quotes and pairs of name and value."""
    secret = "Xk29fj3kd9s!x"
    kept = admitted_attributes(
        {
            "password": 1234567890,
            "db": {"password": {"value": secret, "set_by": "bob"}},
            "token": "'9f8e7d6c5b4a3928",
            "passwd": f'Xk"{secret}',
            "env": [{"name": "DB_PASSWORD", "value": secret}, {"name": "LOG", "value": "debug1"}],
            "authorization": "Bearer 9f8e7d6c5b4a3928",
        }
    )
    assert kept == {
        "password": "[redacted password]",
        "db": {"password": {"value": "[redacted password]", "set_by": "bob"}},
        "token": "[redacted token]",
        "passwd": "[redacted password]",
        "env": [
            {"name": "DB_PASSWORD", "value": "[redacted password]"},
            {"name": "LOG", "value": "debug1"},
        ],
        "authorization": "[redacted secret]",
    }


def test_counts_and_switches_of_a_mapping_are_left_alone() -> None:
    """A number of tokens is none, and neither is the length of a password."""
    counts = {
        "total_tokens": 12345678, "tokens": 12345678, "password_length": 123456, "pass": 12345,
        "password": True, "password_attempts": 123456, "passwords": {"checked": 123456},
    }  # fmt: skip
    assert admitted_attributes(counts) == counts
    assert given_away("max_tokens", "12345678") is None
