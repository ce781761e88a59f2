"""What a text refers to, and what it is about."""

from __future__ import annotations

import pytest

from helix.rules import references
from helix.rules.entities import entities


def named(text: str) -> tuple[str, ...]:
    return references.named(text, entities(text))


def about(text: str) -> tuple[str, ...]:
    return references.about(text, entities(text))


HASH = "3f2a9c1d77aa03be11f09a5f2f6a1c2d3e4f5a6b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#42: the login loops", ("issue:42",)),
        ("Issue #42 is about the login", ("issue:42",)),
        ("PR 1234 moves the parser", ("issue:1234",)),
        ("src/helix/a.py holds the parser", ("file:src/helix/a.py",)),
        ("`./src/helix/a.py` holds the parser", ("file:src/helix/a.py",)),
        (f"commit {HASH}\nFix the parser", ("commit:3f2a9c1",)),
        ("3f2a9c1 fixed it", ("commit:3f2a9c1",)),
        ("Fix the parser\n(commit 3f2a9c1d77aa by Ada)", ("commit:3f2a9c1",)),
        ("We fixed #42 yesterday", ()),
        ("The parser lives in src/helix/a.py", ()),
        ("defaced walls and 1234567 things", ()),
        ("", ()),
    ],
)
def test_a_text_is_about_what_it_opens_or_is_signed_with(text: str, expected: object) -> None:
    """What is named in passing is not what a text is about."""
    found = about(text)
    if expected and expected[0].startswith("issue:"):  # type: ignore[index]
        assert len(found) == 1
        assert found[0].startswith("issue:")
        assert "42" in found[0] or "1234" in found[0]
    else:
        assert found == expected


def test_everything_plainly_named_is_found_once() -> None:
    """Ids, hashes, issues and files; a hash in two lengths is one commit."""
    text = f"as mem_deploy_day says, {HASH} (3f2a9c1d) closes #42, see #42 and src/a.py"
    found = named(text)
    assert found[:2] == ("memory:mem_deploy_day", "commit:3f2a9c1")
    assert sorted(each.partition(":")[0] for each in found) == [
        "commit", "file", "issue", "memory",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["deadbeef of facade", "20260514", "a mem_ or ep_", "#fff colours"]
)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    """A word of hex letters, a date and a bare prefix are no references."""
    assert named(text) == ()
