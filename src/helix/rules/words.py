"""How text becomes searchable words.

The word index is SQLite FTS5 with the tokenizer
`porter unicode61 remove_diacritics 2 tokenchars '_'` over two columns: `text`, as it was
written, and `parts`, the extra words derived here, so that a name is found whole, in
pieces and in its other spellings. A question is cut by the same rules, so whatever is
derived for a text is derived again for a question that names it.

This module only cuts and joins. Case, accents and word endings are folded by FTS5, and
what a word weighs is decided by the ranking. All patterns run in linear time: they stand
on the capture path and see whatever an agent saw.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, pairwise

EXTRA_WORDS_LIMIT = 2_000
"""Extra words per text; a longer text is found by its first ones and by its plain words."""

PHRASES_LIMIT = 16
"""Quoted phrases taken from one question."""

_LONGEST_NAME = 100  # letters; longer runs are blobs (base64, minified code), not names
_LONGEST_WHOLE = 200  # letters of a joined name; no one asks for a longer one
_SHORT_HASH = 7  # hex digits, as git abbreviates

_FUNCTION_WORDS = """
a about am an and any are as at be been being but by can could did do does doing for from had has
have having he how i if in into is it its just me my no nor not of on or our shall she should so
some than that the their them then there these they this those to too us was we were what when
where which while who whom whose why will with would you your
"""
_AFTER_APOSTROPHES = "s t ll ve don doesn didn isn"  # of "it's", "don't", "we'll", "I've"
STOP_WORDS = frozenset(f"{_FUNCTION_WORDS} {_AFTER_APOSTROPHES}".split())
"""English function and question words: they are in almost every text and tell nothing."""

_SYMBOL_MARKS = ("++", "#", ".n", ".N")  # a text without them names no such language
_SYMBOL_NAMES = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
_SYMBOL = r"(?<![A-Za-z0-9_])(?:[Cc]\+\+|[CcFf]#(?![A-Za-z_])|\.[Nn][Ee][Tt](?![A-Za-z0-9_]))"
_SYMBOL_ANYWHERE = re.compile(_SYMBOL)
# In "用C++写" unicode61 sees the word "用c"; only beside no letter at all is "c" a word to drop.
_SYMBOL_ALONE = re.compile(rf"(?<!\w){_SYMBOL}(?!(?<=[Tt])\w)")

# Scripts written without spaces (Thai, Kana, Han, Hangul): unicode61 takes a run as one word.
# Marks inside a run separate for unicode61; left out, the letters still make pairs.
_UNSPACED = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uffbe\uffc2-\uffdc"
    "\U00020000-\U0003ffff"
)
_UNSPACED_MARKS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a"

# Where unicode61 may see a letter that Python does not: its tables are those of Unicode 6.1,
# and what was not assigned then (most newer emoji) counts as a letter, so in "done🤖" the word
# "done" alone could not be found. A test compares these ranges with SQLite, all of Unicode.
_DOUBTFUL = "\u0300-\u1fff\u2065-\u2fff\u3040-\ufdff\ufe10-\uff00\uff66-\U0010ffff"

# Letters that got their other case after Unicode 6.1; lower-cased, they would not be found.
_UNFOLDED = (
    "\u037f\u0528-\u052f\u13a0-\u13ff\u1c80-\u1cbf\u2c2f\u2c5f\ua640-\uabff\U000104b0-\U0001e921"
)

_UPPER = "A-ZÀ-ÖØ-Þ"
_LOWER = "a-zß-öø-ÿ"
_LINK = r"[./\\:@#+=&?%~^$>-]"  # what holds a path, version, flag or qualified name together

_TOKEN = re.compile(rf"\w++(?:{_LINK}{{1,3}}+\w++)*+")
_WITH_SYMBOLS = re.compile(rf"{_SYMBOL}|{_TOKEN.pattern}")
_WORD = re.compile(r"\w+")
_SEGMENT_END = re.compile(r"[/\\:@#+=&?%$>]+")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_VERSION = re.compile(r"[vV]\d+\.")
_HASH = re.compile(r"(?=\d*[A-Fa-f])(?=[A-Fa-f]*\d)[0-9A-Fa-f]{7,64}")
_CASE_PIECE = re.compile(
    rf"[{_UPPER}]{{2,}}s(?![{_LOWER}])|[{_UPPER}]+(?![{_LOWER}])|[{_UPPER}]?[{_LOWER}]+|\d+"
)
_NAMED = re.compile(rf"[\d_]|\w[{_UPPER}]")
_PHRASE = re.compile(r'"([^"]*)"|“([^“”]*)”')

# Most sentences have no extra words. This finds out in one pass that skips lower-case letters
# and common punctuation at the speed of a character set; it may say yes too often, never no.
_HINT = re.compile(
    r"[^a-z\s,;!'\"()](?:"
    rf"(?<=_)|(?<=\w{_LINK})(?={_LINK}{{0,2}}\w)"
    rf"|(?<=[{_LOWER}\d][{_UPPER}])|(?<=[{_UPPER}]{{2}})(?=[{_LOWER}])"
    r"|(?<=[^\W\d_]\d)|(?<=\d)(?=[^\W\d_])"
    r"|(?<=[CcFf]#)|(?<=[Cc]\+)(?=\+)|(?<=\.)(?=[Nn][Ee][Tt])"
    "|(?<=[^\x00-\u02ff\u2000-\u2064]))"  # negated: compiles twenty times as fast
)


@cache
def _wide(pattern: str) -> re.Pattern[str]:
    """Return a pattern over large parts of Unicode, compiled when a text first needs it.

    Each costs milliseconds, and a hook that only sees ASCII should not pay for them.
    """
    return re.compile(pattern)


_UNSPACED_RUN = f"(?:[{_UNSPACED}][{_UNSPACED_MARKS}]*+)++"
_WORD_OR_DOUBTFUL = rf"[\w{_DOUBTFUL}]+"


def parts(text: str) -> str:
    """Return the extra words of a text, separated by spaces; empty for most sentences.

    Lower-cased, each once, in order of appearance (letter pairs last), at most
    `EXTRA_WORDS_LIMIT`:

    - `getUserById`, `get_user_by_id`: `get user by id`, and for the latter `getuserbyid`
    - `src/app/main.py`, `3.11.7`, `CVE-2024-1234`: the whole as `src_app_main_py`, and each
      segment that is itself compound (`main_py`)
    - `C++`, `C#`, `F#`, `.NET`: `cplusplus`, `csharp`, `fsharp`, `dotnet`
    - a commit hash: its first seven digits
    - scripts without spaces: overlapping pairs of letters; a lone letter stands for itself
    """
    return " ".join(_extra_words(text))


def query_words(text: str, limit: int = 64) -> tuple[str, ...]:
    """Return the distinct words to look for, in order: the plain ones, then the extra ones.

    Stop words are left out unless nothing else is left. Over the limit, names go before
    plain words and long words before short ones. No word contains a quote or a space, so
    each can be put in double quotes for FTS5.
    """
    # "C++" must not ask for "c", which every text on C would answer.
    plain = _plain_words(_SYMBOL_ALONE.sub(" ", text))
    extra = _extra_words(text)
    words = dict.fromkeys([*map(_folded, plain), *extra])
    kept = [word for word in words if word not in STOP_WORDS] or list(words)
    if len(kept) <= limit:
        return tuple(kept)
    named = {*extra, *(_folded(word) for word in plain if _NAMED.search(word))}
    ranked = sorted(kept, key=lambda word: (word not in named, -len(word)))
    best = set(ranked[: max(limit, 0)])
    return tuple(word for word in kept if word in best)


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Return the distinct "double quoted" phrases, each as its plain words joined by a space.

    Stop words stay, because an exact phrase contains them. A quote that is never closed
    opens nothing. At most `PHRASES_LIMIT`.
    """
    found = (match[1] or match[2] or "" for match in _PHRASE.finditer(text))
    phrases = (" ".join(map(_folded, _plain_words(phrase))) for phrase in found)
    return tuple(dict.fromkeys(filter(None, phrases)))[:PHRASES_LIMIT]


