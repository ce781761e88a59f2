"""Secrets are found and replaced; what only resembles one is left alone.

Every token here was made up for this file. They are put together from parts, so that no
scanner takes this repository for a leak.
"""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from helix.rules.secrets.formats import FORMATS, Format
from helix.rules.secrets.redacting import SHORTEST_TOKEN, redacted, secrets_in

DRAWN = "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2Io6Te9Wq4Zx1Cv5Bn8"
HEX = "3f9a1c7e5b2d8046f1e3c5a7b9d20f4e6a8c1b3d5f7092e4a6c8b0d1f3e5a7c9"

TOKENS = {
    "aws-access-key": "AKIA" + "Q3EGRIZP7XKD2VNB",
    "github-token": "gh" + "p_" + DRAWN[:36],
    "gitlab-token": "glpat" + "-" + DRAWN[:20],
    "slack-token": "xox" + "b-263594206564-" + DRAWN[:24],
    "stripe-key": "sk_" + "live_" + DRAWN[:24],
    "google-api-key": "AIza" + DRAWN[:35],
    "npm-token": "npm" + "_" + DRAWN[:36],
    "huggingface-token": "hf" + "_" + DRAWN[:34],
    "digitalocean-token": "dop" + "_v1_" + HEX,
    "sendgrid-key": "SG" + "." + DRAWN[:22] + "." + DRAWN[:43],
    "telegram-token": "508627689" + ":AA" + DRAWN[:33],
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiI0MiJ9." + DRAWN[:43],
    "openai-key": "sk-" + "proj-" + DRAWN[:20] + "T3BlbkFJ" + DRAWN[:20],
    "anthropic-key": "sk-" + "ant-api03-" + (DRAWN * 2)[:93] + "AA",
}

CARRIED = [
    ("postgres://app:s3cr3tPw9@db.internal:5432/app", "s3cr3tPw9"),
    ('DB_PASSWORD="c0rrect-h0rse"', "c0rrect-h0rse"),
    ("password: Tr0ub4dor&3", "Tr0ub4dor&3"),
    ("export API_TOKEN=" + HEX[:32], HEX[:32]),
    ("curl -u admin:Zk82hsQ1 https://10.0.0.1", "Zk82hsQ1"),
    ("Authorization: Bearer " + DRAWN, DRAWN),
    ("CREATE USER app WITH PASSWORD 'Zk82hsQ1!'", "Zk82hsQ1!"),
    ("the password is Zk82hsQ1!", "Zk82hsQ1!"),
    ("mysqldump --password Zk82hsQ1! app", "Zk82hsQ1!"),
    ("ENV DB_PASSWORD Zk82hsQ1!", "Zk82hsQ1!"),
    ("setx API_TOKEN " + HEX[:20], HEX[:20]),
    ("set -gx API_TOKEN " + HEX[:20], HEX[:20]),
    ("AccountKey=" + DRAWN[:50] + "==", DRAWN[:50]),
]

HONEST = [
    "Password: must have at least twelve characters",
    "def login(user: str, password: str = None) -> Token:",
    "password = os.environ['DB_PASSWORD']",
    "token = request.headers.get('X-Token')",
    "API_KEY=${API_KEY}",
    "api_key = <your api key>",
    "secret_name: projects/app/secrets/db",
    "commit 3f9a1c7e5b2d8046f1e3c5a7b9d20f4e6a8c1b3d fixes the token refresh",
    "sha256:" + HEX,
    "run 7c9e6679-7425-40de-944b-e07fc1f90ae7 failed",
    "see https://github.com/pallets/flask/issues/640 and docs/adr/0009-embedders.md",
    "--- PASS: TestParseGitRemoteURL/HTTPS_with_git (0.00s)",
    "We decided that primary_key = 'user_id' is the partition key",
    "The public_key = 'c2lnbmVkIGJ5IHRoZSBzZXJ2ZXI' is printed on start",
    "Author: Jane Doe; keyword arguments are passed on",
    "max_tokens=4096, token_count: 128",
]


@pytest.mark.parametrize("kind", sorted(TOKENS))
def test_a_known_format_is_found_anywhere(kind: str) -> None:
    """An issuer's token is found in prose, in quotes and at a line's end."""
    token = TOKENS[kind]
    for text in (f"use {token} for it", f'{{"x": "{token}"}}', f"tried {token}\nand failed"):
        after = redacted(text)
        assert token not in after, text
        assert "[redacted " in after


