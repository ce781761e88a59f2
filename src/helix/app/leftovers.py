"""What is left of something erased: in other records, which are told of, and in raw bytes.

Another record may quote an erased memory's id, or say the same words; it is not destroyed for
that. Whoever erases hears where it stands, instead of hearing that nothing is left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from helix.app.context import Context
from helix.app.erasure_plan import contents
from helix.ledger.workflow import Told, tell
from helix.model.act import Erased
from helix.model.errors import StoreUnavailable
from helix.model.frozen import dataclass
from helix.rules.mentions import mentioned
from helix.rules.naming import fingerprint
from helix.rules.written import written_in

SHORTEST_NEEDLE = 12
"""Letters from which on a piece of text is somebody's words, and not anybody's."""


@dataclass(frozen=True, slots=True)
class Left:
    """Positions of living records that hold something of it, and what no record may hold."""

    positions: tuple[int, ...]
    needles: tuple[str, ...]


def scoured(context: Context) -> tuple[tuple[str, ...], bool]:
    """Scour the files; return which copies went, and whether it could be done."""
    try:
        return tuple(context.store.scour()), True
    except StoreUnavailable:
        # Somebody else reads them. What was destroyed is destroyed, and must be told of.
        return (), False


def leftovers(context: Context, texts: Collection[str], ids: Collection[str]) -> Left:
    """Return what other records still hold of erased texts and ids, and what to search for."""
    pieces = {piece for text in texts for piece in pieces_of(text)}
    names = {each for each in ids if len(each) >= SHORTEST_NEEDLE}
    same = {fingerprint("", text) for text in texts}
    left, positions = pieces | names, []
    if not texts and not ids:
        return Left((), ())
    with context.store.reading() as unit:
        for told in tell(unit.ledger, context.realm.tenant):
            if told.act is None or told.record.payload is None or isinstance(told.act, Erased):
                continue
            body = told.record.payload.body.decode(errors="replace")
            held = {piece for piece in pieces if piece in body}
            # An id that begins like another cannot be told from it in raw bytes.
            left -= held | {name for name in left & names if name in body}
            if held or mentioned(written_in(told.act), ids) or _says(told, same):
                positions.append(told.record.position)
        for note in unit.scratchpad.every(context.realm.tenant):
            left = {piece for piece in left if piece not in note.content}
    return Left(tuple(positions), tuple(sorted(left)))


def _says(told: Told, same: Collection[str]) -> bool:
    return any(fingerprint("", each) in same for each in contents(told))


def pieces_of(text: str) -> Iterable[str]:
    """Return the parts of a text as they lie in files, where some letters are escaped."""
    return [piece for piece in re.split(r'["\\\n\t\r]', text) if len(piece) >= SHORTEST_NEEDLE] or (
        [text] if len(text) >= SHORTEST_NEEDLE else []
    )
