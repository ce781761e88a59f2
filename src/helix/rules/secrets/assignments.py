"""Values that a name gives away: password = …, API_TOKEN: …, the lines of a .env file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from helix.rules.patterns import lazy
from helix.rules.secrets.names import CHOSEN, DRAWN, Name, kind_of

_ASSIGNED = lazy(
    rf"""(?ix)
    (?P<word>{CHOSEN}|{DRAWN})
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
    (?P<value>[^\s"'`<>\\]{1,500}|(?<=["'`])\S)
    """
)
_NAMED = lazy(rf"(?i)(?P<word>{CHOSEN}|{DRAWN})(?P<rest>[\w.-]{{0,24}}?)\W{{0,3}}$")
# Every branch begins with a letter of its own, so that a search can skip to the next of them.
_SIGN = lazy(r"[:=]|,(?=\s?[\"'])|i(?<!\wi)s\b")
_LEFT = lazy(r"[\w.-]*$")
# An ampersand ends a value where it is an entity, or where the next parameter begins.
_END_OF_VALUE = lazy(r"[,;)\]}>]+$|&(?:(?:quot|amp|lt|gt|#\d+);|[\w.-]+=|$).*$")
_ANOTHER = lazy(
    r"(?i)\b(?:cache|redis|memcached|sort|partition|primary|foreign|composite|row|range|map|dict"
    r"|object|s3|bucket|lookup|routing|shard|registry|translation|gpg|pgp|jira|issue) key$"
    r"|\b(?:unexpected|unrecogni[sz]ed|illegal) token$"
)
"""Said in prose, the word is about something else: an address, a key's id, a parser's complaint."""
_NEXT_NAME = lazy(r"""\\{0,3}["'`]\s{0,8}:""")
"""Behind a comma: what looked like the value is the next name, as in `"pwd", "folder": …`."""

LONGEST_NAME_BEFORE = 60
LONGEST_WORD_BEFORE = 16
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
        kept = valued(text, at, _name(text, found), found["op"].lower())
        if kept is None or (sealed and kept[1] - kept[0] >= SEALED):
            continue
        if _ANOTHER.search(text, max(0, found.start() - LONGEST_WORD_BEFORE), found.end("word")):
            continue
        if found["op"].startswith(",") and _NEXT_NAME.match(text, kept[1]):
            continue
        at = kept[1]
        yield kept


def valued(text: str, at: int, name: Name, sign: str = "=") -> tuple[int, int, str] | None:
    """Return where the secret stands that begins at a place and has a name; None if it is none."""
    said = _VALUE.match(text, at, at + LONGEST_VALUE)
    if said is None:
        return None
    start, quoted = said.start("value"), bool(said["open"])
    end = _closed(text, start, said["open"]) if quoted else start
    whole = text[start:end]
    if whole and not re.search(r"\s", whole):
        kind = _kind(name, whole, quoted=True, sign=sign)
        if kind is not None:
            return start, end, kind
    value = _END_OF_VALUE.sub("", said["value"])
    kind = _kind(name, value, quoted=quoted, sign=sign)
    if kind is None:
        return None
    # People put spaces into passwords; machines put none into tokens.
    return start, end if whole and name.chosen else start + len(value), kind


def _kind(name: Name, value: str, *, quoted: bool, sign: str) -> str | None:
    if not value or value.startswith(("[redacted", "=", "//")):
        return None
    return kind_of(name, value, quoted=quoted, sign=sign)


def _closed(text: str, start: int, quote: str) -> int:
    """Return where a quoted value ends on its line; its start if nobody closes it there."""
    limit = text.find("\n", start, start + LONGEST_VALUE)
    limit = start + LONGEST_VALUE if limit < 0 else limit
    end = text.find(quote, start, limit)
    while end > 0 and quote[0] != "\\" and _escaped(text, end):
        end = text.find(quote, end + 1, limit)
    return max(start, end)


def _escaped(text: str, at: int) -> bool:
    return text[at - 1] == "\\" and text[at - 2 : at - 1] != "\\"


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
    of = named(name)
    if of is None:
        return None
    # What opens a value here is part of it: nobody closes it.
    bare = value.strip().strip("\"'`")
    if bare and not re.search(r"\s", bare):
        kind = _kind(of, bare[:LONGEST_VALUE], quoted=True, sign="=")
        if kind is not None:
            return kind
    kept = valued(value, 0, of)
    return kept and kept[2]


def named(name: str) -> Name | None:
    """Return a name by its parts, if any of them gives a value away."""
    found = _NAMED.search(name)
    return found and _name(name, found)


def number_given_away(name: str) -> bool:
    """Return whether a number of this name is a secret: most numbers are counts, of tokens too."""
    of = named(name)
    return of is not None and of.chosen and not of.rest and of.word.lower() not in ("pass", "pw")


def _name(text: str, found: re.Match[str]) -> Name:
    start = found.start()
    before = _LEFT.search(text, max(0, start - LONGEST_NAME_BEFORE), start)
    whole = (before[0] if before else "") + found["word"] + found["rest"]
    return Name(found["word"], found["rest"], whole)
