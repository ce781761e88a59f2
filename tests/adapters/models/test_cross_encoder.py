"""A reranker through the real seam: a hand-made ONNX graph that counts shared words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from helix import Helix
from helix.adapters.models import locating
from helix.adapters.models.cross_encoder import CrossEncoder
from helix.adapters.models.onnx_format import FLOAT, INT64, Graph
from helix.adapters.models.recipes import MINILM_INT8
from helix.app.doctor import examine
from helix.model.recollection import Recollected
from helix.ports.reranker import RerankerUnavailable

pytestmark = pytest.mark.skipif(
    bool(locating.missing_packages(MINILM_INT8)),
    reason="this platform has no wheels of onnxruntime",
)
WORDS = ("deploy", "day", "friday", "is", "lunch", "menu", "on", "the", "what", "for")


def shared_words_graph() -> bytes:
    """Return a network whose score is how many pairs of equal tokens the two texts have."""
    graph = Graph()
    last, middle = (graph.constant(f"axis{axis}", np.array([axis])) for axis in (2, 1))
    ids = [graph.apply("Unsqueeze", "input_ids", axis) for axis in (last, middle)]
    equal = graph.apply("Cast", graph.apply("Equal", *ids), to=FLOAT)
    second = graph.apply("Cast", "token_type_ids", to=FLOAT)
    first = graph.apply("Sub", graph.constant("one", np.array([1.0], np.float32)), second)
    across = graph.apply(
        "Mul",
        graph.apply("Unsqueeze", first, last),
        graph.apply("Unsqueeze", second, middle),
    )
    pairs = graph.apply("ReduceSum", graph.apply("Mul", equal, across), keepdims=0)
    graph.apply("Reshape", pairs, graph.constant("shape", np.array([1, 1])), outputs=["logits"])
    shape = [1, "tokens"]
    return graph.model(
        {"input_ids": (INT64, shape), "token_type_ids": (INT64, shape)},
        {"logits": (FLOAT, [1, 1])},
        {"": 17},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder such as a user may have."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    made = tmp_path / "shared-words"
    made.mkdir()
    vocabulary = {word: place for place, word in enumerate(["[UNK]", *WORDS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(made / "tokenizer.json"))
    (made / "model.onnx").write_bytes(shared_words_graph())
    return made


def test_each_text_is_read_beside_the_question(folder: Path) -> None:
    """One score per text, in order; nothing to read scores nothing."""
    found = CrossEncoder(folder).scores("the deploy day", ["deploy day", "lunch", "the day", ""])
    assert list(found) == [2.0, 0.0, 2.0, 0.0]


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    """With what it should hold."""
    with pytest.raises(RerankerUnavailable) as caught:
        CrossEncoder(tmp_path / "nowhere").scores("q", ["t"])
    assert caught.value.code == "reranker_damaged"
    assert "model.onnx" in caught.value.remedy


def asked(memory: Helix) -> Recollected:
    memory.remember("the deploy day is friday")
    memory.remember("lunch on friday is what the menu is for friday friday")
    found = memory.recall("lunch menu friday what is the deploy day")
    assert isinstance(found, Recollected)
    return found


def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str) -> None:
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text('[embedder]\nmodel = "none"\n' + lines)


def test_a_configured_reranker_puts_the_best_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """What it judged best comes first, and its judgement is among the reasons."""
    settings(tmp_path, monkeypatch, f'[reranker]\npath = "{folder.as_posix()}"\n')
    with Helix.open(tmp_path / "m.db", scope="project:p", background=False) as memory:
        found = asked(memory)
        judged = [each.because["reread"] for each in found.remembered]
        assert len(judged) == 2
        assert judged == sorted(judged, reverse=True)
        assert [each.fit for each in found.remembered] == sorted(
            (each.fit for each in found.remembered), reverse=True
        )
        (finding,) = [each for each in examine(memory.context) if each.name == "reranker"]
        assert finding.state == "ok"


def test_a_broken_reranker_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order it had without it stands, and the doctor says why."""
    settings(tmp_path, monkeypatch, '[reranker]\npath = "/nowhere/at/all"\n')
    with Helix.open(tmp_path / "m.db", scope="project:p", background=False) as memory:
        assert "reread" not in asked(memory).remembered[0].because
        (finding,) = [each for each in examine(memory.context) if each.name == "reranker"]
        assert finding.state == "warning"


def test_by_default_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is loaded and nothing said of it."""
    settings(tmp_path, monkeypatch, "")
    with Helix.open(tmp_path / "m.db", scope="project:p", background=False) as memory:
        assert memory.context.reranker is None
        assert "reread" not in asked(memory).remembered[0].because
