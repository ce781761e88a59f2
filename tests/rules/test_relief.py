"""What a contradiction took is given back when it turns out to be none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix.model.provenance import Origin
from helix.rules.agreement import SUREST_RELIEVED, confirmed, contradicted, relieved


@given(st.floats(0.0, 1.0))
def test_relief_gives_back_what_a_contradiction_took(confidence):
    """As sure as before, never less than now, and by this alone never surer than 0.95."""
    now = contradicted(confidence)
    assert now <= relieved(now) <= max(now, SUREST_RELIEVED)
    if confidence <= SUREST_RELIEVED:
        assert abs(relieved(now) - confidence) <= 2e-6


def test_a_person_who_confirmed_meanwhile_is_counted_once():
    """A confirmation under doubt and then the relief do not add up to certainty."""
    sure = relieved(confirmed(contradicted(0.9), Origin.USER_ASSERTED))
    assert sure == confirmed(0.9, Origin.USER_ASSERTED) == SUREST_RELIEVED
