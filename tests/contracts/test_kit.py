"""The test kit itself: what it needs, and what it promises to those who use it."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from inspect import getmembers, isfunction

import pytest

import helix.testing
from helix.testing.contracts import (
    asking,
    enrichment,
    jobs,
    journal,
    ledger,
    projection,
    scratchpad,
    store,
)

CONTRACTS = [
    asking.AskingContract,
    enrichment.EnrichmentContract,
    jobs.JobsContract,
    journal.JournalContract,
    ledger.LedgerContract,
    projection.ProjectionContract,
    scratchpad.ScratchpadContract,
    store.StoreContract,
]


def test_only_the_strategies_need_hypothesis() -> None:
    """Every other module can be imported where Hypothesis is not installed."""
    names = [
        name
        for _, name, _ in pkgutil.walk_packages(helix.testing.__path__, "helix.testing.")
        if not name.endswith(".strategies")
    ]
    assert "helix.testing.histories" in names
    program = "import sys; sys.modules['hypothesis'] = None; import importlib\n" + "\n".join(
        f"importlib.import_module({name!r})" for name in names
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_every_rule_of_a_contract_is_a_sentence(contract: type) -> None:
    """Whoever fails a contract reads which promise was broken."""
    rules = [each for name, each in getmembers(contract, isfunction) if name.startswith("test_")]
    assert rules
    for rule in rules:
        first_line = (rule.__doc__ or "").strip().splitlines()[0]
        assert first_line.endswith("."), rule.__name__


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_a_contract_is_not_run_by_itself(contract: type) -> None:
    """Without a store there is nothing to hold to its promises."""
    assert not contract.__name__.startswith("Test")
