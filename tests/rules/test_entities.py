"""A text's names are found for what they are, and every spelling of a name is one thing."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helix.rules.entities import Entity, entities, key, overlap, speaker

KINDS = (
    "person", "file", "package", "command", "identifier", "error_code", "url", "issue", "version",
)  # fmt: skip


def named(text: str, kind: str) -> list[str]:
    return [entity.name for entity in entities(text) if entity.kind == kind]


def all_named(text: str) -> list[tuple[str, str]]:
    return [(entity.kind, entity.name) for entity in entities(text)]


# --- people -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("I asked Priya Raman to review the migration.", ["Priya Raman"]),
        ("Yesterday Marta pushed a fix, and Jean-Luc reverted it.", ["Marta", "Jean-Luc"]),
        ("Sofia noticed it first.", ["Sofia"]),
        ("the retry logic is Henrik's idea", ["Henrik"]),
        ("Dr. Okonkwo and Mrs. O'Brien joined", ["Okonkwo", "O'Brien"]),
        ("met Anna, Lukas and Tuulikki for lunch", ["Anna", "Lukas", "Tuulikki"]),
        ("Co-authored-by: Wanjiru Kamau <wanjiru@example.com>", ["Wanjiru Kamau"]),
        ("Reviewed-by: Ludwig van Beethoven", ["Ludwig van Beethoven"]),
        ("Author: Xiulan Feng\nDate: today", ["Xiulan Feng"]),
        ("I told Babajide that the tests are flaky", ["Babajide"]),
        ("Babajide wants smaller pull requests", ["Babajide"]),
        ("thanks Siobhan!", ["Siobhan"]),
        ("Hey Quillon, can you look?", ["Quillon"]),
        ("ping @marta-k and @jo about the release", ["@marta-k", "@jo"]),
        ("Marta: shall we merge?\nBabajide: not yet", ["Marta", "Babajide"]),
        ("Babajide: shall we merge?\nWanjiru: not yet", ["Babajide", "Wanjiru"]),
        ("we talked with Mark about it", ["Mark"]),
        ("Mark said no, and then Will asked why", ["Mark", "Will"]),
        ("Sean McCarthy owns billing", ["Sean McCarthy"]),
        ("John F. Kennedy wrote that", ["John F. Kennedy"]),
        ("Sofie Van Dyke maintains it", ["Sofie Van Dyke"]),
    ],
)
def test_people(text: str, people: list[str]) -> None:
    assert named(text, "person") == people


@pytest.mark.parametrize(
    "text",
    [
        "Will this work? Mark it as done. Grace period over.",
        "The Dashboard shows Settings and Profile.",
        "We moved from Heroku to Kubernetes in March, on a Monday.",
        "Python and Rust are fine, but not Java.",
        "## Getting Started With Deployment\n\nKey Features: fast",
        "Error: cannot open\nNote: retry\nTODO: rename\nRoot Cause: the cache",
        "Don't skip the tests. Successfully wrote file.",
        "Create a Hello World in Ruby",
        "Filtering works. Management decided. Nobody said so.",
        "we fly to Austin, then San Francisco",
        "May I ask? May be. This may fail.",
        "@dataclass\nclass Memory:\n    @property\n    def id(self): ...\n",
        "@app.get('/users')\n@pytest.mark.skip\n@cached(60)",
        "/** @param {string} name\n * @returns nothing */",
        "uses: actions/checkout@v4",
        "mail me at marta@example.com",
        "set in Times New Roman",
        "I want React, Vue and Angular",
        "Python 3.12; GitHub Actions; OpenAI; Visual Studio Code; Claude Code",
    ],
)
def test_what_is_capitalised_is_not_always_a_person(text: str) -> None:
    assert named(text, "person") == []


# --- files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("see src/helix/rules/words.py:42 for it", ["src/helix/rules/words.py"]),
        ("edit `pyproject.toml` and main.go.", ["pyproject.toml", "main.go"]),
        (r"in C:\Users\me\app.log or .\run.ps1", [r"C:\Users\me\app.log", r".\run.ps1"]),
        ("cat ~/.bashrc ./run.sh ../lib/util.ts", ["~/.bashrc", "./run.sh", "../lib/util.ts"]),
        (".env and .gitignore", [".env", ".gitignore"]),
        ("the Dockerfile, the Makefile and LICENSE", ["Dockerfile", "Makefile", "LICENSE"]),
        ("under src/app and tests/", ["src/app", "tests/"]),
        ("/etc/hosts, /tmp/out", ["/etc/hosts", "/tmp/out"]),
        ("look at @docs/RELEASE.md please", ["docs/RELEASE.md"]),
        ("diff --git a/src/app.py b/src/app.py", ["src/app.py"]),
        ("config.py, data.json and app.log changed", ["config.py", "data.json", "app.log"]),
        ("node_modules/left-pad/index.js", ["node_modules/left-pad/index.js"]),
        ("apps/web/components/Button", ["apps/web/components/Button"]),
        ("see words.py#L12-L20", ["words.py"]),
    ],
)
def test_files(text: str, files: list[str]) -> None:
    assert named(text, "file") == files


@pytest.mark.parametrize(
    "text",
    [
        "and/or, his/her, TCP/IP, I/O, 24/7, 1/2, yes/no, read/write/execute",
        "client/server with application/json over HTTP/2",
        "e.g. this, i.e. that, at 5 p.m., J.R.R. Tolkien, etc.",
        "console.log(x); res.json(); math.log(2); self.map; df.sum()",
        "it works.The next one fails.It is odd",
        r"print('\nDone\tnow')",
        "License terms, Upbeat/Hip-Hop/Rap",
    ],
)
def test_what_has_a_slash_or_a_dot_is_not_always_a_file(text: str) -> None:
    assert named(text, "file") == []


# --- packages and commands ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("pip install requests 'httpx>=0.27' -r dev.txt", ["requests", "httpx"]),
        ("pip install uvicorn[standard]==0.30", ["uvicorn"]),
        ("`npm install -D @types/node left-pad@1.3.0`", ["@types/node", "left-pad"]),
        ("$ cargo add serde --features derive tokio", ["serde", "tokio"]),
        ("go get github.com/spf13/cobra@v1.8.0", ["github.com/spf13/cobra"]),
        ("uv add msgspec && uv remove attrs", ["msgspec", "attrs"]),
        ("sudo apt-get install -y libpq-dev", ["libpq-dev"]),
        ("then I ran pip install rich and it worked", ["rich"]),
        ("import numpy as np, pandas", ["numpy", "pandas"]),
        ("from helix.rules.words import parts", ["helix"]),
        ("import { useState } from 'react'", ["react"]),
        ("import x from '@org/pkg/sub/path'", ["@org/pkg"]),
        ("const fs = require('fs'), l = require('lodash')", ["lodash"]),
        ("use serde::Deserialize;", ["serde"]),
        ("import org.apache.kafka.Producer", ["org.apache.kafka"]),
        ("pin requests==2.31.0 and attrs>=23.1", ["requests", "attrs"]),
        ("Django talks to Postgres, redis is only a cache", ["Django", "Postgres", "redis"]),
        ("we render with React and Next.js", ["React", "Next.js"]),
    ],
)
def test_packages(text: str, packages: list[str]) -> None:
    assert named(text, "package") == packages


@pytest.mark.parametrize(
    "text",
    [
        "npm install fails on the runner",
        "import the data and export settings",
        "Click the button. Express your doubts. Salt the hash.",
        "they react to changes from the outside",
        "import os, sys\nfrom typing import Any\nimport './styles'",
        "if count==1 and ratio >= 0.5",
    ],
)
def test_no_packages(text: str) -> None:
    assert named(text, "package") == []


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("run `git rebase -i main`", ["git rebase"]),
        ("$ npm run build -- --watch", ["npm run build"]),
        ("pytest -q tests/", ["pytest"]),
        ("uv run pytest -x", ["pytest"]),
        ("python -m pip install black", ["pip install"]),
        ("docker compose up -d", ["docker compose up"]),
        ("I tried git push and then docker build twice", ["git push", "docker build"]),
        ("make test\nmake lint", ["make test", "make lint"]),
        ("`go test ./...` is slow", ["go test"]),
        ("kubectl rollout restart deploy/web", ["kubectl rollout restart"]),
        ("sudo systemctl restart nginx", ["systemctl restart"]),
        ("use curl or psql", ["curl", "psql"]),
        ("`git` alone", ["git"]),
    ],
)
def test_commands(text: str, commands: list[str]) -> None:
    assert named(text, "command") == commands


@pytest.mark.parametrize(
    "text",
    [
        "make sure that it works, go to the docs, find the bug",
        "go over src/app.py with me",
        "make it so that tests/a.py passes",
        "```go\nfunc main() {}\n```",
        "git is fine, docker too",
        "cd src && ls -la",
        "python manage.py migrate",
    ],
)
def test_no_commands(text: str) -> None:
    assert named(text, "command") == []


# --- identifiers, codes, addresses --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("rename getUserById() to fetch_user", ["getUserById()", "fetch_user"]),
        ("UserService.find calls os.path.join", ["UserService.find", "os.path.join"]),
        ("std::vector and self.retry_limit", ["std::vector", "self.retry_limit"]),
        ("set MAX_RETRIES=5 with --no-verify", ["MAX_RETRIES", "--no-verify"]),
        ("call close() twice", ["close()"]),
        ("__init__ and _private", ["__init__", "_private"]),
        ("POST /api/users/:id returns it", ["/api/users/:id"]),
        ("merge origin/main into fix/login-loop", ["origin/main", "fix/login-loop"]),
        ("HTTPServer is slow", ["HTTPServer"]),
        ("a plain sentence, with (some) marks; nothing else!", []),
        ("GitHub, JavaScript, PostgreSQL, URLs, IDs and the APIs", []),
        (":tada: and :white_check_mark: done", []),
        ("fill in ______ here", []),
    ],
)
def test_identifiers(text: str, identifiers: list[str]) -> None:
    assert named(text, "identifier") == identifiers


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("rustc says E0502, ruff says F401 and PLR2004", ["E0502", "F401", "PLR2004"]),
        ("ERR_PNPM_OUTDATED_LOCKFILE or ORA-00942", ["ERR_PNPM_OUTDATED_LOCKFILE", "ORA-00942"]),
        ("ENOENT: no such file; ECONNREFUSED", ["ENOENT", "ECONNREFUSED"]),
        ("HTTP 404, status code 503, HTTP/1.1 500", ["HTTP 404", "HTTP 503", "HTTP 500"]),
        ("it returned 502 when the pool was empty", ["HTTP 502"]),
        ("we got a 429 from the API", ["HTTP 429"]),
        ("patched CVE-2024-1234", ["CVE-2024-1234"]),
        ("raises ModuleNotFoundError", ["ModuleNotFoundError"]),
        ("java.lang.NullPointerException at line 3", ["NullPointerException"]),
        ("TS2345 and SIGSEGV", ["TS2345", "SIGSEGV"]),
        ("exited with code 137", ["exit 137"]),
        ("exit code 0, exit code 1", []),
        ("got 500 rows, a 404 page article, a $500 bill", []),
        ("SHA256, RFC7231, UTF-8, H264, A100, S3", []),
        ("Error: something. isError, onError", []),
    ],
)
def test_error_codes(text: str, codes: list[str]) -> None:
    assert named(text, "error_code") == codes


@pytest.mark.parametrize(
    ("text", "issues"),
    [
        ("fixes #123 and org/repo#77", ["#123", "org/repo#77"]),
        ("see PROJ-42, PR 45 and issue 812", ["PROJ-42", "#45", "#812"]),
        ("closes #7", ["#7"]),
        ("my #1 tip; colour #333; UTF-8, SHA-256, COVID-19, PG-13", []),
        ("issue 2 of this list", []),
    ],
)
def test_issues(text: str, issues: list[str]) -> None:
    assert named(text, "issue") == issues


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("see https://example.com/a?b=1#c.", "url", ["https://example.com/a?b=1#c"]),
        ("(https://example.com/x)", "url", ["https://example.com/x"]),
        ("docs at docs.example.org/guide and crates.io", "url",
         ["docs.example.org/guide", "crates.io"]),
        ("from v1.2.3 to 2.0.0-rc1", "version", ["v1.2.3", "2.0.0-rc1"]),
        ("127.0.0.1 at 3.11", "version", []),
    ],
)  # fmt: skip
def test_addresses_and_versions(text: str, kind: str, names: list[str]) -> None:
    assert named(text, kind) == names


def test_things_come_in_order_and_once() -> None:
    text = "Priya moved app.py; later Priya fixed ./app.py:3 and priya.py"
    assert all_named(text) == [("person", "Priya"), ("file", "app.py"), ("file", "priya.py")]


def test_a_limit_keeps_the_first() -> None:
    text = " ".join(f"file{n}.py" for n in range(50))
    assert len(entities(text)) == 32
    assert entities(text, 3) == entities(text)[:3]
    assert entities(text, 0) == entities(text, -1) == ()


# --- keys ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "spellings"),
    [
        ("identifier", ["getUserById", "get_user_by_id()", "GET_USER_BY_ID", "get-user-by-id"]),
        ("identifier", ["Foo::bar", "foo.bar", "Foo->bar()", "self.foo.bar"]),
        ("file", ["src/App.py", "./src/app.py:12:3", r"SRC\app.py", "src//app.py"]),
        ("package", ["Foo_Bar", "foo-bar", "foo.bar==1.2", "foo-bar[extra]>=2", "'foo-bar'"]),
        ("package", ["Postgres", "postgresql", "PostgreSQL"]),
        ("package", ["@Org/pkg", "@org/pkg"]),
        ("person", ["Ada Lovelace", "@ada.lovelace", "ada_lovelace", "Ada Lovelace's"]),
        ("command", ["pip install", "pip3  install", "PIP install"]),
        ("command", ["docker compose up", "docker-compose up"]),
        ("error_code", ["NullPointerException", "java.lang.NullPointerException"]),
        ("error_code", ["HTTP 404", "http  404"]),
        ("url", ["https://Example.com/a/", "http://www.example.com/a", "example.com/a"]),
        ("issue", ["#123", "GH-123", "0123", "123"]),
        ("version", ["v1.2.3", "1.2.3", "V1.2.3"]),
    ],
)
def test_spellings_of_one_thing_share_a_key(kind: str, spellings: list[str]) -> None:
    assert len({key(Entity(kind, spelling)) for spelling in spellings}) == 1


def test_a_key_says_its_kind() -> None:
    assert key(Entity("file", "README.md")) == "file:readme.md"
    assert key(Entity("person", "Rust")) != key(Entity("package", "Rust"))


def test_different_things_have_different_keys() -> None:
    assert key(Entity("file", "a/b.py")) != key(Entity("file", "b.py"))
    assert key(Entity("identifier", "a.b")) != key(Entity("identifier", "ab"))
    assert key(Entity("issue", "ABC-123")) != key(Entity("issue", "#123"))


# --- overlap and speaker ------------------------------------------------------------------


def test_overlap_is_what_is_shared_over_the_larger_side() -> None:
    """R-186: shared / max(user entities, node entities)."""
    asked = entities("what did Priya change in app.py?")
    held = entities("Priya and Marta rewrote ./app.py and fixed #12")
    assert overlap(asked, held) == pytest.approx(2 / 4)
    assert overlap(held, asked) == pytest.approx(2 / 4)
    assert overlap(asked, asked) == 1.0


def test_overlap_with_nothing_is_nothing() -> None:
    some = entities("app.py")
    assert overlap((), some) == overlap(some, ()) == overlap((), ()) == 0.0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Caroline: hi there", "Caroline"),
        ("Babajide: hi there", "Babajide"),
        ("Mary Ann Evans: hello", "Mary Ann Evans"),
        ("Dr. Okonkwo: hello", "Dr. Okonkwo"),
        ("**Marta:** shall we?", "Marta"),
        ("[Jean-Luc]: engage", "Jean-Luc"),
        ("marta: lower-cased chat", "marta"),
        ("user: do it", "user"),
        ("Assistant: done", "assistant"),
        ("HUMAN: hello", "human"),
        ("Error: broken", None),
        ("Note: careful", None),
        ("TODO: later", None),
        ("Next steps: deploy", None),
        ("fix: typo", None),
        ("Improve: wording of the guide", None),
        ("feat(api): new route", None),
        ("https://example.com", None),
        ("Priya said: no", None),
        ("Caroline:", None),
        ("a very long clause that ends with a colon: no", None),
        ("", None),
    ],
)
def test_speaker(text: str, name: str | None) -> None:
    assert speaker(text) == name


# --- properties ---------------------------------------------------------------------------

TRICKY = st.sampled_from(
    "aAbBzZ09_.-/\\:@#+=<>!\"'\u2019`$()[]{}|&;,? \t\n\r\x00éßİΣς日本กี🤖\u0301\u2028\ud800"
)
FRAGMENTS = st.sampled_from(
    [
        "pip install ", "git ", "import ", "from ", " import ", "require('", "use ", "Dr. ",
        "Priya ", "Mark ", "said ", "https://", "@org/", "#12", "ABC-1", "self.", "::", "->", "()",
        "Error", "HTTP 404", "exit code ", "src/", ".py", ":12", "v1.2.3", "Co-authored-by: ",
        "\n", "```", "`", "$ ", "docker compose ", "npm run ", "==1.2", " <a@b", "user: ",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(TRICKY, FRAGMENTS, st.text(max_size=8)), max_size=60).map("".join)


@given(TEXTS, st.integers(-1, 40))
@example("import ,", 32)
@example("O'Brien @ # / . - \\", 32)
@example("--- ... /// @@@ ###", 32)
def test_any_text_gives_bounded_distinct_known_entities(text: str, limit: int) -> None:
    found = entities(text, limit)
    assert len(found) <= max(limit, 0)
    assert len({key(entity) for entity in found}) == len(found)
    for entity in found:
        assert entity.kind in KINDS
        assert entity.name.strip()
    assert found == entities(text, limit)
    assert found == entities(text, 1_000)[: len(found)]


@given(TEXTS)
def test_any_text_has_at_most_a_short_speaker(text: str) -> None:
    name = speaker(text)
    assert name is None or 0 < len(name) <= 40


@given(st.sampled_from((*KINDS, "other")), TEXTS)
@example("file", "././:1:2//")
@example("identifier", "self.(self.__")
@example("person", "@ada's 's")
@example("package", "'-foo_.bar-[x]==1")
def test_a_key_unifies_once_and_for_all(kind: str, name: str) -> None:
    unified = key(Entity(kind, name))
    again = key(Entity(kind, unified.removeprefix(f"{kind}:")))
    assert again == unified


@given(TEXTS)
def test_what_was_found_keeps_its_key_in_upper_case(text: str) -> None:
    for entity in entities(text):
        shouted = Entity(entity.kind, entity.name.upper())
        if entity.name.isascii():
            assert key(shouted) == key(entity)


@given(TEXTS, TEXTS)
def test_overlap_is_a_symmetric_share(first: str, second: str) -> None:
    ours, theirs = entities(first), entities(second)
    assert 0.0 <= overlap(ours, theirs) <= 1.0
    assert overlap(ours, theirs) == overlap(theirs, ours)


# --- hostile texts ------------------------------------------------------------------------

HOSTILE = [
    "a", "A", "aA", "Aa", "_", "a_", "a.", ".", "a-", "-", "a/", "/", "\\", "@", "#", "a@", "a#",
    "a:", ":1", "1.", "1", "ERR_", "Error", "AError ", "pip ", "pip install ", "git ", "import a,",
    "from a ", "import {", "npm run ", "Priya ", "Priya, ", "Aa: ", "Aa ", "Aa van ", "Mc", "a()",
    "()", "https://", "`", "`git ", "$ ", "-r ", "uv run ", "a=", "a==1", "é",
    "日", " ", "\n", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hundred_thousand_hostile_letters_take_linear_time(unit: str) -> None:
    hostile = (unit * 100_000)[:100_000]
    for last in ("", "x", ": "):
        started = time.perf_counter()
        found = entities(hostile + last)
        speaker(hostile + last)
        key(Entity("file", hostile + last))
        key(Entity("identifier", hostile + last))
        overlap(found, found)
        # Half a second at worst on a slow machine; a quadratic pattern takes minutes.
        assert time.perf_counter() - started < 5
