"""Words reduced to what they share: case, endings and everyday synonyms of coding talk.

"Activating the virtualenv" and "activate .venv" meet here. Reducing is for comparing only;
nothing reduced is ever shown. A synonym that is missing costs a link, a wrong one merges
what differs, so the table holds only pairs that mean the same wherever code is spoken of.
"""

from __future__ import annotations

import re
from functools import lru_cache

from helix.rules.vocabulary import listed
from helix.rules.words import STOP_WORDS

_SHORTEST = 4  # letters; a shorter word has no ending to lose
_VOWELS = frozenset("aeiouy")
_SUFFIXES = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_NO_ENDING = listed("""
    bus status redis postgres kubernetes alias pass less loss class process access address
    across this is was has does always analysis basis dns https ls js css news series string
    bring thing nothing something anything everything during king ring spring red need seed feed
    speed shed bed exceed embed yes tests_ canvas focus virus
    """)

SYNONYMS = {
    "virtualenv": "venv", "virtual_environment": "venv", "virtual_env": "venv", ".venv": "venv",
    "virtualenvs": "venv", "pytest": "test", "testsuite": "test", "unittest": "test",
    "db": "database", "repo": "repository", "repos": "repository", "config": "configuration",
    "configs": "configuration", "deps": "dependency", "dep": "dependency", "docs": "documentation",
    "doc": "documentation", "env": "environment", "prod": "production", "dir": "folder",
    "directory": "folder", "k8s": "kubernetes", "postgresql": "postgres", "js": "javascript",
    "ts": "typescript", "py": "python", "python3": "python", "auth": "authentication",
    "func": "function", "fn": "function", "param": "parameter", "params": "parameter",
    "arg": "argument", "args": "argument", "favorite": "favourite", "color": "colour",
    "colors": "colour", "active": "activat", "activation": "activat",
    "fail": "failure", "failed": "failure", "fails": "failure", "failing": "failure",
    "failures": "failure", "broke": "break", "broken": "break", "crashed": "crash",
    "ran": "run", "running": "run", "needed": "need", "requires": "need", "required": "need",
    "require": "need", "must": "need", "kids": "child", "kid": "child", "children": "child",
    "people": "person", "men": "man", "women": "woman", "began": "begin", "wrote": "write",
    "written": "write", "built": "build", "sent": "send", "kept": "keep", "bought": "buy",
    "flakey": "flaky", "flaked": "flaky", "flake": "flaky", "flakes": "flaky",
    "intermittent": "flaky", "intermittently": "flaky", "nondeterministic": "flaky",
    "occupied": "in_use", "taken": "in_use", "eaddrinuse": "in_use", "address_in_use": "in_use",
    "already_in_use": "in_use", "in_use": "in_use", "migrations": "migration",
    "migrate": "migration", "migrated": "migration", "migrating": "migration",
    "timeouts": "timeout", "timed_out": "timeout", "times_out": "timeout",
    "cached": "cache", "caching": "cache", "caches": "cache", "lock": "lock_file",
    "lockfile": "lock_file", "lockfiles": "lock_file", "lock_file": "lock_file",
}  # fmt: skip
"""Words, and phrases joined by an underscore, that mean the same wherever code is spoken of."""

_PHRASES = re.compile(
    r"\b(virtual environment|virtual env|address in use|already in use|in use|timed out|times out"
    r"|lock file|no longer)\b",
    re.IGNORECASE,
)


def joined_phrases(text: str) -> str:
    """Return the text with the few phrases that mean one thing written as one word."""
    return _PHRASES.sub(lambda found: found[0].lower().replace(" ", "_"), text)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return what all forms of a lower-case word share. Stems are not always words."""
    known = SYNONYMS.get(word)
    if known is not None:
        return known
    if len(word) < _SHORTEST or word in _NO_ENDING or not word.isalpha():
        return word
    base = _without_ending(word)
    return SYNONYMS.get(base, base)


def _without_ending(word: str) -> str:
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix) and not word.endswith(("ss", "us", "is")):
            rest = word[: -len(suffix)]
            if len(rest) < 2 or _VOWELS.isdisjoint(rest):  # noqa: PLR2004 - "ring" keeps its ending
                return word
            if suffix == "es" and not rest.endswith(("s", "x", "z", "ch", "sh", "o")):
                rest += "e"
            rest += instead
            return _plain_end(rest, cut=suffix in ("ing", "ed"))
    return _plain_end(word, cut=False)


def _plain_end(word: str, *, cut: bool) -> str:
    if cut and len(word) > 2 and word[-1] == word[-2] and word[-1] not in "lsz":  # noqa: PLR2004
        return word[:-1]
    return word[:-1] if word.endswith("e") and len(word) >= _SHORTEST else word


_TOKEN = re.compile(
    r"--?[a-z][\w-]*|[#@]?[\w$]+(?:(?:[./:@+\\-]|::|->)[\w$]+)*(?:\+\+|#|%)?|[.~]?/?[\w.]+/[\w./-]*"
    r"|\.\w+(?:[/.]\w+)*",
    re.IGNORECASE,
)
_APOSTROPHE = re.compile(r"[\u2019`\u00b4]")
_SHORT_NOT = re.compile(
    r"\b(ca|wo|do|does|did|is|are|was|were|has|have|had|should|could|would|must)n't\b",
    re.IGNORECASE,
)


def tokens(text: str) -> list[str]:
    """Return the words of a text in order, as written, with "n't" spelled out as "not"."""
    text = _SHORT_NOT.sub(r"\1 not", _APOSTROPHE.sub("'", text))
    return [token.strip(".,:;") or token for token in _TOKEN.findall(joined_phrases(text))]


def reduced(text: str) -> list[str]:
    """Return the telling words of a text in order, reduced; function words are left out."""
    found = []
    for token in tokens(text):
        word = token.lower().removesuffix("'s")
        if word not in STOP_WORDS and not word.startswith("'"):
            found.append(stem(word))
    return found
