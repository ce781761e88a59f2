"""A made-up project for `helix demo`: rules, a decision record, a session, a few commits."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

AGENTS_MD = """\
# Working on Tidepool

## Commands

- Run the tests with `make check`; plain pytest misses the fixtures.
- Migrations are generated with `make migration NAME=...`, never by hand.

## Style

- Public functions carry type hints and one sentence of docstring.
- Amounts of money are integers in cents; floats are refused in review.
"""

RECORD = """\
# 2. Queue jobs in Postgres, not in Redis

Date: 2026-03-04

## Status

Accepted

## Context

Two outages in February came from Redis losing jobs when it restarted. We already run Postgres.

## Decision

Jobs are rows in the table `job`, taken with SKIP LOCKED. Redis is used for caching only.
"""

COMMITS = (
    ("2026-01-12", "Ines", "Start Tidepool", "", "README.md"),
    ("2026-01-20", "Ines", "Use Redis for the job queue", "Fast to begin with.", "jobs.py"),
    ("2026-02-11", "Omar", "Retry jobs that Redis lost", "Second outage this month.", "jobs.py"),
    (
        "2026-03-05", "Ines", "Switch to Postgres for the job queue",
        "Redis lost jobs on restart; rows with SKIP LOCKED do not get lost.", "jobs.py",
    ),
    ("2026-04-02", "Omar", "Round invoices per line", "Agreed with accounting.", "invoice.py"),
    (
        "2026-05-18", "Ines", "Drop support for Python 3.10",
        "The task groups of 3.11 replace our own.", "pyproject.toml",
    ),
)  # fmt: skip


def _said(role: str, content: object, second: int) -> dict[str, object]:
    return {
        "type": role,
        "uuid": f"demo-{second}",
        "sessionId": "demo-session",
        "timestamp": f"2026-06-01T09:00:{second:02d}Z",
        "message": {"role": role, "content": content},
    }


SESSION = (
    _said("user", "The invoice tests fail since this morning, please find out why", 1),
    _said(
        "assistant",
        [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make check"}}],
        2,
    ),
    _said(
        "user",
        [
            {
                "type": "tool_result", "tool_use_id": "t1", "is_error": True,
                "content": "Exit code 2\nTIDEPOOL_TZ is not set: invoice dates are ambiguous",
            }
        ],
        3,
    ),
    _said(
        "assistant",
        [{"type": "text", "text": "The tests need TIDEPOOL_TZ=UTC; it is in .env.example now."}],
        4,
    ),
)  # fmt: skip


def write(folder: Path) -> list[Path]:
    """Write the project, and return what there is to import; git history if git is there."""
    (folder / "docs" / "adr").mkdir(parents=True)
    rules = folder / "AGENTS.md"
    record = folder / "docs" / "adr" / "0002-queue-jobs-in-postgres.md"
    session = folder / "session.jsonl"
    rules.write_text(AGENTS_MD, encoding="utf-8")
    record.write_text(RECORD, encoding="utf-8")
    session.write_text("\n".join(map(json.dumps, SESSION)) + "\n", encoding="utf-8")
    if shutil.which("git"):
        _commit(folder)
    return [rules, record, session]


def _commit(folder: Path) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*arguments: str, **more: str) -> None:
        subprocess.run(
            ["git", "-C", str(folder), *arguments], check=True, env=environment | more,
            capture_output=True,
        )  # fmt: skip

    git("init", "-q", "-b", "main")
    for day, author, subject, body, file in COMMITS:
        with (folder / file).open("a", encoding="utf-8") as changed:
            changed.write(f"{subject}\n")
        git("add", file)
        name = f"{author.lower()}@tidepool.example"
        who = {f"GIT_{each}_{part}": value for each in ("AUTHOR", "COMMITTER") for part, value in
               (("NAME", author), ("EMAIL", name), ("DATE", f"{day}T10:00:00Z"))}  # fmt: skip
        message = f"{subject}\n\n{body}" if body else subject
        git("commit", "-q", "-m", message, **who)
