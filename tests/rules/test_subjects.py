"""A name is found however it is spelt, and not inside another word."""

import time
import unicodedata

import pytest

from helix.rules.subjects import Subject

DECOMPOSED = unicodedata.normalize("NFD", "Zoë Müller")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Alice Example", "asked Alice  Example about it"),
        ("Alice Example", "asked Alice\nExample about it"),
        ("Alice\tExample", "asked Alice Example about it"),
        ("Alice Example", "ALICE EXAMPLE"),
        ("Alice", "user_alice_home"),
        ("Alice", "Aliceさんに聞いた"),
        ("Alice", "Alice는 누구"),
        ("Zoë Müller", f"by {DECOMPOSED}."),
        (DECOMPOSED, "by Zoë Müller."),
        ("Straße", "in der STRASSE"),
        ("\uff46\uff55\uff4c\uff4c", "a full name"),
        ("O'Brien", "O\u2019Brien said so"),
        ("王芳", "昨天王芳提交了代码"),
        ("田中太郎", "担当は田中 太郎さん"),
        ("田中 太郎", "担当は田中太郎さん"),
        ("김철수", "어제 김철수가 말했다"),
        ("สมชาย", "คุณสมชายบอกว่า"),
        ("राम", "कल राम आया"),
        ("C:\\Users\\bob", "in C:\\Users\\bob\\x"),
        ("alal", "alalal alal"),
        ("Bob (ops)", "ask Bob (ops)!"),
    ],
)
def test_the_same_name_in_another_spelling(subject, text):
    """Case, form, spacing and line breaks do not count."""
    assert Subject(subject).is_usable
    assert Subject(subject).is_named_in(["", text])


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Ali", "Alice"),
        ("Alice", "Malice"),
        ("Alice", "Alices"),
        ("Alice", "Alice2"),
        ("Jose", "José"),
        ("राम", "रामायण"),
        ("राम", "रामा"),
        ("Alice Example", "AliceExample"),
        ("Alice Example", "Alice, Example"),
        ("철수", "김철수가"),
        ("a.b.c", "axbxc"),
    ],
)
def test_what_only_looks_like_it(subject, text):
    """A name inside another word is another word."""
    assert not Subject(subject).is_named_in([text])


@pytest.mark.parametrize("subject", ["", "Al", "王", "...", "--- -", "A!", "x" * 201])
def test_a_name_that_says_too_little_or_too_much(subject):
    """It would be found everywhere, or nowhere."""
    assert not Subject(subject).is_usable


def test_a_text_made_to_be_slow_is_read_in_time():
    """Runs of combining marks take quadratic time to put in order, unless they are cut."""
    marks = "a" + "\u0327\u0301" * 100_000
    began = time.process_time()
    assert not Subject("Alice").is_named_in([marks, "ali " * 50_000])
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        "Malice Examples", "class AliceExample", "@alice.example", "mem_alice_example_asked",
        "Alice, Example", "ALICÉ EXAMPLE", "Alice\nExample",
    ],
)  # fmt: skip
def test_letters_that_only_might_be_the_name_are_seen(text):
    """Whatever an index makes of a text, it keeps the letters in their order."""
    assert Subject("Alice Example").might_be_in(["", text])
    assert not Subject("Alice Example").might_be_in([text.lower().replace("x", "k")])


def test_the_spellings_are_those_that_were_written():
    """And those that were asked for; a plain word, or a very short name, is no needle."""
    texts = ["ask ALICE  EXAMPLE", "alice\nExample", "Malice Examples"]
    assert Subject("Alice Example").spellings(texts) == {
        "ALICE  EXAMPLE", "alice\nExample", "alice Example", "Alice Example", "alice example",
    }  # fmt: skip
    assert Subject("Alice").spellings(["Alice", "alice"]) == frozenset()
    assert Subject("o'b x").spellings([]) == frozenset()
