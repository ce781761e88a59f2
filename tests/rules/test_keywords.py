"""Keywords: what a text names first, then its telling words; the same every time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.keywords import keywords
from helix.rules.words import STOP_WORDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Priya found that src/app/queue.py retries getJob() forever",
            ("Priya", "src/app/queue.py", "getJob()", "retries", "forever"),
        ),
        (
            "The migration failed because the migration lock was never released.",
            ("migration", "released", "failed", "lock"),
        ),
        ("Use uv instead of pip", ("pip",)),
        ("Run `git rebase -i` before the review", ("git rebase", "review", "run")),
        ("it is what it is", ()),
        ("", ()),
    ],
)
def test_keywords(text: str, expected: tuple[str, ...]) -> None:
    assert keywords(text) == expected


def test_names_come_before_words_however_often_words_are_repeated() -> None:
    found = keywords("deploy deploy deploy deploy with settings.py")
    assert found[:2] == ("settings.py", "deploy")


def test_a_list_of_files_still_gets_a_topic() -> None:
    files = " ".join(f"file{n}.py" for n in range(20))
    found = keywords(f"authentication refactoring: {files}")
    assert len(found) == 8
    assert found[-2:] == ("authentication", "refactoring")


def test_a_word_inside_a_name_is_not_said_twice() -> None:
    assert "rebase" not in keywords("`git rebase` and rebase again")


def test_versions_and_addresses_tell_nothing_alone() -> None:
    assert keywords("v1.2.3 https://example.com/a") == ()


def test_frequent_and_long_words_go_first_and_equals_stay_in_order() -> None:
    found = keywords("cache cache cache queue worker timeout")
    assert found == ("cache", "timeout", "worker", "queue")


@pytest.mark.parametrize("limit", [-1, 0, 1, 2, 5])
def test_a_limit_is_kept(limit: int) -> None:
    text = "Priya moved the authentication service to billing_worker and app.py yesterday"
    assert len(keywords(text, limit)) == max(limit, 0)


TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from("aAbB09_./:@#`'\u2019 \n\x00éßİ日🤖\ud800")),
    max_size=200,
)


@given(TEXTS, st.integers(-1, 20))
def test_any_text_gives_bounded_distinct_keywords(text: str, limit: int) -> None:
    found = keywords(text, limit)
    assert len(found) <= max(limit, 0)
    assert len(set(found)) == len(found)
    assert STOP_WORDS.isdisjoint(found)
    assert found == keywords(text, limit)


@pytest.mark.parametrize("unit", ["a", "Aa ", "ab ", "a'", "a_b ", "日", " ", "x.py ", "\ud800"])
def test_a_hundred_thousand_hostile_letters_take_linear_time(unit: str) -> None:
    hostile = (unit * 100_000)[:100_000]
    started = time.perf_counter()
    keywords(hostile)
    assert time.perf_counter() - started < 5
