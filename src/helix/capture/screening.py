"""The gate against orders: what an agent took in is screened before it is written down.

What the user says in person is not screened: it is the user's to give orders. Where a text
comes from is decided by the door (`app.context.source_of`), never by the text.
"""

from __future__ import annotations

from collections.abc import Mapping

from helix.model.provenance import Origin, Source
from helix.model.suspicion import Suspicion
from helix.rules.foreign import foreign
from helix.rules.screening.judging import Verdict, screened
from helix.rules.screening.whole import whole_text


def suspicion(
    content: str,
    source: Source,
    attributes: Mapping[str, object] | None = None,
    waits_for: str = "",
) -> Suspicion | None:
    """Return what speaks against a text, or None if it may count like any other.

    `waits_for` names the source it comes from, if nobody trusts that one yet.
    """
    if source.origin is Origin.USER_ASSERTED:
        return None
    found = _found(content, attributes)
    return foreign(found, waits_for) if waits_for else found


def _found(content: str, attributes: Mapping[str, object] | None) -> Suspicion | None:
    found = screened(whole_text(content, attributes))
    if found.verdict is Verdict.PASS:
        return None
    return Suspicion(found.score, found.reasons, held=found.verdict is Verdict.HOLD)
