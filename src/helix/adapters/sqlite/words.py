"""Finding by words: FTS5 chooses candidates per place, one score orders them all.

A question's common words would make nearly every row a match, and ranking those rows is
what costs. So rare words are required and common words only add to the score:

    (rare OR rarer) AND (mark OR common OR commoner)

where `mark` stands in every row. Measured on 100,000 rows: the same top ten as an
exhaustive OR in 97 of 100 places, at a sixth of the time (docs/adr/0004).

Each place has statistics of its own, so FTS5's scores do not compare between a project
and `global`; the candidates are scored again with the counts of both together.

FTS5 pays for every transaction it takes part in, however small. So the newest memories
wait: the last few are read as they are when somebody asks, and every `TOGETHER`th one
takes all that wait into the index with it (docs/adr/0010).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, cast

import apsw

from helix.adapters.sqlite import stems
from helix.adapters.sqlite.faults import FOLD_AGAIN, damaged
from helix.adapters.sqlite.noticed import Holding, Noticed
from helix.adapters.sqlite.schema import TOKENIZER, words_table
from helix.model.frozen import dataclass
from helix.rules import relevance, words

REQUIRED_ROWS = 4_000
"""Rows that the required words may match together; beyond it, words become optional."""

OPTIONAL_ROWS = 15_000
"""Words in more rows than this carry too little to be worth reading their rows."""

COMMON_TOGETHER = 4
"""How many of the rarest words are wanted together where all words are common."""

MOST_WORDS = 12
"""Words of a question that are looked at, rarest first."""

COMMON = 500
"""Rows from which on a word's count is remembered instead of being counted for each question."""

REMEMBERED_WHILE = 1.02
"""Growth of a place after which its remembered counts are taken anew."""

TEXTS_REMEMBERED = 16_384
"""Texts whose stems are kept at hand, some 15 MB."""

TOGETHER = 32
"""Memories that enter the index together. Fewer cost each capture more; more, each question."""

INDEXED = "SELECT value FROM counters WHERE name = 'words' AND owner = 0"
INDEX_TO = (
    "INSERT INTO counters VALUES ('words', 0, ?)"
    " ON CONFLICT (name, owner) DO UPDATE SET value = excluded.value"
)
WAITING = "SELECT key, place, content FROM memories WHERE key > ?"
ALREADY_INDEXED = "SELECT key, content FROM memories WHERE key <= ? AND status <> 'purged'"

MARK = "_all_"
_AVERAGES = 1  # the row in which FTS5 keeps its totals


class Counted(NamedTuple):
    """How often each asked stem that occurs in a text does, and how many stems it has in all.

    Those of its derived parts are counted with the others.
    """

    counts: Mapping[str, int]
    length: int


