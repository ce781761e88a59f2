"""Names are found whole, in pieces and in their other spellings; nothing breaks the index."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from helix.rules import words
from helix.rules.words import (
    EXTRA_WORDS_LIMIT,
    PHRASES_LIMIT,
    STOP_WORDS,
    parts,
    query_words,
    quoted_phrases,
)

TOKENIZER = "porter unicode61 remove_diacritics 2 tokenchars '_'"


class WordIndex:
    """The word index as Helix makes it, in memory."""

    def __init__(self) -> None:
        self._db = apsw.Connection(":memory:")
        self._db.execute(
            f'CREATE VIRTUAL TABLE words USING fts5(text, parts, tokenize="{TOKENIZER}")'
        )

    def add(self, text: str) -> int:
        self._db.execute("INSERT INTO words VALUES (?, ?)", (text, parts(text)))
        return self._db.last_insert_rowid()

    def clear(self) -> None:
        self._db.execute("DELETE FROM words")

    def ask(self, question: str) -> list[str]:
        return self.match(" OR ".join(f'"{word}"' for word in query_words(question)))

    def match(self, expression: str) -> list[str]:
        rows = self._db.execute(
            "SELECT text FROM words WHERE words MATCH ? ORDER BY bm25(words)", (expression,)
        )
        return [str(row[0]) for row in rows]


@pytest.fixture
def index() -> WordIndex:
    return WordIndex()


def filled(index: WordIndex, texts: Iterable[str]) -> WordIndex:
    for text in texts:
        index.add(text)
    return index


# --- the words themselves -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "extra"),
    [
        ("getUserById", "get user by id"),
        ("get_user_by_id", "get user by id getuserbyid"),
        ("MAX_RETRY_COUNT", "max retry count maxretrycount"),
        ("HTTPServer2", "http server 2"),
        ("getURLs", "get urls"),
        ("__init__", "init"),
        ("parse_HTTPHeader", "parse httpheader http header parsehttpheader"),
        ("src/app/main.py", "src_app_main_py main_py"),
        (r"C:\Users\me", "c_users_me"),
        ("3.11.7", "3_11_7"),
        ("v1.2.3", "v1_2_3 1_2_3"),
        ("CVE-2024-1234", "cve_2024_1234"),
        ("foo.bar()", "foo_bar"),
        ("a::b", "a_b"),
        ("ptr->field", "ptr_field"),
        ("pkg/name@1.2.3", "pkg_name_1_2_3 1_2_3"),
        ("--dry-run", "dry_run dryrun"),
        ("https://example.com/a?b=1", "https_example_com_a_b_1 example_com"),
        ("app.UserService.getById", "app_userservice_getbyid user service get by id"),
        ("C++ C# F# .NET", "cplusplus csharp fsharp dotnet"),
        ("C++17", "cplusplus"),
        ("用C++写", "cplusplus 用 写"),
        ("4f9d0c1b2a3e4f5061728394a5b6c7d8e9f00112", "4f9d0c1"),
        ("k8s i18n x86 v2", ""),
        ("AA¹Bb", ""),
        ("日本語", "日本 本語"),
        ("猫 dog", "猫"),
        ("Helixを使う", "helix を使 使う"),
        ("done🤖", "done"),
        ("It is (simple), isn't it? Yes: 3 words.", ""),
        ("", ""),
    ],
)
def test_extra_words(text: str, extra: str) -> None:
    assert parts(text) == extra


def test_each_extra_word_is_given_once() -> None:
    assert parts("getUser setUser get_user").split() == ["get", "user", "set", "getuser"]


def test_extra_words_are_bounded() -> None:
    many = " ".join(f"alpha{chr(97 + n % 26)}Beta{n}" for n in range(5_000))
    assert len(parts(many).split()) == EXTRA_WORDS_LIMIT


def test_names_come_before_letter_pairs_so_that_a_long_text_keeps_them() -> None:
    chinese = "".join(map(chr, range(0x4E00, 0x4E00 + EXTRA_WORDS_LIMIT + 500)))
    assert "get" in parts(chinese + " getUser").split()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do we deploy the API?", ("deploy", "api")),
        ("what is it", ("what", "is", "it")),
        ("", ()),
        ("?!… 🚀 \x00", ()),
        ("C++", ("cplusplus",)),
        ("C", ("c",)),
        ("Why ___ and _", ("why", "and")),
        ("getUserById", ("getuserbyid", "get", "user", "id")),
        ("naïve café", ("naïve", "café")),
        ("1️⃣ ❤️love", ("1", "love")),
        ("हिन्दी", ("हिन्दी",)),
        ("\ud800lone\udfff", ("lone",)),
    ],
)
def test_words_of_a_question(question: str, expected: tuple[str, ...]) -> None:
    assert query_words(question) == expected


def test_over_the_limit_names_go_before_plain_words_and_long_before_short() -> None:
    question = "cat elephant get_user_by_id dog rhinoceros"
    assert query_words(question, limit=2) == ("get_user_by_id", "getuserbyid")
    assert "rhinoceros" in query_words(question, limit=6)
    assert "dog" not in query_words(question, limit=6)
    assert query_words(question, limit=0) == ()


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ('find "append only" and "The Ledger"', ("append only", "the ledger")),
        ("“curly quotes” too", ("curly quotes",)),
        ('never "closed', ()),
        ('"" " " "?!"', ()),
        ('"same" "SAME"', ("same",)),
        ('"src/app/main.py"', ("src app main py",)),
    ],
)
def test_quoted_phrases(question: str, phrases: tuple[str, ...]) -> None:
    assert quoted_phrases(question) == phrases


def test_quoted_phrases_are_bounded() -> None:
    assert len(quoted_phrases(" ".join(f'"p{n}"' for n in range(99)))) == PHRASES_LIMIT


# --- through a real index -----------------------------------------------------------------

NOISE = ("we had lunch in the garden", "the weather was fine all week")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("call getUserById first", "getUserById"),
        ("call getUserById first", "get_user_by_id"),
        ("call getUserById first", "user id"),
        ("call get_user_by_id first", "getUserById"),
        ("call get_user_by_id first", "get_user_by_id"),
        ("call get_user_by_id first", "which user?"),
        ("call get-user-by-id first", "get_user_by_id"),
        ("set MAX_RETRY_COUNT to 5", "retry"),
        ("set MAX_RETRY_COUNT to 5", "maxRetryCount"),
        ("edit src/app/main.py", "src/app/main.py"),
        ("edit src/app/main.py", "main.py"),
        ("edit src/app/main.py", "what is in app?"),
        ("edit UserService.java", "user service"),
        ("foo.bar() raises", "foo.bar()"),
        ("foo.bar() raises", "bar"),
        ("std::vector is fine", "std::vector"),
        ("needs Python 3.11.7", "3.11.7"),
        ("fixes CVE-2024-1234", "CVE-2024-1234"),
        ("run with --dry-run", "dryRun"),
        ("install lodash@4.17.21", "4.17.21"),
        ("released v1.2.3", "1.2.3"),
        ("reverted in 4f9d0c1b2a3e4f50", "4f9d0c1b2a"),
        ("written in C++", "C++"),
        ("written in C#", "c#"),
        ("a .NET service", ".net"),
        ("設定ファイルを変更しました", "設定"),
        ("設定ファイルを変更しました", "ファイルの変更"),
        ("我们决定使用数据库", "数据库"),
        ("데이터베이스를 옮겼다", "데이터베이스"),
        ("ภาษาไทยใช้ได้", "ภาษาไทย"),
        ("Helixを使う", "helix"),
        ("使用C++编写", "C++"),
        ("all tests green🤖", "green"),
        ("le café est fermé", "CAFE"),
    ],
)
def test_a_name_finds_its_other_spellings(index: WordIndex, text: str, question: str) -> None:
    filled(index, [*NOISE, text])
    assert index.ask(question) == [text]


def test_the_exact_name_ranks_before_texts_that_share_its_parts(index: WordIndex) -> None:
    exact, loose = "call getUserById here", "get the user by an id"
    filled(index, [loose, exact, *NOISE])
    assert index.ask("getUserById") == [exact, loose]
    path, other = "see src/app/main.py", "the main app of src in py"
    filled(index, [other, path])
    assert index.ask("src/app/main.py")[0] == path


def test_a_version_ranks_before_the_same_numbers_elsewhere(index: WordIndex) -> None:
    filled(index, ["7 of 11 tests in 3 files", "we run 3.11.7 now", *NOISE])
    assert index.ask("3.11.7")[0] == "we run 3.11.7 now"


def test_asking_for_cplusplus_does_not_find_c(index: WordIndex) -> None:
    filled(index, ["the kernel is written in C", "the engine is written in C++"])
    assert index.ask("C++") == ["the engine is written in C++"]


def test_quoted_phrases_match_exactly(index: WordIndex) -> None:
    filled(index, ["the ledger is append only", "only append to the ledger"])
    (phrase,) = quoted_phrases('what is "append only"?')
    assert index.match(f'"{phrase}"') == ["the ledger is append only"]


# --- properties ---------------------------------------------------------------------------

# SQLite takes these few letters (New Tai Lue vowels, Vedic signs) for marks, and lone
# surrogates cannot be stored at all.
STORABLE = st.characters(
    exclude_categories=["Cs"],
    exclude_characters="".join(map(chr, [*range(0x19B0, 0x19C1), 0x19C8, 0x19C9, 0x1CF2, 0x1CF3])),
)
TRICKY = st.sampled_from(
    "aAzZ09_._-/\\:@#+=\"'“”*()^ \t\n\x00éßẞİΣς日本のカ한글กี่हिन्🤖🚀\u0301\u200d\ufe0f\u2066C+#NET"
)
TEXTS = st.text(st.one_of(TRICKY, STORABLE), max_size=60)
ANY_TEXT = st.text(st.one_of(TRICKY, st.characters()), max_size=200)


@given(ANY_TEXT)
def test_no_text_breaks_anything(text: str) -> None:
    for word in [*parts(text).split(" "), *query_words(text)]:
        assert not re.search(r'["\s\x00]', word)
        word.encode()
    for phrase in quoted_phrases(text):
        assert '"' not in phrase


@given(ANY_TEXT)
def test_extra_words_are_the_same_every_time_and_distinct(text: str) -> None:
    extra = parts(text).split()
    assert extra == parts(text).split()
    assert len(extra) == len(set(extra))


@given(ANY_TEXT)
def test_the_quick_check_never_hides_an_extra_word(text: str) -> None:
    if words._HINT.search(text) is None:
        assert [word for words_ in words._derived(text) for word in words_ if word] == []


@given(ANY_TEXT, st.integers(-1, 10))
def test_a_limit_only_shortens(text: str, limit: int) -> None:
    everything = query_words(text, limit=10_000)
    some = query_words(text, limit)
    assert len(some) == min(max(limit, 0), len(everything))
    assert [word for word in everything if word in some] == list(some)


@given(ANY_TEXT)
def test_stop_words_are_asked_for_only_when_nothing_else_is_left(text: str) -> None:
    found = set(query_words(text, limit=10_000))
    assert not found & STOP_WORDS or found <= STOP_WORDS


@settings(max_examples=400, deadline=None)
@given(TEXTS)
@example("🤖使用C++.NETを使う")
@example("ΟΔΟΣ İstanbul ẞ \u1c90 \u13a0")
@example("ca\u0301fe🤖 e\u0301E cafe\u0301Bar")
@example("हिन🤖 हिन्दी। हि🤖न")
def test_a_text_is_found_by_each_of_its_own_words(text: str) -> None:
    index = WordIndex()
    index.add(text)
    for word in query_words(text, limit=10_000):
        assert index.match(f'"{word}"') == [text], word


IDENTIFIER_WORDS = st.lists(
    st.text("bcdfghjklmnpqrtuvwxyz", min_size=2, max_size=8), min_size=2, max_size=5
)


@settings(max_examples=100, deadline=None)
@given(IDENTIFIER_WORDS)
def test_every_spelling_of_a_name_finds_every_other(pieces: list[str]) -> None:
    camel = pieces[0] + "".join(piece.title() for piece in pieces[1:])
    spellings = [camel, "_".join(pieces), "-".join(pieces), "_".join(pieces).upper()]
    index = filled(WordIndex(), spellings)
    for spelling in spellings:
        assert sorted(index.ask(spelling)) == sorted(spellings)


# --- hostile texts ------------------------------------------------------------------------

HOSTILE = [
    "a", "A", "aA", "_", "a_", "a.", ".", "a-", "a/", "日", "C#", "C+", ".net", "0", "0a", '"', "“",
    "\u0301", "\u0300\u0316", "🤖", "a🤖", "ก\u0e35", "a.b ", "aaA ", "Aa1", "::", "\ud800", "\x00",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hundred_thousand_hostile_letters_take_linear_time(unit: str) -> None:
    hostile = (unit * 100_000)[:100_000]
    for last in ("", "x", "."):
        started = time.perf_counter()
        parts(hostile + last)
        query_words(hostile + last)
        quoted_phrases(hostile + last)
        # About 0.4 s at worst on a slow machine; a quadratic pattern takes minutes.
        assert time.perf_counter() - started < 5


# --- SQLite's view of Unicode, compared for every character --------------------------------


def tokens_of(text: str) -> list[str]:
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer(
        "unicode61", ["remove_diacritics", "2", "tokenchars", "_"]
    )
    found = tokenizer(
        text.encode(),
        apsw.FTS5_TOKENIZE_DOCUMENT,
        None,
        include_offsets=False,
        include_colocated=False,
    )
    return [str(token) for token in found]


def every_character() -> Iterator[str]:
    return (chr(n) for n in range(1, 0x110000) if not 0xD800 <= n < 0xE000)


def test_every_character_sqlite_may_take_for_a_letter_is_known() -> None:
    """A character that joins words for SQLite and not for Python is in the doubtful ranges."""
    known = re.compile(rf"[\w{words._DOUBTFUL}]")
    sure = [letter for letter in every_character() if not known.match(letter)]
    assert tokens_of(" ".join(f"qz{letter}zq" for letter in sure)) == ["qz", "zq"] * len(sure)


def test_every_letter_that_makes_pairs_is_a_letter_to_sqlite() -> None:
    """A pair of two such letters is one word in the index."""
    unspaced = re.compile(f"[{words._UNSPACED}]")
    letters = [letter for letter in every_character() if unspaced.match(letter)]
    assert len(tokens_of(" ".join(letters))) == len(letters)
    assert len(tokens_of("".join(letters))) == 1


def test_lower_casing_never_changes_what_sqlite_sees() -> None:
    letters = [letter for letter in every_character() if letter.isalpha()]
    folded = " ".join(map(words._folded, letters))
    assert tokens_of(folded) == tokens_of(" ".join(letters))
