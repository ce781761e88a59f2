"""What a name says of the value beside it: a password somebody chose, a token that was drawn."""

from __future__ import annotations

import re
from typing import NamedTuple

from helix.rules.patterns import lazy
from helix.rules.secrets.likeness import (
    is_uuid,
    leads_elsewhere,
    made_of_words,
    mixed,
    names_a_method,
    random_looking,
    stands_in,
    wordy,
)

KEYWORDS = (
    "pass", "pwd", "psw", "pssw", "pasw", "pw", "secret", "token", "key", "cred", "auth", "salt",
    "nonce", "sonar", "accessid", "access_id", "client_srt", "signature",
)  # fmt: skip
"""Some of these stands in every name that gives a secret away."""

CHOSEN = r"pa?s{1,2}[_-]?wo?r?d|passphrase|passcode|pass|pwd|pw"
"""However people shorten it."""

DRAWN = (
    r"secret|token|api[_. -]?key|access[_. -]?key(?:id)?|accessid|access_id|private[_. -]?key"
    r"|encryption[_. -]?key|signing[_. -]?key|account[_. -]?key|auth[_. -]?key|master[_. -]?key"
    r"|activation[_. -]?key|license[_. -]?key|[a-z]key|client_srt|credentials?|salt|nonce|key|api"
    r"|sonar[_.]login|auth(?:entication|orization)?(?!or)|signature"
)
_PUBLIC = lazy(
    r"(?i)public|pub[_-]?key|authors?(?!iz)|version|keyword|keyboard|keyframe|monkey|donkey|turkey|hockey"
    r"|passenger|passive|passing|compass|bypass|encompass|passport|passage|passed|passes"
    r"|tokeniz|tokens?_?(?:count|limit|used|per)|max_?tokens?|num_?tokens?|primary[_-]?key"
    r"|foreign[_-]?key|cache[_-]?key|partition[_-]?key|sort[_-]?key|(?:object|dedup|join|group)[_-]?key|idempotency|accessibility"
    r"|secretariat|authority|authentic(?!at)|keychain|keyvault|hotkey|keypad|keynote"
)
_NOT_ITSELF = lazy(
    r"(?i)(?:id|name|url|uri|path|file|type|length|size|count|field|header|label|hash|expir\w*"
    r"|ttl|age|format|version|source|class|method|mode|scope|ring|store|pair|tab|selector|chars"
    r"|code|errors?|input|prompt|policy|rules?|hint|reset|manager|provider|service|host|port|for"
    r"|in|to|of|from|on|off|enabled|required|protected|usage|endpoint|variable|index|set|map"
    r"|algorithm|ing|go|py|js|ts|tsx|rs|rb|java|c|h|cpp|md|html|css|fy|bits?|distance|filename|dir|folder|spec|ref|at|date|time|status|state|date)s?$"
)
_KIND_OF_KEY = lazy(r"(?i)[a-z0-9][_. -]?key$")
_LOOSE = frozenset({"api", "signature", "salt", "nonce"})
_TEST = lazy(r"(?:Test|Example|Benchmark|Fuzz)[A-Z_]|tests?[_/.-]")
"""What passed, where a report of tests says `PASS:`."""
_COMPOSED = lazy(r"(?:[A-Za-z]{3,}\d?|\d{1,4}|v\d)(?:[_:#/.-](?:[A-Za-z]{2,}\d?|\d{1,4}|v\d))+")

SHORTEST_CHOSEN = 5
SHORTEST_DRAWN = 8


class Name(NamedTuple):
    """A name: the word that gives its value away, what follows that word, and all of it."""

    word: str
    rest: str
    whole: str

    @property
    def chosen(self) -> bool:
        """Whether it names what a person thinks up."""
        return re.fullmatch(CHOSEN, self.word, re.I) is not None


def kind_of(name: Name, value: str, *, quoted: bool, sign: str = "=") -> str | None:
    """Return what kind of secret a named value is; None if it is none."""
    rest = name.rest.strip("_-.")
    if _PUBLIC.search(name.whole) or (rest and _NOT_ITSELF.search(rest)):
        return None
    secret = (
        _password(name, value, quoted=quoted, sign=sign)
        if name.chosen
        else _token(name, value, sign)
    )
    # Looked at last: it takes longest, and most values are neither.
    if not secret or stands_in(value) or names_a_method(value):
        return None
    return "password" if name.chosen else "token" if "token" in name.word.lower() else "secret"


def _password(name: Name, value: str, *, quoted: bool, sign: str) -> bool:
    if name.whole.lower() == "pass" and _TEST.match(value):
        return False
    return _chosen(value, quoted=quoted, said=sign == "is")


def _token(name: Name, value: str, sign: str) -> bool:
    if not _gives_away(name, value, sign):
        return False
    return _asked_for(name.whole) if is_uuid(value) else _drawn(value)


def _gives_away(name: Name, value: str, sign: str) -> bool:
    word = name.word.lower()
    if sign == "is":
        # Prose speaks of keys that are addresses: "the key is session_2024_v2".
        return word != "key" or not _COMPOSED.fullmatch(value)
    if sign.startswith(","):
        return True
    # `key` alone names half of all things; with something before it, it is a kind of key.
    if word == "key":
        return bool(_KIND_OF_KEY.search(name.whole)) and len(name.whole) > len("key") + 1
    return word not in _LOOSE or len(value) >= 2 * SHORTEST_DRAWN


def _asked_for(name: str) -> bool:
    return any(each in name.lower() for each in ("token", "secret", "api", "key", "password"))


def _chosen(value: str, *, quoted: bool, said: bool) -> bool:
    if len(value) < SHORTEST_CHOSEN or leads_elsewhere(value):
        return False
    if quoted and not said:
        return not wordy(value) or len(set(value)) > 5  # noqa: PLR2004
    prose = wordy(value) or (len(value) > 2 * SHORTEST_DRAWN and made_of_words(value))
    return mixed(value) and not prose


def _drawn(value: str) -> bool:
    if len(value) < SHORTEST_DRAWN or leads_elsewhere(value) or wordy(value):
        return False
    return random_looking(value)
