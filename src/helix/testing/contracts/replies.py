"""What every `Replies` promises."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from datetime import timedelta

import pytest

from helix.ports.language_model import Reply
from helix.ports.store import Store
from helix.testing.clock import SOME_MOMENT

HOUR = timedelta(hours=1)


class RepliesContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_a_reply_is_kept_by_question_and_model(self, store: Store) -> None:
        """Another question, model or tenant has no reply."""
        with store.writing() as unit:
            unit.replies.keep("local", "q1", "m", Reply('{"é": 1}', 7), SOME_MOMENT)
        with store.reading() as unit:
            assert unit.replies.kept("local", "q1", "m") == Reply('{"é": 1}', 7)
            for tenant, key, model in (
                ("other", "q1", "m"),
                ("local", "q2", "m"),
                ("local", "q1", "n"),
            ):
                assert unit.replies.kept(tenant, key, model) is None

    def test_what_was_spent_is_counted_from_a_moment_on(self, store: Store) -> None:
        """Tokens add up per tenant, those of a replaced reply among them."""
        with store.writing() as unit:
            unit.replies.keep("local", "q1", "m", Reply("a", 5), SOME_MOMENT)
            unit.replies.keep("local", "q1", "m", Reply("b", 6), SOME_MOMENT + HOUR)
            unit.replies.keep("local", "q2", "m", Reply("c", 7), SOME_MOMENT)
            assert unit.replies.spent("local", SOME_MOMENT) == 18
            assert unit.replies.spent("local", SOME_MOMENT + HOUR) == 11
            assert unit.replies.spent("other", SOME_MOMENT) == 0
            kept = unit.replies.kept("local", "q1", "m")
            assert kept is not None
            assert kept.text == "b"

    def test_clearing_forgets_words_and_keeps_the_bill(self, store: Store) -> None:
        """After an erasure no reply is left, and the day's budget is not given back."""
        with store.writing() as unit:
            unit.replies.keep("local", "q1", "m", Reply("secret", 5), SOME_MOMENT)
            unit.replies.keep("other", "q1", "m", Reply("theirs", 5), SOME_MOMENT)
            assert list(unit.replies.texts("local")) == ["secret"]
            unit.replies.clear("local")
            assert list(unit.replies.texts("local")) == []
            assert list(unit.replies.texts("other")) == ["theirs"]
            assert unit.replies.kept("local", "q1", "m") is None
            assert not unit.replies.any_of("local", "m")
            assert unit.replies.any_of("other", "m")
            assert not unit.replies.any_of("other", "n")
            assert unit.replies.spent("local", SOME_MOMENT) == 5
            assert unit.replies.kept("other", "q1", "m") is not None
