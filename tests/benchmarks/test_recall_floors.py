"""Plain BM25 meets the floors that the data's README names; skipped where it is absent."""

from pathlib import Path

import pytest
from benchmarks.recalling import judging
from benchmarks.recalling.baselines import Plain
from benchmarks.recalling.sets import LOADERS

DATA = Path(__file__).parents[3] / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public sets are not here")

FLOORS = [
    ("locomo", "locomo", None, {"recall@10": 0.544, "any@5": 0.907, "all@5": 0.789}),
    ("cosqa", "cosqa", None, {"hit@10": 0.454}),
    ("multihop", "multihop", None, {"recall@5": 0.680, "all@5": 0.359}),
    ("multihop", "multihop", "hotpot", {"recall@5": 0.721, "all@5": 0.490}),
]
"""The small sets only: the others take longer and are measured by hand."""


@pytest.mark.parametrize(("name", "folder", "part", "floors"), FLOORS)
def test_plain_bm25_is_as_strong_as_the_published_floor(name, folder, part, floors):
    rows = []
    for haystack in LOADERS[name](DATA / folder, part, 1):
        plain, session_of = Plain(haystack), haystack.session_of
        rows += [
            judging.row(asked, plain.notes(asked), session_of, plain.sessions(asked))
            for asked in haystack.questions
            if asked.answerable
        ]
    found = judging.means(row.figures for row in rows)
    assert {name: found[name] for name in floors} == pytest.approx(floors, abs=0.01)
