"""Recall by words: names whole and in parts, whatever characters, in every view."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import DAY, HOUR, head, kept, said

from helix.app.facade import Helix
from helix.model.memory import Status
from helix.model.question import View
from helix.model.recollection import Abstained, Recollected, Recollection
from helix.testing.builders import HERE
from helix.testing.clock import SettableClock

OTHERS = (
    "lunch is at noon",
    "the printer is on the second floor",
    "nobody likes the green paint",
)


@pytest.fixture
def among_others(memory: Helix) -> Helix:
    """A memory that holds a few things that answer nothing asked here."""
    for content in OTHERS:
        memory.remember(content)
    return memory


def first(answer: Recollection) -> str:
    """Return what is said first."""
    assert isinstance(answer, Recollected), answer
    return answer.remembered[0].memory.content


@pytest.mark.parametrize(
    ("content", "question"),
    [
        # a name in camel case: whole, in another case, in pieces, and spelled out
        ("getUserById reads the cache", "getUserById"),
        ("getUserById reads the cache", "getuserbyid"),
        ("getUserById reads the cache", "get user by id"),
        ("getUserById reads the cache", "what about get_user_by_id?"),
        ("the user is fetched by getUserById", "user"),
        # a name with underscores
        ("user_by_id is slow", "user_by_id"),
        ("user_by_id is slow", "userById"),
        ("user_by_id is slow", "user by id"),
        ("MAX_RETRY_COUNT is three", "retry count"),
        ("XMLHttpRequest is gone", "http request"),
        # a path: whole, its file, a folder, a word in it
        ("src/app/main.py starts it all", "src/app/main.py"),
        ("src/app/main.py starts it all", "main.py"),
        ("src/app/main.py starts it all", "what is in app?"),
        ("src/app/main.py starts it all", "./src/app/main.py:42"),
        (r"C:\tools\build.bat runs first", "build.bat"),
        # calls, versions, flags, hashes, addresses
        ("foo.bar() raises on empty input", "foo.bar()"),
        ("foo.bar() raises on empty input", "bar"),
        ("python 3.11.7 is required", "3.11.7"),
        ("release v1.2.3 is broken", "1.2.3"),
        ("pass --dry-run first", "dry-run"),
        ("pass --dry-run first", "dryRun"),
        ("commit 3f2a9bc8d7e6f5a4b3c2 broke it", "3f2a9bc"),
        ("CVE-2024-1234 is fixed", "CVE-2024-1234"),
        ("mail ops@example.com when down", "ops@example.com"),
        ("issue #42 stays open", "#42"),
        # symbols that are names
        ("the engine is in C++", "C++"),
        ("the client is in C#", "c#"),
        ("the reports run on .NET", ".net"),
        # words: case, accents, endings
        ("Migrations happen on Friday", "migrate"),
        ("the café closes", "CAFE"),
        ("Größe in bytes", "größe"),
        # scripts without spaces, and beside others
        ("数据库在法兰克福", "数据库"),
        ("設定はHelixを使う", "Helix"),
        ("데이터베이스 연결", "데이터베이스"),
        ("हिन्दी में लिखा", "हिन्दी"),
        # emoji as a word's neighbour, and punctuation of all kinds
        ("shipped🚀 at last", "shipped"),
        ("done🤖", "done"),
        ("[WIP] (draft) {tbd} <todo>", "wip"),
        ("it's the otter's `pond`", "otter"),
        ("say “cheese” now", "cheese"),
        ("a/b/c-otter", "otter"),
    ],
)
def test_a_name_is_found_whole_and_in_parts(
    among_others: Helix, content: str, question: str
) -> None:
    """However a thing was written and however it is asked for, it answers first."""
    among_others.remember(content)
    assert first(among_others.recall(question)) == content


@pytest.mark.parametrize(
    "question",
    [
        "",
        " ",
        "?!",
        "🦉",
        '"',
        "'",
        '"""',
        "()",
        "[]{}",
        "/",
        "\\",
        "*",
        "-",
        "--",
        "^",
        "NOT",
        "AND OR NOT",
        "NEAR(",
        "text:",
        "mark : _all_",
        "_all_",
        "a*",
        "x OR",
        "\x00",
        "\ud800",
        "%",
        ";--",
    ],
)
def test_no_question_breaks_recall(among_others: Helix, question: str) -> None:
    """A question with nothing to look for is an abstention, not an error."""
    answer = among_others.recall(question)
    assert isinstance(answer, Abstained)
    assert answer.reason


