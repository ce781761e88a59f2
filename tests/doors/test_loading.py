"""What is shown fetches nothing: read by a real Markdown renderer, with HTML let through."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.doors.browsing import ATTACKS, PIECES, what_loads

from helix.doors.neutral import neutral


@pytest.mark.parametrize("text", ATTACKS)
def test_nothing_is_fetched_however_its_address_is_spelled(text):
    """Escapes, entities, blanks, quotes and definitions lead nowhere either."""
    assert what_loads(neutral(text)) == []
    assert neutral(neutral(text)) == neutral(text)


@given(st.lists(PIECES, max_size=14).map("".join))
@example("<x\n> =y>")
@example("[x]:\n> \n> https://e.example\n\n![x]")
def test_nothing_is_fetched_however_it_is_put_together(text):
    """Neither as Markdown, with and without HTML, nor as HTML alone."""
    shown = neutral(text)
    assert what_loads(shown) == []
    assert neutral(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "List<String> names = new ArrayList<>();",
        "Map<String, List<Image>>",
        "if a <b",
        "a < b and c = d",
        "x[i](y)",
        "arr[0](1)",
        "handlers[name](event, *args)",
        'calls["a"]("b:c")',
        "def first(of: list[int]) -> list[int]:\n    return of",
        "[main]: warning: unused variable",
        "#include <stdio.h>",
        "std::vector<std::string> names = of(x);",
        "parse :: Text -> Maybe Int; f <$> x <*> y",
        "Alice <alice@e.example>",
        "see https://e.example/docs and [the notes](docs/a-b_c.md#part)",
        "![a diagram](../images/life.svg 'how it ends')",
        "[top](#top) [root](/docs/x.md) [query](?a=b) [none]()",
        "[notes]: docs/notes.md",
        "- [ ] to do: `git commit -m <message> --author=<name>`",
    ],
)
def test_what_loads_nothing_stays_as_it_is(text):
    """Code, addresses in plain sight and links within the project keep every letter."""
    assert neutral(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("for (i = 0; i<n; i += 1)", "for (i = 0; i< n; i += 1)"),
        ('<Button onClick="go">', '< Button onClick="go">'),
        ("<!-- unseen -->", "< !-- unseen -->"),
        ("[x]: https://e.example", "[x] : https://e.example"),
        ("<https://e.example>", "< https://e.example>"),
        (r"![b](https\://e.example/b.png)", r"![b] (https\://e.example/b.png)"),
    ],
)
def test_what_might_load_gets_a_blank(text, shown):
    """One blank, so that words and code can still be read."""
    assert neutral(text) == shown


@pytest.mark.parametrize("piece", ["<a", "](", "]:\n> ", "<a:", "](a", "> \n", "[x](", "<a =", "&"])
def test_many_beginnings_are_read_in_one_go(piece):
    """Whoever writes a hundred thousand of them must not keep a door busy."""
    began = time.process_time()
    neutral(piece * 100_000)
    assert time.process_time() - began < 3