def _extra_words(text: str) -> list[str]:
    if _HINT.search(text) is None:
        return []
    seen: dict[str, None] = {}
    for words in _derived(text):
        seen.update(dict.fromkeys(words))
        if len(seen) >= EXTRA_WORDS_LIMIT:
            break
    return list(islice(seen, EXTRA_WORDS_LIMIT))


def _derived(text: str) -> Iterator[Iterable[str]]:
    if text.isascii():
        yield from _names(text)
        return
    runs = _wide(_UNSPACED_RUN)
    yield from _names(runs.sub(" ", text))
    yield _kept(_words_beside_doubtful(text))
    yield _kept(_words_beside_unspaced(text))
    # Last, because a long Chinese text would fill the limit before its first name.
    for run in runs.findall(text):
        yield _kept(_pairs(run))


def _names(text: str) -> Iterator[Iterable[str]]:
    tokens = _WITH_SYMBOLS if any(map(text.__contains__, _SYMBOL_MARKS)) else _TOKEN
    for found in dict.fromkeys(tokens.findall(text)):
        if found.isalpha() and found[1:].islower():  # most words end here
            continue
        symbol = _SYMBOL_NAMES.get(found.lower())
        if symbol is not None:
            yield (symbol,)
        else:
            yield _kept(_name_words(found))


