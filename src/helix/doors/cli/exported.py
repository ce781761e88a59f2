"""An export of Helix among what is imported: types and words come in, and the frame does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from helix.connect.importing.pieces import IsSo, Piece, Unreadable
from helix.connect.importing.workflow import Tally
from helix.doors.neutral import neutral, spelled
from helix.model.errors import BadInput
from helix.portable.workflow import EDITED, as_it_is, statements

if TYPE_CHECKING:
    from helix.app.facade import Helix

WAYS = (neutral, spelled, as_it_is)
"""How this version writes its files, and how earlier ones did."""

TAKE_BACK = "an edit of what is held here: `helix import --markdown` takes it back"


def pieces(memory: Helix, path: Path, ref: str, tally: Tally) -> Iterator[Piece]:
    """Yield what an exported file says and this memory has not; the rest is counted as known."""
    try:
        found = statements(memory, path, WAYS)
    except BadInput as error:
        yield Unreadable(ref, error.message)
        return
    for each in found:
        where = f"{ref}#{each.title}"
        if each.stands == EDITED:
            yield Unreadable(where, TAKE_BACK)
        elif each.stands:
            tally.known += 1
        else:
            yield IsSo(each.text, each.type, where)
