"""Values: the parts of a statement that make it this one and not its neighbour.

"Favourite colour: purple" and "favourite colour: cyan" lie at a cosine of 0.96. What tells
them apart is one word that holds a value: a number, a version, a name, a path, a colour, a
day. This module finds those words and what each is the value of; it decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from helix.rules.entities import entities, key
from helix.rules.given_names import ALSO_WORDS, GIVEN_NAMES
from helix.rules.paths import path_of
from helix.rules.stems import stem, tokens
from helix.rules.vocabulary import (
    CALENDAR,
    LANGUAGES,
    PACKAGES,
    PACKAGES_WHEN_CAPITALISED,
    PLACES,
    PRODUCTS,
    listed,
)
from helix.rules.words import STOP_WORDS

NUMBER, VERSION, PATH, COLOUR, DAY, NAME, FLAG, CODE = (
    "number", "version", "path", "colour", "day", "name", "flag", "code",
)  # fmt: skip

COLOURS = listed("""
    amber aqua azure beige black blue bronze brown coral crimson cyan fuchsia gold golden gray
    green grey indigo ivory lavender lime magenta maroon navy olive orange pink plum purple red
    rose salmon scarlet silver tan teal turquoise violet white yellow
    """)
_NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_TOOLS = (
    PACKAGES
    | PACKAGES_WHEN_CAPITALISED
    | PRODUCTS
    | LANGUAGES
    | listed("""
    npm pnpm yarn bun pip pipx poetry pdm conda uv hatch flit cargo make just bazel gradle maven
    hetzner fly render railway linode digitalocean vultr gcp s3 r2 minio staging production
    nvim nano tmux zsh fish bash podman main master develop trunk mocha jasmine unittest nose
    black isort flake8 pylint pyright eslint biome rome swc tabs spaces merge rebase squash
    soap rest grpc json toml ini xml csv parquet avro utf-8 latin-1 http https ssh ftp sftp
    """)
)
_CALENDAR = CALENDAR | listed("today tomorrow yesterday weekend spring summer autumn winter")
_ALSO_OTHER_WORDS = listed("may march sun sat mar jan spring")
_NUMBER = re.compile(r"[#$v]?(\d[\d,_]*(?:\.\d+)?)([a-z%]{0,12})", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,4}(?:[.-]?(?:rc|a|b|alpha|beta|dev)\d*)?", re.IGNORECASE)
_HASH = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?|\d{1,2}(?:am|pm)", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}/\d{1,2}/\d{2,4}")
_MEASURES = listed("""
    s sec secs second seconds ms millisecond milliseconds m min mins minute minutes h hour hours
    day days week weeks month months year years time times try tries attempt attempts retry
    retries test tests failure failures error errors warning warnings line lines file files
    commit commits % percent passed failed skipped
    """)
_COUNTED = listed("line exit attempt took")
_IDENTIFIER = re.compile(r"\w*[a-z0-9][A-Z]\w*|\w*[^\W_]_[^\W_]\w*|[\w.]+\(\)|[A-Z][A-Z0-9_]{3,}")


class Value(NamedTuple):
    """One value in its place: `head` is the reduced word it is the value of, or empty."""

    kind: str
    key: str
    head: str
    at: int


@lru_cache(maxsize=32_768)
def values(text: str) -> tuple[Value, ...]:
    """Return the values of a text in order of appearance."""
    named = {key(each).partition(":")[2]: each.kind for each in entities(text)}
    words = tokens(text)
    found = []
    for at, token in enumerate(words):
        kind = _kind(token, named, opens=at == 0)
        if kind is not None:
            found.append(Value(*kind, _head(words, at), at))
    return tuple(found)


def lasting(text: str) -> tuple[Value, ...]:
    """Return the values without what is only measured in passing: durations, counts, moments."""
    words = tokens(text)
    return tuple(each for each in values(text) if not _passing(words, each))


def value_of(word: str) -> tuple[str, str] | None:
    """Return the kind and the key of a word that holds a value wherever it stands, or None."""
    return _kind(word, {}, opens=False)


def number_word(word: str) -> str:
    """Return a number written as a word in digits, and any other word as it is."""
    number = _NUMBER_WORDS.get(word)
    return word if number is None else str(number)


def _kind(token: str, named: Mapping[str, str], *, opens: bool) -> tuple[str, str] | None:
    lower = token.lower()
    if lower in STOP_WORDS:
        return None
    for read in (_counted, _marked, _listed):
        found = read(token, lower)
        if found is not None:
            return found
    if named.get(lower) == "file" or ("." in token and lower in named):
        return PATH, lower
    if _IDENTIFIER.fullmatch(token):
        return CODE, lower.replace("_", "").rstrip("()")
    if token[0].isupper() and token[1:].islower() and not opens:
        return NAME, lower
    return None


def _counted(token: str, lower: str) -> tuple[str, str] | None:
    if lower in _NUMBER_WORDS:
        return NUMBER, str(_NUMBER_WORDS[lower])
    if _DATE.fullmatch(lower) or _CLOCK.fullmatch(lower):
        return DAY, lower
    if not (token[0].isdigit() or (token[0] in "v#$" and token[1:2].isdigit())):
        return None
    if _HASH.fullmatch(lower) and not lower.isdecimal():
        return CODE, lower
    if _VERSION.fullmatch(lower):
        return VERSION, lower.removeprefix("v")
    number = _NUMBER.fullmatch(lower)
    return (NUMBER, re.sub("[,_]", "", number[1]) + number[2]) if number else (CODE, lower)


def _marked(token: str, lower: str) -> tuple[str, str] | None:
    if token.startswith("-") and len(token) > 1:
        return FLAG, lower
    if "/" in token or "\\" in token or token[0] in ".~":
        path = path_of(token)
        return PATH, (path[1] if path else token).lower().lstrip("./")
    return None


def _listed(token: str, lower: str) -> tuple[str, str] | None:
    if lower in COLOURS:
        return COLOUR, lower
    if lower in _CALENDAR and (lower not in _ALSO_OTHER_WORDS or token[0].isupper()):
        return DAY, lower
    if lower in _TOOLS:
        return NAME, lower if stem(lower) == "test" else stem(lower)
    if (lower in GIVEN_NAMES and lower not in ALSO_WORDS) or lower in PLACES:
        return NAME, lower
    return None


def _head(words: list[str], index: int) -> str:
    # "port 3000", "postgres 14", "timeout is 30 seconds", "the owner of billing is Priya".
    for before in range(index - 1, max(-1, index - 4), -1):
        word = words[before].lower()
        if word not in STOP_WORDS and word not in ("version", "number", "=", "equals"):
            return stem(word)
    return ""


def _passing(words: list[str], value: Value) -> bool:
    if value.kind == DAY:
        return True
    if value.kind == CODE and _HASH.fullmatch(value.key):
        return True
    if value.kind != NUMBER:
        return False
    after = words[value.at + 1].lower() if value.at + 1 < len(words) else ""
    unit = value.key.lstrip("0123456789.")
    return after in _MEASURES or unit in _MEASURES or (not unit and value.head in _COUNTED)
