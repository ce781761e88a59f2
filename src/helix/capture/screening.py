"""The gate against orders: what an agent took in is screened before it is written down.

What the user says in person is not screened: it is the user's to give orders. Where a text
comes from is decided by the door (`app.context.source_of`), never by the text.
"""

from __future__ import annotations

from collections.abc import Mapping

from helix.model.memory import Circumstances
from helix.model.provenance import Origin, Source
from helix.model.suspicion import Suspicion
from helix.rules.foreign import foreign
from helix.rules.screening.judging import Verdict, screened, worst
from helix.rules.screening.whole import whole_texts


def suspicion(
    content: str,
    source: Source,
    attributes: Mapping[str, object] | None = None,
    waits_for: str = "",
    around: Circumstances | None = None,
) -> Suspicion | None:
    """Return what speaks against a text, or None if it may count like any other.

    `waits_for` names the source it comes from, if nobody trusts that one yet. Of what is
    `around` it, the names of the tool and of files are screened as well.
    """
    if source.origin is Origin.USER_ASSERTED:
        return None
    found = _found(content, attributes, around)
    return foreign(found, waits_for) if waits_for else found


def _found(
    content: str, attributes: Mapping[str, object] | None, around: Circumstances | None
) -> Suspicion | None:
    found = worst(map(screened, whole_texts(content, attributes, around)))
    if found.verdict is Verdict.PASS:
        return None
    return Suspicion(found.score, found.reasons, held=found.verdict is Verdict.HOLD)
