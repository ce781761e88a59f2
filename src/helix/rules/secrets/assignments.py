"""Values that a name gives away: password = …, API_TOKEN: …, the lines of a .env file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from helix.rules.patterns import lazy
from helix.rules.secrets.likeness import (
    is_uuid,
    leads_elsewhere,
    made_of_words,
    mixed,
    random_looking,
    stands_in,
    wordy,
)

KEYWORDS = (
    "pass", "pwd", "psw", "pssw", "pasw", "pw", "secret", "token", "key", "cred", "auth", "salt",
    "nonce", "sonar", "accessid", "access_id", "client_srt", "signature",
)  # fmt: skip
"""Some of these stands in every name that gives a secret away."""

_CHOSEN = r"pa?s{1,2}[_-]?wo?r?d|passphrase|passcode|pass|pwd|pw"
"""However people shorten it."""

_DRAWN = (
    r"secret|token|api[_. -]?key|access[_. -]?key(?:id)?|accessid|access_id|private[_. -]?key"
    r"|encryption[_. -]?key|signing[_. -]?key|account[_. -]?key|auth[_. -]?key|master[_. -]?key"
    r"|activation[_. -]?key|license[_. -]?key|[a-z]key|client_srt|credentials?|salt|nonce|key|api"
    r"|sonar[_.]login|auth(?:entication|orization)?(?!or)|signature"
)
_ASSIGNED = lazy(
    rf"""(?ix)
    (?P<word>{_CHOSEN}|{_DRAWN})
    (?P<rest>[\w.-]{{0,24}}?)
    (?P<close>\\{{0,3}}["'`\])]{{0,3}})
    [^\S\n]{{0,8}}
    (?P<op>:{{1,3}}=|!=|:\s*[A-Za-z][\w.\[\]]{{1,20}}\s*=|\?=|=>|={{1,2}}>?|:|\bis\b|,[^\S\n]*(?=["']))
    """
)
_VALUE = lazy(
    r"""(?ix)
    [^\S\n]{0,8}
    (?P<prefix>(?:[bru]{1,2}(?=["'])|basic\s+|bearer\s+|getenv\([^,()]{1,40},\s*
        |[\w.]{1,40}[(\[][^()\[\]]{0,60}[)\]]\s*(?:or|\|\||\?\?|\?:)\s*)?)
    (?P<open>\\{0,3}(?:"{1,3}|'{1,3}|`|&quot;)?)
    (?P<value>[^\s"'`<>\\]{1,500})
    """
)
_PUBLIC = lazy(
    r"(?i)public|pub[_-]?key|authors?(?!iz)|version|keyword|keyboard|keyframe|monkey|donkey|turkey|hockey"
    r"|passenger|passive|passing|compass|bypass|encompass|passport|passage|passed|passes"
    r"|tokeniz|tokens?_?(?:count|limit|used|per)|max_?tokens?|num_?tokens?|primary[_-]?key"
    r"|foreign[_-]?key|cache[_-]?key|partition[_-]?key|sort[_-]?key|idempotency|accessibility"
    r"|secretariat|authority|authentic(?!at)|keychain|keyvault|hotkey|keypad|keynote"
)
_NOT_ITSELF = lazy(
    r"(?i)(?:id|name|url|uri|path|file|type|length|size|count|field|header|label|hash|expir\w*"
    r"|ttl|age|format|version|source|class|method|mode|scope|ring|store|pair|tab|selector|chars"
    r"|code|errors?|input|prompt|policy|rules?|hint|reset|manager|provider|service|host|port|for"
    r"|in|to|of|from|on|off|enabled|required|protected|usage|endpoint|variable|index|set|map"
    r"|algorithm|ing|go|py|js|ts|tsx|rs|rb|java|c|h|cpp|md|html|css|fy|bits?|distance|filename|dir|folder|spec|ref|at|date|time|status|state|date)s?$"
)
# Every branch begins with a letter of its own, so that a search can skip to the next of them.
_SIGN = lazy(r"[:=]|,(?=\s?[\"'])|i(?<!\wi)s\b")
_KIND_OF_KEY = lazy(r"(?i)[a-z0-9][_. -]?key$")
_LOOSE = frozenset({"api", "signature", "salt", "nonce"})
_LEFT = lazy(r"[\w.-]*$")
_END_OF_VALUE = lazy(r"""[,;)\]}>]+$|&(?:quot|amp|lt|gt)?;?.*$""")

SHORTEST_CHOSEN = 5
SHORTEST_DRAWN = 8
LONGEST_NAME_BEFORE = 60
NAME_WITHIN = 48
LONGEST_VALUE = 640
"""Letters before a sign in which a name is looked for, and after it in which its value ends."""
SIGN_WITHIN = 48
"""Letters in which a sign ends, with a type in it: `: Optional[str] =`."""
LONGEST_SIGN = 4
"""Letters to see of a sign before it can be told that it is one."""
SEALED = 200
"""Letters: values of a Kubernetes SealedSecret are ciphertext, and meant to be shown."""


def assigned(text: str, lower: str, keywords: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where a value stands that its name gives away.

    `lower` is the text in small letters, `keywords` are those of `KEYWORDS` that it holds.
    """
    at = 0
    sealed = "SealedSecret" in text
    for sign in _signs(lower, keywords):
        if sign.start() < at:
            continue
        start = max(at, sign.start() - NAME_WITHIN)
        near = lower[start : sign.start()]
        if not any(map(near.__contains__, keywords)):
            continue
        found = _ASSIGNED.search(text, start, sign.end() + SIGN_WITHIN)
        if found is None or found.start("op") > sign.end():
            continue
        at = found.end("op")
        said = _VALUE.match(text, at, at + LONGEST_VALUE)
        if said is None:
            continue
        value = _END_OF_VALUE.sub("", said["value"])
        if not value or value.startswith(("[redacted", "=", "//")):
            continue
        if sealed and len(value) >= SEALED:
            continue
        kind = _kind(found, _name(text, found), value, quoted=bool(said["open"]))
        if kind is not None:
            start = said.start("value")
            at = start + len(value)
            yield start, at, kind


def _signs(lower: str, keywords: Collection[str]) -> Iterator[re.Match[str]]:
    # Signs of assignment are common and keywords are not, so they are looked for behind these.
    starts = sorted(at for keyword in keywords for at in _everywhere(keyword, lower))
    searched = 0
    for start in starts:
        end = start + NAME_WITHIN + LONGEST_SIGN
        if end > searched:
            yield from _SIGN.finditer(lower, max(start, searched - LONGEST_SIGN), end)
            searched = end


def _everywhere(keyword: str, text: str) -> Iterator[int]:
    at = text.find(keyword)
    while at >= 0:
        yield at
        at = text.find(keyword, at + 1)


def given_away(name: str, value: str) -> str | None:
    """Return what kind of secret a named value is, as in a mapping; None if it is none."""
    text = f'{name}="{value}"'
    found = next(assigned(text, text.lower(), KEYWORDS), None)
    return found and found[2]


def _name(text: str, found: re.Match[str]) -> str:
    start = found.start()
    before = _LEFT.search(text, max(0, start - LONGEST_NAME_BEFORE), start)
    return (before[0] if before else "") + found["word"] + found["rest"]


def _kind(found: re.Match[str], name: str, value: str, *, quoted: bool) -> str | None:
    rest = found["rest"].strip("_-.")
    if _PUBLIC.search(name) or stands_in(value) or (rest and _NOT_ITSELF.search(rest)):
        return None
    word, sign = found["word"].lower(), found["op"].lower()
    if re.fullmatch(_CHOSEN, word, re.I):
        return "password" if _chosen(value, quoted=quoted, said=sign == "is") else None
    if not _gives_away(word, name, value) and sign != "is" and not sign.startswith(","):
        return None
    secret = _asked_for(name) if is_uuid(value) else _drawn(value)
    return ("token" if "token" in word else "secret") if secret else None


def _gives_away(word: str, name: str, value: str) -> bool:
    # `key` alone names half of all things; with something before it, it is a kind of key.
    if word == "key":
        return bool(_KIND_OF_KEY.search(name)) and len(name) > len("key") + 1
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
