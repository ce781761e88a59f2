"""Does a store hold what its writers were promised? The same checks for sound and broken ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.killable import SCOPE
from helix import Helix
from helix.ledger.verifying import Sound
from helix.ledger.workflow import Told, tell
from helix.model import act as acts
from helix.model.errors import HelixError
from helix.ports.store import Unit

_MARK = re.compile(r"mark_\w+_\d+")


@dataclass(frozen=True, slots=True)
class Findings:
    """What was promised and what is there."""

    acknowledged: int
    lost: int
    duplicated: int
    chain_ok: bool
    rebuild_equal: bool

    @property
    def sound(self) -> bool:
        """Whether every promise was kept."""
        return not self.lost and not self.duplicated and self.chain_ok and self.rebuild_equal


def examine(path: Path, promised: Collection[str]) -> Findings:
    """Return how a store stands against the marks that were acknowledged to its writers."""
    with Helix.open(path, scope=SCOPE) as memory:
        kept = _kept(memory)
        return Findings(
            acknowledged=len(promised),
            lost=sum(1 for mark in promised if not kept[mark]),
            duplicated=sum(times - 1 for times in kept.values() if times > 1),
            chain_ok=isinstance(memory.upkeep.verify(), Sound),
            rebuild_equal=_rebuilds(memory),
        )


def _kept(memory: Helix) -> Counter[str]:
    """Return how often each mark stands in the ledger with its memory in the projection."""
    tenant = memory.context.realm.tenant
    with memory.context.store.reading() as unit:
        try:
            return Counter(_marks(unit, tenant))
        except HelixError:
            return Counter()  # what cannot be read is lost to whoever wrote it


def _marks(unit: Unit, tenant: str) -> Iterator[str]:
    for told in tell(unit.ledger, tenant):
        found = _MARK.match(_says(told))
        if found and _is_projected(unit, told):
            yield found[0]


def _says(told: Told) -> str:
    match told.act:
        case acts.Captured(content=content) | acts.Asserted(content=content):
            return content
        case acts.Corrected(by=by):
            return by.content
        case acts.Forgotten(reason=reason):
            return reason
        case _:
            return ""


def _is_projected(unit: Unit, told: Told) -> bool:
    record = told.record
    if isinstance(told.act, acts.Forgotten):
        return bool(unit.projection.touched_by(record.realm.tenant, record.position).memories)
    born = unit.projection.born_at(record.realm.tenant, record.position)
    return born is not None and born.content == _says(told)


def _rebuilds(memory: Helix) -> bool:
    try:
        return not memory.upkeep.rebuild(check_only=True).differences
    except HelixError:
        return False
