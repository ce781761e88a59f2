"""Which acts are said anew because something they build on is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from helix.model import act as acts
from helix.rules.moving import Placed, moved, renumbered
from helix.testing.builders import USER, a_capture, an_assertion
from helix.testing.clock import SOME_MOMENT


def placed(*told):
    return [
        Placed(number, SOME_MOMENT + number * timedelta(hours=1), act, touched)
        for number, (act, *touched_by) in enumerate(told, 1)
        for touched in (tuple(touched_by),)
    ]


B = an_assertion("b", memory_id="mem_b")
C = an_assertion("c", memory_id="mem_c")


def test_later_decisions_about_it_move_along_in_order():
    """Others stay where they stand."""
    told = placed(
        (acts.Corrected("mem_a", B),),
        (acts.Confirmed("mem_b", USER),),
        (acts.Confirmed("mem_x", USER),),
        (a_capture(),),
        (acts.Related("mem_x", "mem_b", "depends_on", 1.0, USER),),
        (acts.Forgotten("mem_x", USER),),
    )
    found = moved(told, {1: B}, {1})
    assert list(found) == [1, 2, 5]
    assert found[1] == replace(B, valid_from=SOME_MOMENT + timedelta(hours=1))


def test_earlier_decisions_stay():
    """They fold as before."""
    told = placed((acts.Pinned("mem_b", True, USER),), (acts.Forgotten("mem_b", USER, "Alice"),))
    assert list(moved(told, {2: acts.Forgotten("mem_b", USER)}, {2})) == [2]


def test_what_replaced_it_moves_and_so_does_what_was_decided_about_that():
    """However long the chain."""
    told = placed(
        (acts.Forgotten("mem_b", USER, "Alice"),),
        (acts.Restored("mem_b", USER),),
        (acts.Corrected("mem_b", C),),
        (acts.Confirmed("mem_c", USER),),
    )
    found = moved(told, {1: acts.Forgotten("mem_b", USER)}, {1})
    assert list(found) == [1, 2, 3, 4]
    assert found[3].by.valid_from == SOME_MOMENT + timedelta(hours=3)


def test_a_rollback_follows_what_it_undid():
    """And names it where it stands now."""
    told = placed(
        (acts.Forgotten("mem_b", USER, "Alice"), "mem_b"),
        (acts.RolledBack((1,), USER), "mem_b"),
        (acts.RolledBack((7,), USER), "mem_x"),
    )
    found = moved(told, {1: acts.Forgotten("mem_b", USER)}, {1})
    assert list(found) == [1, 2]
    assert renumbered(found[2], lambda each: each + 10) == acts.RolledBack((11,), USER)


def test_trust_in_a_source_keeps_its_order():
    """Of several decisions the latest counts."""
    told = placed(
        (acts.Trusted("a wiki", USER, True, (3,)), "mem_b"),
        (acts.Trusted("a wiki", USER, False), "mem_x"),
        (acts.Trusted("another", USER, True),),
    )
    assert list(moved(told, {1: told[0].act}, ())) == [1, 2]
