"""Writing pieces down: through capture's gates, one after the other, each once.

Every piece is a transaction of its own, so that other writers get their turn and an import
that is killed has kept what it had read. Begun again, it finds what is there and goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from helix.app.facade import Helix
from helix.connect.importing.knowing import in_project, names, stood_there, unused
from helix.connect.importing.pieces import Happened, IsSo, Piece, Summed, Unreadable, digest
from helix.model.errors import BadInput, Conflict
from helix.model.memory import Memory, Status
from helix.model.outcome import Joined, Kept, Skipped
from helix.rules.influence import IMPORTER

MOST_REFUSALS = 20
IMPORTED_AS = "imported_as"


@dataclass
class Tally:
    """What became of the pieces. `refusals` holds the first few, with the reason."""

    kept: Counter[str] = field(default_factory=Counter)
    held: int = 0
    """Of those kept, how many wait for a person: the source is not trusted, or the text isn't."""
    known: int = 0
    refused: int = 0
    refusals: list[tuple[str, str]] = field(default_factory=list)
    held_for: Counter[str] = field(default_factory=Counter)
    """How many of those wait for each source that nobody trusts yet."""
    untrusted: list[str] = field(default_factory=list)
    """The sources read that nobody trusts yet, whether anything in them was new or not."""
    waits_for: str = ""
    """The source being read, where nobody trusts it yet: then every piece is held back."""

    def reads(self, waits_for: str) -> None:
        """Note whose the pieces are that come next; see `waits_for`."""
        self.waits_for = waits_for
        if waits_for and waits_for not in self.untrusted:
            self.untrusted.append(waits_for)

    def refuse(self, ref: str, why: str) -> None:
        """Note a piece that was not taken in."""
        self.refused += 1
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append((ref, why))


def take_in(
    memory: Helix,
    pieces: Iterable[Piece],
    extractor: str,
    tally: Tally | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Tally:
    """Write every piece down, and return what became of them."""
    tally = tally or Tally()
    for piece in pieces:
        try:
            _take(memory, piece, extractor, tally)
        except (BadInput, Conflict) as error:
            if error.code == "event_id_reused":
                # Another process has just taken it in, from another place perhaps.
                tally.known += 1
                continue
            # One bad piece loses itself, not the ones after it. A store that cannot be used
            # is another matter, and ends the import.
            tally.refuse(piece.ref, error.message)
        done(1)
    return tally


def _take(memory: Helix, piece: Piece, extractor: str, tally: Tally) -> None:
    if isinstance(piece, Unreadable):
        tally.refuse(piece.ref, piece.why)
        return
    agent = f"{IMPORTER}{extractor}"
    quoting = memory.quoting(agent, _printable(piece.ref), f"import-{extractor}", tally.waits_for)
    if isinstance(piece, Summed):
        _sum(quoting, piece, tally)
        return
    event = unused(memory, names(_keys(piece), memory.context.realm), own=not tally.waits_for)
    if not event or _is_numbered(memory, piece):
        tally.known += 1
    elif isinstance(piece, Happened):
        outcome = _capture(quoting, piece, event)
        if piece.undoes and isinstance(outcome, Kept):
            _tie(quoting, outcome.memory, piece)
        _count(tally, outcome)
    else:
        outcome = quoting.remember(
            piece.content, type=piece.type, valid_from=piece.since, event_id=event
        )
        _count(tally, outcome)


def _keys(piece: Happened | IsSo) -> tuple[str, ...]:
    if isinstance(piece, IsSo):
        # By what is said and not by where: notes move, and what was forgotten since must not
        # come back with the next import.
        return (digest(piece.type, piece.content),)
    if piece.placed:
        return (digest(piece.key, piece.content),)
    return (piece.key, *piece.others)


def _is_numbered(memory: Helix, piece: Happened | IsSo) -> bool:
    if not isinstance(piece, Happened) or not piece.placed:
        return False
    return stood_there(memory, piece.key, piece.content)


def _capture(memory: Helix, piece: Happened, event: str) -> Kept | Joined | Skipped:
    return memory.capture(
        piece.content,
        session=piece.session,
        tool=piece.tool,
        exit_status=piece.exit_status,
        files=[_printable(each) for each in piece.files if each],
        occurred_at=piece.occurred_at,
        event_id=event,
    )


def _tie(memory: Helix, newer: Memory, piece: Happened) -> None:
    older = in_project(memory, names([piece.undoes], memory.context.realm))
    if older is not None:
        memory.relate(newer.id, "reverts", older.id)


def _sum(memory: Helix, piece: Summed, tally: Tally) -> None:
    before = next(
        (
            each
            for each in memory.list(types=(piece.type,), limit=1_000)
            if each.attributes.get(IMPORTED_AS) == piece.name
        ),
        None,
    )
    if before is None:
        _count(
            tally,
            memory.remember(piece.content, type=piece.type, attributes={IMPORTED_AS: piece.name}),
        )
    elif before.content == piece.content:
        tally.known += 1
    else:
        _count(tally, memory.correct(before.id, piece.content))


def _count(tally: Tally, outcome: Kept | Joined | Skipped) -> None:
    if isinstance(outcome, Kept):
        tally.kept[outcome.memory.type] += 1
        if outcome.memory.status is Status.QUARANTINED:
            tally.held += 1
            tally.held_for.update([tally.waits_for] if tally.waits_for else [])
    else:
        tally.known += 1


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text)[-400:]