@pytest.mark.parametrize(("text", "secret"), CARRIED)
def test_what_carries_a_credential_keeps_everything_else(text: str, secret: str) -> None:
    """Only the secret itself is replaced: where it stood stays readable."""
    after = redacted(text)
    assert secret not in after
    start = text.index(secret)
    assert after.startswith(text[:start])
    assert after.endswith(text[start + len(secret) :].lstrip("="))


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_is_left_alone(text: str) -> None:
    """Names, types, variables, hashes, paths and prose about secrets are no secrets."""
    assert redacted(text) == text


def test_a_private_key_is_taken_whole_whatever_a_log_put_before_its_lines() -> None:
    """From its first line to its last, prefixes of a log included."""
    body = "\n".join(f"#6 0.245 {DRAWN}{DRAWN}"[:72] for _ in range(6))
    begin, end = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    after = redacted(f"before\n#6 0.245 {begin}\n{body}\n#6 0.245 {end}\nafter")
    assert after == "before\n#6 0.245 [redacted private-key]\nafter"


def test_a_private_key_without_its_end_is_taken_as_far_as_it_goes() -> None:
    """A key cut off in the middle is still a key."""
    begin = "-----BEGIN " + "RSA PRIVATE KEY-----"
    after = redacted(f"{begin}\n{DRAWN}\n{DRAWN}\n\nThat was the key.")
    assert DRAWN not in after
    assert after.endswith("That was the key.")


ESCAPES = [
    r"\n", r"\t", r"\r\n", r"\u001b[1m", r"\x1b[0m", r"\e[1;32m", r"\033[38;5;196m", "\x1b[m",
    " [1m", "[0m", "[1;32m", "[32m", r"\u0022", r"\x27", r"\u003d", "%3D", "%3d", "%22", "%0A",
    "=3D",
]  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES)
@pytest.mark.parametrize("kind", ["github-token", "aws-access-key", "sendgrid-key"])
def test_a_token_is_found_behind_an_escape_sequence(kind: str, escape: str) -> None:
    """The last letter of the sequence is none of the token's."""
    token = TOKENS[kind]
    for text in (f'{{"log":"step 1{escape}{token}{escape}"}}', f"{escape}{token}"):
        after = redacted(text)
        assert token not in after
        assert after == text.replace(token, f"[redacted {kind}]")


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (r'{"log":"one\npassword = Zk82hsQ1!\ntwo"}', "Zk82hsQ1!"),
        (r'{"log":"one\nAPI_TOKEN=' + HEX[:32] + r'\ntwo"}', HEX[:32]),
        (r'{"log":"{\"password\": \"Zk82hsQ1!\"}"}', "Zk82hsQ1!"),
        (r'{"log":"{\\\"password\\\": \\\"Zk82hsQ1!\\\"}"}', "Zk82hsQ1!"),
        (r'{"log":"sent\nAuthorization: Bearer ' + DRAWN + r'\nthen"}', DRAWN),
        (r'{"log":"ran\ncurl -u admin:Zk82hsQ1 https://10.0.0.1\nthen"}', "Zk82hsQ1"),
        (r"C:\conf\token=" + HEX[:32], HEX[:32]),
    ],
)
def test_what_gives_a_secret_away_may_stand_behind_an_escape_sequence(
    text: str, secret: str
) -> None:
    """A text that was written as JSON is still the text."""
    after = redacted(text)
    assert secret not in after
    start = text.index(secret)
    assert after.startswith(text[:start])
    assert after.endswith(text[start + len(secret) :])


def test_an_address_goes_on_behind_an_escaped_sign() -> None:
    """What JSON makes of an ampersand does not end a signed address."""
    signed = "https://b.s3.aws.com/x?X-Amz-" + r"Algorithm=A\u0026X-Amz-" + f"Signature={HEX}"
    assert redacted(f'{{"url":"{signed}"}}') == '{"url":"[redacted aws-signed-url]"}'


def test_letters_that_grow_when_made_small_hide_nothing() -> None:
    """A place in the small letters is the same place in the text."""
    assert "Zk82hsQ1!" not in redacted("\u0130" * 80 + " password = Zk82hsQ1!")


def _key(body: str) -> str:
    return "-----BEGIN " + f"PRIVATE KEY-----\n{body}\n-----END " + "PRIVATE KEY-----"


@pytest.mark.parametrize("body", [f"{DRAWN}\n[redacted jwt]\n{DRAWN}", f"[redacted jwt]{DRAWN}"])
def test_a_placeholder_in_a_private_key_does_not_save_the_key(body: str) -> None:
    """Whoever writes a placeholder into a text takes nothing of it out of the redaction."""
    assert redacted(f"before {_key(body)} after") == "before [redacted private-key] after"


