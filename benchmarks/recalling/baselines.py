"""What plain search finds in the same texts: BM25, and the cosine of bare embeddings.

BM25 takes lower-cased `\\w+` words, without stemming and without stop words, k1 = 1.2 and
b = 0.75. A session is searched as one document of what people said in it (an assistant's
turns left out): that is how the floors in the data's README come out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from benchmarks.recalling.values import Answer, Asked, Haystack, Note

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]

K1, B = 1.2, 0.75
DEPTH = 100
"""How far down a ranking is kept: deeper than any figure looks."""

BATCH = 256
"""Texts embedded at a time."""

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the words of a text as plain BM25 sees them."""
    return _WORD.findall(text.lower())


class Bm25:
    """Texts that can be ranked by a question's words."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(words(text)) for text in texts]
        lengths = np.array([sum(counts.values()) for counts in counted], dtype=np.float64)
        mean = float(lengths.mean()) if len(texts) else 1.0
        stretch = K1 * (1 - B + B * lengths / max(mean, 1.0))
        postings: dict[str, list[tuple[int, int]]] = {}
        for place, counts in enumerate(counted):
            for word, count in counts.items():
                postings.setdefault(word, []).append((place, count))
        self._size = len(texts)
        self._weights = {word: self._weighed(found, stretch) for word, found in postings.items()}

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return how well each text answers; a word asked twice counts twice."""
        total = np.zeros(self._size)
        for word in words(question):
            if word in self._weights:
                places, gains = self._weights[word]
                total[places] += gains
        return total

    def _weighed(
        self, found: Sequence[tuple[int, int]], stretch: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        places = np.array([place for place, _ in found], dtype=np.int64)
        counts = np.array([count for _, count in found], dtype=np.float64)
        rarity = math.log1p((self._size - len(found) + 0.5) / (len(found) + 0.5))
        return places, rarity * counts * (K1 + 1) / (counts + stretch[places])


class Dense:
    """Texts that can be ranked by the cosine of their embeddings with a question's."""

    def __init__(self, texts: Sequence[str], embed: Embed) -> None:
        self._embed = embed
        self._matrix = unit(embed(texts))

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return the cosine of each text with the question."""
        asked = unit(self._embed([question]))[0]
        cosines: NDArray[np.float64] = (self._matrix @ asked).astype(np.float64)
        return cosines


class Plain:
    """A haystack as plain search sees it: notes, and sessions as documents of their own."""

    def __init__(self, haystack: Haystack, embed: Embed | None = None) -> None:
        notes = haystack.notes
        self._ids = [note.id for note in notes]
        self._sessions = _session_texts(haystack)
        make: Callable[[Sequence[str]], Bm25 | Dense] = Bm25
        texts = [_shown(note, dated=haystack.dated) for note in notes]
        if embed is not None:
            fixed = embed
            texts = [note.text for note in notes]
            make = lambda given: Dense(given, fixed)  # noqa: E731 - one line, used twice
        self._notes_index = make(texts)
        # Dense vectors of whole sessions would only see their openings.
        as_documents = embed is None and bool(self._sessions)
        self._session_index = make(list(self._sessions.values())) if as_documents else None

    def notes(self, question: Asked) -> Answer:
        """Return the notes, best first."""
        return Answer(_best(self._notes_index.scores(question.text), self._ids))

    def sessions(self, question: Asked) -> tuple[str, ...] | None:
        """Return the sessions, best first; None if they are not searched as documents."""
        if self._session_index is None:
            return None
        return _best(self._session_index.scores(question.text), list(self._sessions))


def remembering(embed: Embed) -> Embed:
    """Return an embedder that never embeds a text twice: haystacks share many."""
    known: dict[str, Vectors] = {}

    def embedded(texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            known.update(zip(batch, embed(batch), strict=True))
        return np.stack([known[text] for text in texts])

    return embedded


def unit(vectors: Vectors) -> Vectors:
    """Return the vectors at length one; a zero vector stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = vectors / np.maximum(lengths, 1e-12)
    return scaled


def spoken(when: datetime) -> str:
    """Return a moment as people write it: 3:07 PM on 2 July, 2031."""
    return f"{when.hour % 12 or 12}:{when:%M %p} on {when.day} {when:%B, %Y}"


def _best(scores: NDArray[np.float64], ids: Sequence[str]) -> tuple[str, ...]:
    order = np.argsort(-scores, kind="stable")[:DEPTH]
    return tuple(ids[place] for place in order if scores[place] > 0)


def _shown(note: Note, *, dated: bool) -> str:
    if dated and note.when is not None:
        return f"{spoken(note.when)} {note.text}"
    return note.text


def _session_texts(haystack: Haystack) -> dict[str, str]:
    gathered: dict[str, list[str]] = {}
    for note in haystack.notes if haystack.by_session else ():
        if note.session and note.speaker != "assistant":
            text = _shown(note, dated=haystack.dated)
            gathered.setdefault(note.session, []).append(text)
    return {session: "\n".join(texts) for session, texts in gathered.items()}
