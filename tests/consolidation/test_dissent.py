"""Who says the opposite bears nothing out: neither a witness, nor the wording of the rule."""

from __future__ import annotations

import pytest
from tests.consolidation.nights import a_memory_of, concluded, night_of

from helix.consolidation.distilling import distil
from helix.rules.dissent import opposed, tells_another

DISPUTED = {
    "enable and disable": (
        "Had to disable the cache before running the tests",
        "Tests fail unless the cache is disabled first",
        "Must disable the cache before running the tests",
        "Had to enable the cache before running the tests",
    ),
    "before and after": (
        "Had to run the migrations before starting the server",
        "Server failed until migrations were run before starting it",
        "Always run the migrations after starting the server",
        "Must run migrations after the server has started",
    ),
    "needed and not": (
        "Had to activate the venv before running pytest",
        "pytest failed until the virtualenv was activated",
        "Tests pass without activating the venv",
        "It is not necessary to activate the venv before pytest",
    ),
    "one setting and another": (
        "Had to set LOG_LEVEL=debug before starting the worker",
        "Had to set LOG_LEVEL=info before starting the worker",
        "worker failed until LOG_LEVEL was set to info",
        "worker must have LOG_LEVEL set to debug",
    ),
    "one person and another": (
        "Had to ask Priya before deploying the billing service",
        "Deploy of billing was blocked until Priya approved",
        "Must ask Tom before deploying the billing service",
        "Always ask Tom before deploying billing",
    ),
    "one environment and another": (
        "Had to open the VPN before connecting to the staging database",
        "Connecting to the staging database failed until the VPN was open",
        "Connecting to the production database needs no VPN",
        "Production database connection works without the VPN",
    ),
    "done and forbidden": (
        "Had to rebase the branch before merging the release",
        "Merging the release failed until the branch was rebased",
        "Do not rebase the branch when merging the release",
        "Never rebase the release branch, merging breaks",
    ),
}


@pytest.mark.parametrize("matter", DISPUTED)
def test_what_is_disputed_is_no_rule(matter):
    """Where too few agree, nothing is concluded, whichever came first."""
    tellings = DISPUTED[matter]
    assert concluded(distil(night_of(a_memory_of(tellings)))) == []
    assert concluded(distil(night_of(a_memory_of(reversed(tellings))))) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Had to turn on the flag before the tests", "Had to turn the flag off before the tests"),
        ("The worker must run as root", "The worker must not run as root"),
        ("Run the linter before committing", "Run the linter only after committing"),
        ("docker must be started before e2e", "e2e no longer needs docker"),
        ("docker must be started before e2e", "e2e works fine without docker"),
        ("Need to clear the cache first", "There is no need to clear the cache"),
        ("Restart the gateway, then reload it", "Reload the gateway, then restart it"),
        ("Builds require Node 18", "Builds require Node 20"),
        ("Had to set retries=3", "Had to set retries=5"),
        ("Had to ask Priya before a deploy", "Tom must be asked before a deploy"),
    ],
)
def test_dissent_is_heard_in_other_words(one, other):
    """It excludes the other, or tells of another; either keeps it from being a witness."""
    assert opposed(one, other) or tells_another(one, other)
    assert opposed(other, one) or tells_another(other, one)


def cited(night, rule):
    told = {each.position: each.content for each in night.episodes}
    return {told[each.position] for each in rule.belief.provenance}


AGREED = (
    "Had to disable the cache before running the tests",
    "Tests fail unless the cache is disabled first",
    "Must disable the cache before running the tests",
    "The tests only pass after disabling the cache",
    "Forgot to disable the cache, the tests failed",
)
ODD = "Had to enable the cache before running the tests"


@pytest.mark.parametrize("at", [0, 3, 5])
def test_one_who_disagrees_is_no_witness_and_words_nothing(at):
    """Five against one are a rule of five, in their own words."""
    night = night_of(a_memory_of([*AGREED[:at], ODD, *AGREED[at:]]))
    (rule,) = concluded(distil(night))
    assert rule.content == "This project requires disabling the cache before running the tests."
    assert cited(night, rule) == set(AGREED)


def test_five_against_two_are_not_agreed():
    """Much dissent is a reason to conclude nothing, and the report says so."""
    night = night_of(a_memory_of([*AGREED, ODD, "Tests fail unless the cache is enabled first"]))
    found = distil(night)
    assert concluded(found) == []
    assert any("disagree" in each.why for each in found.passed)


def test_a_rule_that_is_held_gains_no_witness_who_denies_it():
    """What comes later and says the opposite does not strengthen it."""
    memory = a_memory_of(AGREED)
    (rule,) = concluded(distil(night_of(memory)))
    memory.capture(ODD)
    night = night_of(memory)
    held = {rule.id: rule}
    again = distil(type(night)(night.realm, night.now, night.read_to, night.episodes, held))
    assert again.conclusions == ()


def test_the_same_need_of_two_environments_is_two_rules():
    """Each is told by its own, though they differ in a name only."""
    both = [
        text.format(place)
        for place in ("staging", "production")
        for text in (
            "Had to open the VPN before connecting to the {} database",
            "Connecting to the {} database failed until the VPN was open",
            "Connecting to the {} database needs the VPN",
            "Connecting to the {} database hangs without the VPN",
        )
    ]
    night = night_of(a_memory_of(both))
    rules = concluded(distil(night))
    assert len(rules) == 2
    for rule in rules:
        places = {"staging" in each for each in cited(night, rule)}
        assert places == {"staging" in rule.content}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tests only pass after activating .venv", "Had to activate the venv before pytest"),
        ("staging timed out, the VPN was off", "VPN must be on before touching staging"),
        ("pytest failed because the cache was enabled", "Had to disable the cache before pytest"),
        ("Tests fail without the venv", "Tests only pass with the venv active"),
        ("Never run pytest without the venv", "Had to activate the venv before running pytest"),
        ("Never start the server before the migrations", "Run the migrations, then the server"),
        ("Never start the server before the migrations", "Run migrations before the server start"),
        ("Don't forget to activate the venv", "Forgot to activate the venv, tests broke"),
        ("docker compose refused to start", "Had to stop the local postgres before docker compose"),
        ("Priya forgot the venv, the tests broke", "Tom had to activate the venv before pytest"),
        (
            "Ran the migration, after that the tests were green",
            "Must run the migration before tests",
        ),
    ],
)
def test_other_words_for_the_same_are_not_dissent(one, other):
    """Causes and remedies, both orders of one order, and a double denial agree."""
    assert not opposed(one, other)
    assert not opposed(other, one)
    assert not tells_another(one, other)
