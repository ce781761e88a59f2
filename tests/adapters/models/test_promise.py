"""What every embedder promises, kept by each of them with its real model."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from helix.adapters.models.openai_compatible import OpenAICompatible, Server
from helix.ports.embedder import Embedded, Embedder

TEXTS = [
    "We deploy to Kubernetes in Frankfurt.",
    "def parse(line: str) -> Record: ...",
    "короткое предложение",
    "決定:データベースは PostgreSQL を使う",
    "🚀🚀 ship it 🎉",
    "E1423: ENOSPC while writing /var/lib/helix/memory.db",
    "one",
]


@pytest.fixture(params=["minilm", "minilm_fp32", "static", "served"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "served":
        server = request.getfixturevalue("server")
        return OpenAICompatible(Server(server.url, "some-model"), {})
    found: Embedder = request.getfixturevalue(request.param)
    return found


def test_each_text_gives_a_row_of_unit_length(embedder: Embedder) -> None:
    """Rows are float32, as many as texts, each of unit length and of the promised dimension."""
    rows = embedder.embed(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS), embedder.dimension)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_the_same_text_gives_the_same_row(embedder: Embedder) -> None:
    """Alone, in any company and in any order, a text gets bit for bit the same row."""
    together = embedder.embed(TEXTS)
    alone = np.vstack([embedder.embed([text]) for text in TEXTS])
    backwards = embedder.embed(TEXTS[::-1] * 20)[: len(TEXTS)][::-1]
    assert np.array_equal(together, alone)
    assert np.array_equal(together, backwards)


def test_a_question_uses_the_same_embedder(embedder: Embedder) -> None:
    """The same name, the same rows: only whoever cannot be reached is given up sooner."""
    for_one = embedder.for_a_question()
    assert for_one.name == embedder.name
    assert for_one.cost == embedder.cost
    assert for_one.at_hand == embedder.at_hand
    assert np.array_equal(for_one.embed(TEXTS), embedder.embed(TEXTS))
    assert np.array_equal(for_one.embed([]), embedder.embed([]))
    assert for_one.dimension == embedder.dimension


def test_many_threads_may_embed_at_once(embedder: Embedder) -> None:
    """Eight threads that share an embedder get what one thread gets."""
    expected = embedder.embed(TEXTS)
    with ThreadPoolExecutor(8) as pool:
        for rows in pool.map(embedder.embed, [TEXTS] * 16):
            assert np.array_equal(rows, expected)


def test_nothing_to_read_resembles_nothing(embedder: Embedder) -> None:
    """Empty and blank texts are taken and give zeros; their neighbours are untouched."""
    rows = embedder.embed(["", TEXTS[0], " \n\t ", "\u3000"])
    assert not rows[[0, 2, 3]].any()
    assert np.array_equal(rows[1], embedder.embed([TEXTS[0]])[0])


def test_with_its_words_a_text_has_the_same_vector(embedder: Embedder) -> None:
    """Bit for bit; of each word there is a row of its own, if the model tells of words."""
    texts = [*TEXTS, "", "\ud83d half an emoji \udc00"]
    found = embedder.embed_with_words(texts)
    assert np.array_equal([each.vector for each in found], embedder.embed(texts))
    for each in found:
        assert len(each.words) == (0 if each.rows is None else len(each.rows))
    assert not embedder.embed_with_words([])


@pytest.mark.parametrize("model", ["minilm", "minilm_fp32"])
def test_a_word_is_understood_where_it_stands(model: str, request: pytest.FixtureRequest) -> None:
    """Each piece names its word, and the same word beside others has another vector."""
    embedder: Embedder = request.getfixturevalue(model)
    river, money, again = embedder.embed_with_words(
        ["Fishing from the bank of the river.", "The BANK lends us money.", "The bank of the river"]
    )
    assert river.words == ("fishing", "from", "the", "bank", "of", "the", "river", ".")
    assert money.words == ("the", "bank", "lends", "lends", "us", "money", ".")

    def near(one: Embedded, other: Embedded) -> float:
        assert one.rows is not None and other.rows is not None  # noqa: PT018 - both are told
        rows = [each.rows[each.words.index("bank")] for each in (one, other)]
        first, second = (row / np.linalg.norm(row) for row in rows)
        return float(first @ second)

    assert near(river, again) > near(river, money) + 0.1


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    """An empty batch gives an empty answer."""
    assert len(embedder.embed([])) == 0


@pytest.mark.parametrize(
    "text",
    [
        "\ud83d half an emoji \udc00",
        "\x00\x01 control \x7f",
        "e\u0301" * 50 + "\u200d\ufe0f",
        "\u202egnirts desrever\u202c",
        "[CLS] [SEP] [PAD] </s> <unk>",
        "x" * 5_000,
        "\U0010ffff",
    ],
)
def test_any_text_is_taken(embedder: Embedder, text: str) -> None:
    """Half characters, control codes and endless words do no harm."""
    (row,) = embedder.embed([text])
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) in (0, pytest.approx(1, abs=1e-5))


def test_a_long_text_is_judged_by_its_beginning(embedder: Embedder) -> None:
    """Of 100,000 letters the beginning is read."""
    beginning = "We moved the billing database to PostgreSQL 16 last week. " * 400
    assert len(beginning) > 20_000
    rows = embedder.embed([beginning + "z" * 100_000, beginning])
    assert np.array_equal(rows[0], rows[1])


def test_progress_ends_with_everything_done(embedder: Embedder) -> None:
    """Progress rises and its last word is the number of texts."""
    told: list[int] = []
    embedder.embed(TEXTS * 20, told.append)
    assert told == sorted(told)
    assert told[-1] == len(TEXTS) * 20


def test_its_name_and_cost_can_be_told(embedder: Embedder) -> None:
    """People are told what embeds and what it costs."""
    assert embedder.name
    assert embedder.cost
