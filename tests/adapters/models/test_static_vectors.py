"""Static vectors with their real weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.adapters.models.conftest import built

from helix.adapters.models.recipes import STATIC_256, TOKENIZER, VECTORS
from helix.adapters.models.static_vectors import StaticVectors
from helix.ports.embedder import EmbedderUnavailable


def test_it_knows_related_words(static: StaticVectors) -> None:
    """A text about the same thing is closer than one about another."""
    question, near, far = static.embed(
        ["deploying to production", "releases are rolled out to servers", "the cat drinks milk"]
    )
    assert question @ near > question @ far + 0.1


def test_it_does_not_know_order(static: StaticVectors) -> None:
    """The same words in another order are the same text to it, as far as sums are exact."""
    one, other = static.embed(["Alice thanked Bob today", "today Bob thanked Alice"])
    assert one @ other > 0.9


def test_it_never_imports_the_package_of_its_weights() -> None:
    """wordllama's loader would reach for the network; its files are enough."""
    folder = built(STATIC_256)
    code = (
        "import sys; from pathlib import Path\n"
        "from helix.adapters.models.static_vectors import StaticVectors\n"
        f"folder = Path({str(folder)!r})\n"
        f"rows = StaticVectors('x', folder / {VECTORS!r}, folder / {TOKENIZER!r}).embed(['text'])\n"
        "assert rows.any()\n"
        "assert not {'wordllama', 'torch', 'safetensors', 'onnxruntime'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_damaged_vectors_say_how_to_mend_them(tmp_path: Path) -> None:
    """A file cut short is an error with a remedy."""
    folder = built(STATIC_256)
    short = tmp_path / VECTORS
    short.write_bytes((folder / VECTORS).read_bytes()[:100_000])
    with pytest.raises(EmbedderUnavailable) as raised:
        StaticVectors("x", short, folder / TOKENIZER).embed(["text"])
    assert raised.value.code == "model_damaged"


def test_a_row_is_the_mean_of_its_pieces(static: StaticVectors) -> None:
    """Saying it twice changes little: a mean does not grow."""
    once, twice = static.embed(["retention policy", "retention policy retention policy"])
    assert np.dot(once, twice) > 0.99