def _kept(words: Iterable[str]) -> list[str]:
    return [_folded(word) for word in words if 0 < len(word) <= _LONGEST_WHOLE]


def _words_beside_doubtful(text: str) -> Iterator[str]:
    """Yield the words that unicode61 may take as one with their neighbour, as in "done🤖"."""
    for run in _wide(_WORD_OR_DOUBTFUL).findall(text):
        words = _plain_words(run)
        if words != [run]:
            yield from words


def _words_beside_unspaced(text: str) -> Iterator[str]:
    """Yield the words that unicode61 takes as one with their neighbour, as in "Helixを"."""
    for word in _WORD.findall(_SYMBOL_ANYWHERE.sub(" ", text)):
        pieces = _wide(_UNSPACED_RUN).split(word)
        if len(pieces) > 1:
            yield from (piece.strip("_") for piece in pieces)


def _pairs(run: str) -> Iterable[str]:
    letters = _wide(f"[{_UNSPACED_MARKS}]+").sub("", run)
    return (letters,) if len(letters) == 1 else map("".join, pairwise(letters))


def _name_words(name: str) -> list[str]:
    # Lists and loops rather than generators: this stands on the path of every capture.
    words = _WORD.findall(name)
    found = []
    if len(words) > 1:
        found.append(_whole(words))
        for segment in _SEGMENT_END.split(name):
            if not segment.isidentifier():
                found += _segment_words(segment)
    for word in words:
        if not (word.islower() and word.isalpha()) and len(word) <= _LONGEST_NAME:
            found += _identifier_words(word)
    return found


def _segment_words(segment: str) -> list[str]:
    words = _WORD.findall(segment)
    if len(words) < 2:  # noqa: PLR2004 - one word is no compound
        return []
    found = [_whole(words)]
    if _HYPHENATED.fullmatch(segment):
        found.append("".join(words))  # "dry-run" and "dryRun", "e-mail" and "email"
    if _VERSION.match(segment):
        found.append(found[0][1:])  # "v1.2.3" and "1.2.3"
    return found


def _whole(words: list[str]) -> str:
    return "_".join([piece for piece in "_".join(words).split("_") if piece])


def _identifier_words(word: str) -> list[str]:
    if "_" not in word:
        return _case_words(word)
    pieces = [piece for piece in word.split("_") if piece]
    found = []
    for piece in pieces:
        found.append(piece)
        if not (piece.islower() and piece.isalpha()):
            found += _case_words(piece)
    found.append("".join(pieces))
    return found


def _case_words(word: str) -> list[str]:
    if _HASH.fullmatch(word):
        return [word[:_SHORT_HASH]]
    pieces = _CASE_PIECE.findall(word)
    # Splitting "k8s" or "i18n" would leave single letters, which find everything. Letters
    # beyond Latin-1 have no case here, and a word that holds one stays whole.
    if len(pieces) > 1 and "".join(pieces) == word and any(map(_tells, pieces)):
        return [piece for piece in pieces if len(piece) > 1 or piece.isdigit()]
    return []


def _tells(piece: str) -> bool:
    return len(piece) > 1 and piece.isalpha()


def _plain_words(text: str) -> list[str]:
    """Return the words as unicode61 cuts them, in the case they were written in.

    Marks it would separate at (Hindi vowels, Hebrew points) stay inside, so that FTS5 reads
    such a word as an exact phrase of its letters instead of as single letters.
    """
    if text.isascii():
        found = _WORD.findall(text)
    else:
        runs = _wide(_WORD_OR_DOUBTFUL).findall(text)
        found = [word for run in runs for word in _without_doubtful(run)]
    return [word for word in found if any(map(str.isalnum, word))]


def _without_doubtful(run: str) -> list[str]:
    if run.isalnum():
        return [run]
    return "".join(letter if _in_a_word(letter) else " " for letter in run).split()


def _in_a_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_" or unicodedata.category(letter)[0] == "M"


def _folded(word: str) -> str:
    if word.isascii() or not _wide(f"[{_UNFOLDED}]").search(word):
        return word.lower()
    return word