def test_a_placeholder_in_a_private_key_without_its_end_does_not_end_it() -> None:
    """The lines behind it are still the key's."""
    begin = "-----BEGIN " + "RSA PRIVATE KEY-----"
    after = redacted(f"{begin}\n{DRAWN}\n[redacted jwt a1b2c3]\n{DRAWN}\n\nThat was the key.")
    assert after == "[redacted private-key]\n\nThat was the key."


def test_a_placeholder_is_left_whole_or_taken_whole() -> None:
    """Half a placeholder would say nothing and look like a secret."""
    token = TOKENS["aws-access-key"]
    stray = f"{DRAWN}\n-----END " + "PRIVATE KEY-----"
    for text in (f"{token}[redacted jwt]", f"[redacted jwt]{token}", f"[redacted jwt {stray}"):
        after = redacted(text)
        assert token not in after
        assert re.sub(r"\[redacted [a-z-]+\]", "", after) == ""


def test_the_end_of_a_private_key_is_one_if_a_key_stands_before_it() -> None:
    """A key whose beginning was cut off is taken from the start; a lone last line is none."""
    end = "-----END " + "PRIVATE KEY-----"
    assert redacted(f"{end}\n{DRAWN}\n{end}\nafter") == "[redacted private-key]\nafter"
    assert redacted(f"{end} {end} short") == f"{end} {end} short"
    begin = "-----BEGIN " + "PRIVATE KEY-----"
    assert redacted(f"{DRAWN} {begin}\n{DRAWN}\n{end}") == f"{DRAWN} [redacted private-key]"


def test_equal_secrets_get_equal_tags() -> None:
    """A tag tells that two places held the same secret, and nothing else."""
    after = redacted("password=Zk82hsQ1! and again password=Zk82hsQ1!", lambda _: "a1b2c3")
    assert after.count("[redacted password a1b2c3]") == 2


def test_people_are_left_in_unless_asked_for() -> None:
    """Names and addresses are what a memory is about; taking them out is a choice."""
    text = "mail jane@corp.io or call +49 170 1234567 from 10.20.30.40, card 4111 1111 1111 1111"
    assert redacted(text) == text
    after = redacted(text, people=True)
    for part in ("jane@corp.io", "1234567", "10.20.30.40", "4111"):
        assert part not in after


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.kind)
def test_every_format_can_be_told_by_its_hints(form: object) -> None:
    """A format whose hints a token need not contain would never be looked for."""
    assert form.hints  # type: ignore[attr-defined]
    assert all(form.hints)  # type: ignore[attr-defined]


SAID = st.text(string.ascii_letters + string.digits + " =:'\"/@-_.\n", max_size=60)
BROKEN = ["-----BEGIN " + "PRIVATE KEY-----", DRAWN, "-----END " + "PRIVATE KEY-----", "[redacted "]
PLACEHOLDERS = ["[redacted jwt]", "[redacted private-key a1b2c3]"]
PLANTED = st.sampled_from(
    [*TOKENS.values(), *(text for text, _ in CARRIED), *BROKEN, *PLACEHOLDERS]
)


@given(st.lists(st.one_of(SAID, PLANTED, st.text(max_size=40)), max_size=6))
def test_redacting_twice_changes_nothing(parts: list[str]) -> None:
    """What is left holds no secret that could be found."""
    once = redacted(" ".join(parts))
    assert secrets_in(once) == []
    assert redacted(once) == once


@given(SAID, st.sampled_from(sorted(TOKENS)), SAID)
def test_a_token_never_survives_its_surroundings(before: str, kind: str, after: str) -> None:
    """Whatever stands around it, once it stands apart."""
    assert TOKENS[kind] not in redacted(f"{before} {TOKENS[kind]} {after}")


@pytest.mark.parametrize(
    "form", [each for each in FORMATS if each.least > SHORTEST_TOKEN], ids=lambda form: form.kind
)
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_token_is_shorter_than_its_format_says(form: Format, data: st.DataObject) -> None:
    """A format whose least length is too great would miss its shortest tokens."""
    pattern = re.compile(form.pattern.pattern, form.pattern.flags)
    token = data.draw(st.from_regex(pattern, fullmatch=True))
    assume(pattern.fullmatch(token))
    runs = re.findall(r"[A-Za-z0-9_+/=.~|$%:-]+", token)
    assert max(map(len, runs)) >= form.least
