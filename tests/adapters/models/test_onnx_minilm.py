"""MiniLM with its real weights: what it understands, and how far 8 bits may blur it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.adapters.models.conftest import built

from helix.adapters.models.measuring import prose
from helix.adapters.models.onnx_minilm import TOKENS, OnnxMiniLM
from helix.adapters.models.recipes import MINILM_INT8, MODEL
from helix.ports.embedder import EmbedderUnavailable


def closeness(embedder: OnnxMiniLM, one: str, other: str) -> float:
    first, second = embedder.embed([one, other])
    return float(first @ second)


def test_it_gives_the_published_similarities(minilm_fp32: OnnxMiniLM) -> None:
    """The graph computes what the model's own card shows: its three sentences, its figures."""
    sentences = [
        "The weather is lovely today.",
        "It's so sunny outside!",
        "He drove to the stadium.",
    ]
    rows = minilm_fp32.embed(sentences)
    expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert np.allclose(rows @ rows.T, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        (
            "How do I reset my password?",
            "I forgot my login credentials",
            "The cat sat on the mat",
        ),
        (
            "where does production run?",
            "we deploy the service to a Kubernetes cluster in Frankfurt",
            "bread needs flour, water and salt",
        ),
        (
            "check whether a variable can be looped over",
            "def is_iterable(obj): return hasattr(obj, '__iter__')",
            "def write_boolean(self, n): self.stream.write(TRUE if n else FALSE)",
        ),
    ],
)
def test_what_means_alike_lies_close(
    minilm: OnnxMiniLM, question: str, near: str, far: str
) -> None:
    """An answer without a word in common is closer than a text about something else."""
    assert closeness(minilm, question, near) > closeness(minilm, question, far) + 0.1


def test_eight_bits_hardly_blur(minilm: OnnxMiniLM, minilm_fp32: OnnxMiniLM) -> None:
    """At 20 words every vector keeps a cosine of 0.99, and 9 in 10 their nearest neighbour."""
    texts = prose(20)[::16][:200]
    exact, rough = minilm_fp32.embed(texts), minilm.embed(texts)
    cosines = (exact * rough).sum(axis=1)
    assert cosines.min() > 0.99
    assert cosines.mean() > 0.996
    near, far = exact @ exact.T - 2 * np.eye(200), rough @ rough.T - 2 * np.eye(200)
    assert (near.argmax(axis=1) == far.argmax(axis=1)).mean() > 0.9


def test_eight_bits_blur_few_words_a_little_more(
    minilm: OnnxMiniLM, minilm_fp32: OnnxMiniLM
) -> None:
    """Two words have few tokens to average the rounding over: 0.97 still holds."""
    texts = prose(2)[::160][:200]
    cosines = (minilm_fp32.embed(texts) * minilm.embed(texts)).sum(axis=1)
    assert cosines.min() > 0.97
    assert cosines.mean() > 0.99


def test_threads_change_nothing(minilm: OnnxMiniLM) -> None:
    """One text at a time or four at once: the same rows."""
    texts = prose(30)[:100]
    folder = built(MINILM_INT8)
    expected = minilm.embed(texts)
    for threads in (1, 4):
        other = OnnxMiniLM("same", folder, threads)
        assert np.array_equal(other.embed(texts), expected)


def test_it_reads_so_many_tokens(minilm: OnnxMiniLM) -> None:
    """The last words it reads count; the first it does not read do not."""
    fits = "yes " * (TOKENS - 2)  # two tokens mark beginning and end
    rows = minilm.embed([fits, fits + "no", "no " + fits])
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])


def test_a_damaged_model_says_how_to_mend_it(tmp_path: Path) -> None:
    """A model cut short is an error with a remedy, not a crash."""
    folder = tmp_path / "damaged"
    shutil.copytree(built(MINILM_INT8), folder)
    os.truncate(folder / MODEL, 1_000_000)
    with pytest.raises(EmbedderUnavailable) as raised:
        OnnxMiniLM(f"{MINILM_INT8.name}/1", folder).embed(["text"])
    assert raised.value.code == "model_damaged"
    assert f"`helix models install {MINILM_INT8.name}`" in raised.value.remedy


def test_a_missing_package_says_what_to_install() -> None:
    """Without onnxruntime the error names the extra that brings it."""
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from pathlib import Path\n"
        "from helix.adapters.models.onnx_minilm import OnnxMiniLM\n"
        "from helix.ports.embedder import EmbedderUnavailable\n"
        "try: OnnxMiniLM('x', Path('nowhere')).embed(['text'])\n"
        "except EmbedderUnavailable as error: print(error.message, '|', error.remedy)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "onnxruntime is not installed | pip install 'helix-memory[semantic]'\n"


def test_vectors_are_the_same_in_another_process(minilm: OnnxMiniLM) -> None:
    """What one process embedded, another one finds again."""
    text = "the same text, another process"
    code = (
        "import sys; from pathlib import Path\n"
        "from helix.adapters.models.onnx_minilm import OnnxMiniLM\n"
        f"row = OnnxMiniLM('x', Path({str(built(MINILM_INT8))!r})).embed([{text!r}])\n"
        "sys.stdout.write(row.tobytes().hex())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == minilm.embed([text]).tobytes().hex()
    assert done.stderr == ""
