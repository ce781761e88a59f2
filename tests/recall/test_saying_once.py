"""What counts as saying the same: case and sentence marks do not matter, signs that mean do."""

import pytest

from helix.recall.diversity import gist


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Updated README", "updated README."),
        ("Use `pnpm`, never npm!", "use pnpm never npm"),
        ('He said "no".', "he said no"),
        ("- run the tests", "run the tests"),
        ("Run the (unit) tests", "run the unit tests"),
        ("wait \u2014 then deploy", "Wait \u2013 then deploy;"),
        ("It\u2019s done", "it's done"),
    ],
)
def test_the_same_said_twice(one, other):
    assert gist(one) == gist(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use C", "use C++"),
        ("use C", "use C#"),
        ("retry if a == b", "retry if a != b"),
        ("keep x < 5", "keep x > 5"),
        ("the offset is -5", "the offset is 5"),
        ("install to .venv", "install to venv"),
        ("version 1.5", "version 1 5"),
        ("git push --force", "git push force"),
        ("we use tabs?", "we use tabs"),
        ("read a/b", "read a b"),
        ("costs 5%", "costs 5"),
        ("costs $5", "costs 5"),
        ("pass *args on", "pass args on"),
        ("call _private", "call private"),
    ],
)
def test_signs_that_mean_something_tell_apart(one, other):
    """Leaving one of the two out of an answer would lose what the difference is about."""
    assert gist(one) != gist(other)


def test_nothing_but_marks_is_still_something():
    assert gist("...") != gist("!!!")
