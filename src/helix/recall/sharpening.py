"""Looking twice: where a vector is too coarse to tell a memory's place, its words are read again.

Faded memories keep their vectors with few bits, and rounding blurs the order of what lies close
together. The error of each precision is known, so it is known too whose place is in doubt; a few
of these are embedded again for this answer alone. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from helix.ports.embedder import LETTERS_EMBEDDED, EmbedderUnavailable
from helix.ports.enrichment import Held

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors


def sharpened(
    texts: Mapping[str, str],
    held: Mapping[str, Held],
    asked: Vectors,
    embed: Callable[[Sequence[str]], Vectors],
    *,
    places: int,
    at_most: int,
) -> Mapping[str, Vectors]:
    """Return new vectors for those whose side of the first `places` is in doubt, by id.

    Only what has a text is looked at. None where the embedder cannot be used: an answer from
    coarse vectors is better than no answer.
    """
    # Without numpy for whoever asks by words alone.
    from helix.rules.precision import ERROR, doubtful  # noqa: PLC0415

    ids = [each for each in texts if each in held]
    if at_most < 1 or not any(held[each].bits in ERROR for each in ids):
        return {}
    cosines = [float(held[each].vector @ asked) for each in ids]
    bits = [held[each].bits for each in ids]
    again = [ids[place] for place in doubtful(cosines, bits, len(asked), places, at_most)]
    if not again:
        return {}
    try:
        rows = embed([texts[each][:LETTERS_EMBEDDED] for each in again])
    except EmbedderUnavailable:
        return {}
    return dict(zip(again, rows, strict=True))