def test_a_question_of_ten_thousand_letters(among_others: Helix) -> None:
    """A pasted page is a question too, and its telling words count."""
    among_others.remember("kubectl drains the node")
    filler = "and then something else happened " * 300
    question = f"{filler} kubectl {filler}"
    assert len(question) > 10_000
    assert first(among_others.recall(question)) == "kubectl drains the node"


def test_a_memory_of_ten_thousand_letters(among_others: Helix) -> None:
    """A long text is found by a word at its very end."""
    content = "the log says nothing of interest " * 320 + "xylophone"
    assert len(content) > 10_000
    among_others.remember(content)
    assert first(among_others.recall("xylophone")) == content


def test_an_exact_phrase_in_quotes(among_others: Helix) -> None:
    """A quoted phrase puts the text that has these words in a row first."""
    among_others.remember("push to main by force is forbidden")
    among_others.remember("never force push to main")
    assert first(among_others.recall('"force push"')) == "never force push to main"


def test_stop_words_do_not_answer(among_others: Helix) -> None:
    """Words that stand in every text find nothing by themselves beside a telling one."""
    among_others.remember("otters hold hands")
    assert said(among_others.recall("where is the otter?")) == {"otters hold hands"}


def test_what_is_not_known_is_said_so(among_others: Helix) -> None:
    """Memory that does not know abstains, with a reason and the scope it looked in."""
    answer = among_others.recall("zeppelin")
    assert isinstance(answer, Abstained)
    assert answer.scope == HERE.scope
    assert answer.reason


def test_an_answer_says_how_it_fits(among_others: Helix) -> None:
    """The best fits with 1.0, the others with less, and each says which words found it."""
    among_others.remember("redis caches the sessions")
    among_others.remember("redis and postgres store the sessions of users")
    answer = among_others.recall("redis postgres sessions users")
    assert isinstance(answer, Recollected)
    fits = [each.fit for each in answer.remembered]
    assert fits[0] == 1.0
    assert fits == sorted(fits, reverse=True)
    assert "postgres" in answer.remembered[0].matched


def test_a_limit_is_kept(memory: Helix) -> None:
    """Never more answers than asked for."""
    for number in range(30):
        memory.remember(f"otter number {number} swims")
    for limit in (1, 7, 30):
        answer = memory.recall("otter", limit=limit)
        assert isinstance(answer, Recollected)
        assert len(answer.remembered) <= limit
        assert len(answer.remembered) >= 1