class WordIndex:
    """The word indexes of one connection."""

    def __init__(self, connection: apsw.Connection, noticed: Noticed | None = None) -> None:
        """Take the connection; tokenizing goes through SQLite, so both sides cut alike."""
        self._connection = connection
        self._noticed = noticed or Noticed()
        self._tokenize = connection.fts5_tokenizer(*_tokenizer_arguments())
        self._vocabularies: set[int] = set()
        self._remembered: dict[int, tuple[int, dict[str, int]]] = {}
        # A text's stems never change, and the same memories are candidates again and again.
        self._numbers: dict[str, bytes] = {}
        self._asked: dict[str, bytes] = {}
        self._counted: dict[str, Counted] = {}

    def forget(self) -> None:
        """Drop what was noted in a transaction that did not come about."""
        self._vocabularies.clear()
        self._remembered.clear()

    def add(self, key: int) -> None:
        """Take note of a new memory, and index it with those before it if it is their turn."""
        if key % TOGETHER:
            return
        for each, place, content in self._waiting():
            parts = words.parts(content)
            self._connection.execute(
                f"INSERT INTO {words_table(place)} (rowid, mark, text, parts) VALUES (?, ?, ?, ?)",
                (each, MARK, content, parts),
            )
            self._connection.execute(stems.KEEP, (each, self._numbered(content, parts)))
        self._connection.execute(INDEX_TO, (key,))

    def number_all(self) -> None:
        """Keep the stems of all that is indexed, for a file in which they are not kept yet."""
        for key, content in self._connection.execute(ALREADY_INDEXED, (self.indexed(),)):
            numbers = self._numbered(content, words.parts(content))
            self._connection.execute(stems.KEEP, (key, numbers))

    def indexed(self) -> int:
        """Return the key up to which memories are in the index; those beyond are waiting."""
        row = self._connection.execute(INDEXED).fetchone()
        return 0 if row is None else row[0]

    def newest(self, share: float) -> int:
        """Return the key from which on the newest share of all indexed memories lie."""
        return 0 if share >= 1.0 else round(self.indexed() * (1.0 - share))

    def remove(self, place: int, key: int) -> None:
        """Take a memory's words out."""
        if key <= self.indexed():
            self._connection.execute(f"DELETE FROM {words_table(place)} WHERE rowid = ?", (key,))
            self._connection.execute(stems.REMOVE, (key,))

    def clear(self, place: int) -> None:
        """Take all words of a place out, while its memories are still there."""
        self._connection.execute(stems.CLEAR, (place,))
        self._connection.execute(
            f"INSERT INTO {words_table(place)} ({words_table(place)}) VALUES ('delete-all')"
        )

    def stems(self, text: str) -> list[str]:
        """Return the text's words as the index keeps them."""
        tokens = self._tokenize(
            text.encode(),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return cast("list[str]", tokens)

    def phrases(self, asked: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return each asked word or phrase with its stems; what has none is left out."""
        cut = {text: tuple(self.stems(text)) for text in asked}
        return {text: stems for text, stems in cut.items() if stems}

    def holding(self, place: int, asked: Collection[str]) -> Holding:
        """Return what a place's index knows of these stems."""
        asking = (place, frozenset(asked))
        held = self._noticed.holdings.get(asking)
        if held is None:
            held = self._noticed.holdings[asking] = self._held(place, asked)
        return held

    def _held(self, place: int, asked: Collection[str]) -> Holding:
        rows, length = self._totals(place)
        frequencies = {}
        for stem in asked:
            found = self._frequency(place, stem, rows)
            if found:
                frequencies[stem] = found
        waiting = [content for _, where, content in self._waiting() if where == place]
        for each in self.counted(waiting, asked):
            rows, length = rows + 1, length + each.length
            for stem in each.counts:
                frequencies[stem] = frequencies.get(stem, 0) + 1
        return Holding(place, rows, length, frequencies)

    def _frequency(self, place: int, stem: str, rows: int) -> int:
        # FTS5 counts by walking all rows of a word. For a word in thousands of them that takes
        # longer than anything else, and a few more or fewer change no ranking.
        at, known = self._remembered.get(place, (0, {}))
        if not at <= rows <= at * REMEMBERED_WHILE:
            known = {}
            self._remembered[place] = (rows, known)
        found = known.get(stem)
        if found is None:
            row = self._connection.execute(
                f"SELECT doc FROM {self._vocabulary(place)} WHERE term = ?", (stem,)
            ).fetchone()
            found = 0 if row is None else int(row[0])
            if found >= COMMON:
                known[stem] = found
        return found

    def vocabulary_lines(self, place: int) -> Iterable[tuple[str, int, int]]:
        """Yield each word of a place, the rows it is in and how often it occurs."""
        in_rows: Counter[str] = Counter()
        in_all: Counter[str] = Counter()
        for _, where, content in self._waiting():
            if where == place:
                counts = Counter(self.stems(f"{content} {words.parts(content)}"))
                in_rows.update(counts.keys())
                in_all.update(counts)
        for term, rows, times in self._connection.execute(
            f"SELECT term, doc, cnt FROM {self._vocabulary(place)} WHERE term <> ?", (MARK,)
        ):
            in_rows[term] += rows
            in_all[term] += times
        yield from ((term, in_rows[term], in_all[term]) for term in sorted(in_rows))

    def counted(self, contents: Sequence[str], asked: Collection[str]) -> list[Counted]:
        """Return how often the asked stems occur in each of these texts."""
        wanted = {stem: stems.number(stem) for stem in asked}
        if self._asked != wanted:  # a question asks for the same stems several times
            self._asked, self._counted = wanted, {}
        known = self._counted
        missing = [content for content in contents if content not in known]
        for content, numbers in self.numbers_of(missing).items():
            counts = {stem: stems.times(n, numbers) for stem, n in wanted.items() if n in numbers}
            known[content] = Counted(counts, len(numbers) // stems.WIDTH)
        return [known[content] for content in contents]

    def numbers_of(self, contents: Sequence[str]) -> dict[str, bytes]:
        """Return the stems of texts by number: remembered, kept in the file, or cut just now."""
        if len(self._numbers) > TEXTS_REMEMBERED:
            self._numbers.clear()
        missing = [content for content in dict.fromkeys(contents) if content not in self._numbers]
        key_of = self._noticed.key_of_content
        kept = [content for content in missing if content in key_of]
        keys = str([key_of[content] for content in kept])
        for place, numbers in self._connection.execute(stems.READ, (keys,)) if kept else ():
            self._numbers[kept[place]] = numbers
        for content in missing:
            if content not in self._numbers:
                self._numbers[content] = self._numbered(content, words.parts(content))
        return {content: self._numbers[content] for content in contents}

    def _numbered(self, content: str, parts: str) -> bytes:
        return stems.numbers(self.stems(f"{content} {parts}"))

    def holds(self, content: str, counted: Counted, phrase: Sequence[str]) -> bool:
        """Return whether a memory, already counted, contains these stems in a row."""
        if not all(stem in counted.counts for stem in phrase):
            return False
        columns = (content, words.parts(content)) if len(phrase) > 1 else ()
        return not columns or any(_in_a_row(phrase, self.stems(text)) for text in columns)

    def matches(self, content: str, phrases: Collection[Sequence[str]]) -> bool:
        """Return whether a memory contains any of these words or phrases."""
        (counted,) = self.counted([content], {stem for phrase in phrases for stem in phrase})
        return any(self.holds(content, counted, phrase) for phrase in phrases)

    def _waiting(self) -> list[tuple[int, int, str]]:
        rows = self._connection.execute(WAITING, (self.indexed(),)).fetchall()
        if any(type(row[2]) is not str for row in rows):
            raise damaged("the text of a memory", FOLD_AGAIN)
        return cast("list[tuple[int, int, str]]", rows)

    def _vocabulary(self, place: int) -> str:
        name = f"temp.vocabulary_{place}"
        if place not in self._vocabularies:
            self._connection.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS {name}"
                f" USING fts5vocab(main, {words_table(place)}, row)"
            )
            self._vocabularies.add(place)
        return name

    def _totals(self, place: int) -> tuple[int, int]:
        # Counting rows would read the whole index; FTS5 keeps the totals in one small row:
        # the number of rows, then the number of words per column, as varints. What a writer
        # has just added stands there once the index was asked for anything.
        if self._connection.txn_state("main") == apsw.SQLITE_TXN_WRITE:
            self._connection.execute(f"SELECT 1 FROM {self._vocabulary(place)} WHERE term = ''")
        row = self._connection.execute(
            f"SELECT block FROM {words_table(place)}_data WHERE id = ?", (_AVERAGES,)
        ).fetchone()
        rows, _mark, text, parts = (*_varints(row[0] if row else b""), 0, 0, 0, 0)[:4]
        return rows, text + parts


@dataclass(frozen=True, slots=True)
class Search:
    """One FTS5 query, and the newest share of a place's memories that it looks at."""

    match: str
    share: float = 1.0


def searches(phrases: dict[str, tuple[str, ...]], holding: Holding) -> Iterable[Search]:
    """Yield searches for a place, each to be tried if those before it found too little.

    None if none of the words occurs there. Where even the rarest word is in very many rows,
    several of the rarest are wanted together first: ranking all rows of one is what would
    cost. Where that is still too many, the newest are looked at: of thousands that fit
    alike, the freshest are meant.
    """
    counts = {
        text: min(holding.frequencies.get(stem, 0) for stem in stems)
        for text, stems in phrases.items()
    }
    rarest = sorted((count, text) for text, count in counts.items() if count)[:MOST_WORDS]
    if not rarest:
        return
    if rarest[0][0] > REQUIRED_ROWS:
        yield from _common(rarest, holding.rows)
        return
    required = _rare(rarest)
    optional = [text for count, text in rarest if text not in required and count <= OPTIONAL_ROWS]
    yield Search(_query(_any(required), optional))


def _common(rarest: Sequence[tuple[int, str]], rows: int) -> Iterable[Search]:
    few = rarest[:COMMON_TOGETHER]
    rest = [text for count, text in rarest[COMMON_TOGETHER:] if count <= OPTIONAL_ROWS]
    for together in range(len(few), 0, -1):
        groups = list(combinations(few, together))
        expected = rows * sum(math.prod(count / rows for count, _ in group) for group in groups)
        match = " OR ".join(
            "(" + " AND ".join(f'"{text}"' for _, text in group) + ")" for group in groups
        )
        yield Search(_query(match, rest), min(1.0, REQUIRED_ROWS / expected))


def _rare(rarest: Sequence[tuple[int, str]]) -> list[str]:
    required: list[str] = []
    rows = 0
    for count, text in rarest:
        if required and rows + count > REQUIRED_ROWS:
            break
        required.append(text)
        rows += count
    return required


def _query(must: str, optional: Sequence[str]) -> str:
    required = f"{{text parts}} : ({must})"
    if not optional:
        return required
    return f"({required}) AND (mark : {MARK} OR {{text parts}} : ({_any(optional)}))"


def scored(
    counted: Sequence[Sequence[Counted]],
    phrases: dict[str, tuple[str, ...]],
    holdings: Sequence[Holding],
) -> list[float]:
    """Return the relevance of each group of counted texts, by all places' statistics together."""
    weights, average = weighed(phrases, holdings)
    average *= together(counted)
    return [
        relevance.bm25(
            _read_as_one(group),
            sum(each.length for each in group),
            weights,
            average_length=average,
        )
        for group in counted
    ]


def weighed(
    phrases: dict[str, tuple[str, ...]], holdings: Sequence[Holding]
) -> tuple[dict[str, float], float]:
    """Return what each asked stem weighs, and the average length of a text."""
    pooled: Counter[str] = Counter()
    for holding in holdings:
        pooled.update(holding.frequencies)
    rows = sum(holding.rows for holding in holdings)
    weights = {
        stem: relevance.weight_of_word(pooled[stem], max(rows, 1))
        for phrase in phrases.values()
        for stem in phrase
    }
    return weights, sum(holding.length for holding in holdings) / max(rows, 1)


def together(groups: Sequence[Sequence[object]]) -> float:
    """Return how many texts a group holds on average."""
    return sum(map(len, groups)) / max(len(groups), 1)


def _read_as_one(group: Sequence[Counted]) -> Mapping[str, int]:
    if len(group) == 1:
        return group[0].counts
    found: dict[str, int] = {}
    for each in group:
        for stem, count in each.counts.items():
            found[stem] = found.get(stem, 0) + count
    return found


def _in_a_row(phrase: Sequence[str], stems: Sequence[str]) -> bool:
    size = len(phrase)
    return any(
        tuple(stems[start : start + size]) == tuple(phrase)
        for start in range(len(stems) - size + 1)
    )


def _any(texts: Sequence[str]) -> str:
    # The words themselves, not their stems: FTS5 stems once more, and a stem's stem differs.
    return " OR ".join(f'"{text}"' for text in texts)


def _tokenizer_arguments() -> tuple[str, list[str]]:
    name, *arguments = TOKENIZER.split()
    return name, arguments


def _varints(block: bytes) -> list[int]:
    numbers, value = [], 0
    for byte in block:
        value = (value << 7) | (byte & 0x7F)
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    return numbers
