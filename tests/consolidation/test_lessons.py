"""Ten episodes become one rule, whatever their words; what differs in a value does not join."""

from __future__ import annotations

import pytest
from tests.consolidation.families import DECOYS, FAMILIES, UNRELATED
from tests.consolidation.nights import a_memory_of, concluded, night_of

from helix.consolidation.clustering import clusters
from helix.consolidation.distilling import distil
from helix.consolidation.procedures import proceed
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock
from helix.testing.reference_store import ReferenceStore


@pytest.mark.parametrize("family", FAMILIES)
def test_ten_tellings_of_one_lesson_become_one_rule(family):
    """One semantic rule, citing at least nine of its ten episodes and nothing else."""
    decoys = DECOYS.get(family, ())
    memory = a_memory_of([*FAMILIES[family], *decoys, *UNRELATED])
    night = night_of(memory)
    (rule,) = concluded(distil(night))
    assert rule.shape == "semantic"
    told = {each.position: each.content for each in night.episodes}
    cited = {told[each.position] for each in rule.belief.provenance}
    assert len(cited & set(FAMILIES[family])) >= 9
    assert not cited & {*decoys, *UNRELATED}


def test_eleven_lessons_told_side_by_side_stay_apart():
    """All families interleaved give one rule each, and no rule cites two of them."""
    interleaved = [tellings[n] for n in range(10) for tellings in FAMILIES.values()]
    decoys = [each for family in DECOYS.values() for each in family]
    night = night_of(a_memory_of([*interleaved, *decoys, *UNRELATED]))
    rules = concluded(distil(night))
    assert len(rules) == len(FAMILIES)
    told = {each.position: each.content for each in night.episodes}
    for rule in rules:
        cited = {told[each.position] for each in rule.belief.provenance}
        assert sum(bool(cited & set(tellings)) for tellings in FAMILIES.values()) == 1


def test_what_is_unrelated_teaches_nothing():
    """Nine episodes about nine things give no rule."""
    assert concluded(distil(night_of(a_memory_of(UNRELATED)))) == []


def test_the_same_lesson_about_another_port_is_another_rule():
    """Ten episodes about port 5432 and ten about port 6379 are two rules, not one."""
    other = [
        text.replace("5432", "6379").replace("postgres", "redis") for text in FAMILIES["port clash"]
    ]
    night = night_of(a_memory_of([*FAMILIES["port clash"], *other]))
    rules = concluded(distil(night))
    assert len(rules) == 2
    ports = [{"5432" in text, "6379" in text} for text in (rule.content for rule in rules)]
    told = {each.position: each.content for each in night.episodes}
    for rule in rules:
        cited = " ".join(told[each.position] for each in rule.belief.provenance)
        assert ("5432" in cited) != ("6379" in cited), ports


def test_always_and_never_are_not_one_rule():
    """Episodes that demand and episodes that forbid the same thing are kept apart."""
    demand = [f"Always squash commits before merging {name}" for name in "abcde"]
    forbid = [f"Never squash commits before merging {name}" for name in "fghij"]
    rules = concluded(distil(night_of(a_memory_of([*demand, *forbid]))))
    assert len(rules) == 2
    assert {rule.content.split()[0] for rule in rules} == {"Always", "Never"}


def test_clusters_do_not_depend_on_what_else_happened():
    """A lesson is found among a thousand unrelated episodes just as well."""
    noise = [f"Looked at ticket {n} about topic{n % 97} in module{n % 89}" for n in range(1000)]
    texts = [*noise[:500], *FAMILIES["vpn"], *noise[500:]]
    found = [each for each in clusters(texts, 4) if {"vpn"} & each.core and len(each.members) >= 9]
    assert len(found) == 1


def test_commands_that_mend_a_failure_become_a_procedure():
    """A failing command, what mended it, and the same command well: keyed by its complaint."""
    clock = SettableClock()
    memory = open_memory(ReferenceStore(), HERE, clock=clock)
    for session in ("s1", "s2", "s3", "s4"):
        for command, status in (
            ("pytest -q\nModuleNotFoundError: No module named 'flask'", 1),
            ("ls -la", 0),
            ("source .venv/bin/activate", 0),
            ("pytest -q\n12 passed", 0),
        ):
            memory.capture(command, session=session, tool="bash", exit_status=status)
    (procedure,) = concluded(proceed(night_of(memory)))
    assert procedure.type == "procedure"
    assert procedure.attributes["trigger"] == "When `pytest -q` fails with ModuleNotFoundError"
    assert procedure.attributes["steps"] == ["source .venv/bin/activate", "pytest -q"]
    assert (procedure.attributes["succeeded"], procedure.attributes["failed"]) == (4, 0)


def test_steps_done_once_are_no_procedure():
    """What one session did teaches no procedure, however often it repeats itself."""
    memory = a_memory_of(["make build", "make deploy"] * 5, session="s1", tool="bash")
    assert concluded(proceed(night_of(memory))) == []