def test_asking_changes_nothing(among_others: Helix) -> None:
    """Recall is read-only: nothing is recorded, and the same question gives the same answer."""
    before = head(among_others)
    answers = [among_others.recall("printer floor") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert head(among_others) == before


# Views.


@pytest.fixture
def eventful(memory: Helix, clock: SettableClock) -> Helix:
    """Otters that are held, replaced, forgotten, expired, ended and yet to come."""
    replaced = kept(memory.remember("replaced otter"))
    forgotten = kept(memory.remember("forgotten otter"))
    memory.remember("held otter")
    memory.remember("ended otter", valid_to=clock.now() + HOUR)
    memory.remember("expired otter", expires_at=clock.now() + HOUR)
    memory.remember("coming otter", valid_from=clock.now() + 9 * DAY)
    clock.move(DAY)
    memory.correct(replaced.id, "replacing otter")
    memory.forget(forgotten.id)
    return memory


def test_the_current_view(eventful: Helix) -> None:
    """By default only what holds now answers, in the deep view too while nothing is archived."""
    assert said(eventful.recall("otter")) == {"held otter", "replacing otter"}
    assert said(eventful.recall("otter", view="deep")) == {"held otter", "replacing otter"}


def test_the_history_view(eventful: Helix) -> None:
    """History adds what was replaced, what ended and what is to come, but not the forgotten."""
    assert said(eventful.recall("otter", view=View.HISTORY)) == {
        "held otter", "replacing otter", "replaced otter", "ended otter", "expired otter",
        "coming otter",
    }  # fmt: skip


def test_what_was_true_on_a_day(eventful: Helix, clock: SettableClock) -> None:
    """Asked for a day, what held on that day answers."""
    yesterday = clock.now() - DAY + timedelta(minutes=1)
    assert said(eventful.recall("otter", true_on=yesterday)) == {
        "held otter", "replaced otter", "ended otter", "expired otter",
    }  # fmt: skip
    later = clock.now() + 30 * DAY
    expected = {"held otter", "replacing otter", "coming otter"}
    assert said(eventful.recall("otter", true_on=later)) == expected


def test_what_was_believed_on_a_day(eventful: Helix, clock: SettableClock) -> None:
    """Asked what was believed on a day, later corrections and forgettings have not happened."""
    yesterday = clock.now() - DAY + timedelta(minutes=1)
    assert said(eventful.recall("otter", believed_on=yesterday)) == {
        "held otter", "replaced otter", "forgotten otter", "ended otter", "expired otter",
    }  # fmt: skip


def test_both_axes_at_once(eventful: Helix, clock: SettableClock) -> None:
    """What was believed yesterday about next month."""
    yesterday = clock.now() - DAY + timedelta(minutes=1)
    answer = eventful.recall("otter", true_on=clock.now() + 30 * DAY, believed_on=yesterday)
    assert said(answer) == {"held otter", "replaced otter", "forgotten otter", "coming otter"}


def test_before_anything_was_recorded(eventful: Helix, clock: SettableClock) -> None:
    """Nothing was believed before the first record."""
    assert said(eventful.recall("otter", believed_on=clock.now() - 9 * DAY)) == set()


def test_a_future_expiry_ends_on_its_day(memory: Helix, clock: SettableClock) -> None:
    """What expires answers until the moment of its expiry, and not at it."""
    expiry = clock.now() + DAY
    memory.remember("a token for a day", expires_at=expiry)
    assert said(memory.recall("token", true_on=expiry - timedelta(microseconds=1)))
    assert not said(memory.recall("token", true_on=expiry))


def test_types_narrow_an_answer(memory: Helix) -> None:
    """Only the types asked for answer, episodes included."""
    memory.remember("otters are a fact")
    memory.remember("otters were decided", type="decision")
    memory.capture("otters were seen")
    assert said(memory.recall("otters", types=["decision"])) == {"otters were decided"}
    both = {"otters were seen", "otters are a fact"}
    assert said(memory.recall("otters", types=["episode", "fact"])) == both


def test_statuses_can_be_listed_on_purpose(eventful: Helix) -> None:
    """A list of other statuses ignores validity, newest first."""
    assert [each.content for each in eventful.list(statuses=[Status.FORGOTTEN])] == [
        "forgotten otter"
    ]
    superseded = eventful.list(statuses=["superseded"])
    assert [each.content for each in superseded] == ["replaced otter"]


def test_every_scope_is_searched_with_one_measure(seen_from: Opener) -> None:
    """The better text answers first, whether it is the project's or global."""
    here, there = seen_from(), seen_from(HERE.in_scope("project:there"))
    here.remember("the gateway timeout is thirty seconds", everywhere=True)
    here.remember("timeout of tests")
    there.remember("the gateway timeout is one second")
    assert first(here.recall("gateway timeout")) == "the gateway timeout is thirty seconds"
