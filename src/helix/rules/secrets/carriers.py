"""Texts that carry a credential: URLs, headers, command lines, SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from helix.rules.patterns import lazy
from helix.rules.secrets.likeness import mixed, stands_in, wordy

_URL = lazy(
    r"(?i)\b[a-z][a-z0-9+.-]{1,20}://(?P<user>[^\s:/@\"'<>]{0,100}):(?P<v>[^\s@/\"'<>]{3,200})@"
)
_HEADER = lazy(
    r"(?i)\b(?:proxy-)?authorization\\?[\"']?\s*[:=,]\s*\\?[\"']?"
    r"(?P<scheme>bearer|basic|token|digest|ntlm|negotiate|ssws)\s+(?P<v>[\w+/=.~:-]{8,})"
    r"|\b(?P<scheme2>bearer)\s+(?P<v2>(?=[\w+/=.~-]*\d)[\w+/=.~-]{20,})"
    r"|\boauth_signature=\\?\"?(?P<v3>[\w%+/=-]{16,})"
)
# Patterns that begin with a letter of their own are searched by skipping from one to the next.
_FLAG = lazy(
    r"(?i)-(?<![\w-]-)-?(?:pass(?:word|wd|phrase)?|pwd|token|secret|api-?key|db-password)"
    r"(?:[ =]+)[\"']?(?P<v>[^\s\"']{5,200})"
    r"|-passin(?:put)?\s+[\"']?pass:(?P<v2>[^\s\"']{4,200})"
)
_COMMAND = lazy(
    r"(?i)\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]+[\"']?[^\s:\"']+:(?P<v>[^\s\"']{4,200})"
    r"|\b(?:mysql|mysqldump|mariadb)\b[^\n]{0,120}?\s-p(?P<v2>[^\s\"'-]\S{3,100})"
    r"|\bsshpass\s+-p\s*[\"']?(?P<v3>[^\s\"']{4,200})"
)
_SQL = lazy(
    r"(?i)\b(?:identified\s+(?:with\s+\S+\s+)?(?:by|as(?=\s+[\"']))(?:\s+password)?"
    r"|(?:user|role|login)\s+[^;\n]{1,120}?\bpassword\s*=?)\s*\(?\s*"
    r"(?P<q>\\?[\"'`])?(?P<v>[^\s\"'`;)\\]{4,200})"
)
_STATEMENT = lazy(r"(?i)\b(?:create|alter|identified|with|grant)\b|=\s*$")
LONGEST_VERB = 20
_DEFINED = lazy(
    r"(?i)(?:[#%]\s*(?:define|global)|\b(?:setx?|env)(?:\s-[a-z]{1,2})?)(?:\s|\\t)+\w*(?:pa?s{1,2}wo?r?d|secret|token)\w*"
    r"(?:\s|\\t)+\\?[\"']?(?P<v>[^\s\"'\\]{5,200})"
)
_KEY_FILE = lazy(r"\"(?:type\"\s*:\s*\"service_account|kty\"\s*:\s*\"\[?(?:RSA|EC|oct|OKP)\]?)\"")
_JWK = lazy(r"\"(?:d|k|p|q|dp|dq|qi)\"\s*:\s*\"(?P<v>[\w-]{20,})\"")
_PAIR = lazy(
    r"(?i)(?<![\w/])(?:id|user(?:name)?|login)\s?/\s?(?:pw|pwd|pass(?:word|wd)?)\s*[:=(]?\s*"
    r"[\w.@-]{2,40}\s?[/,]\s?(?P<v>[^\s,;\"'()]{5,100})"
)


def carried(text: str, said: Set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where something carries a credential; `said` are those of `HINTS` that it holds."""
    for hints, find in _CARRIERS:
        if not said.isdisjoint(hints):
            yield from find(text)


def _in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _URL.finditer(text):
        if not stands_in(found["v"]) and found["v"].lower() not in _WEAK:
            yield *found.span("v"), "url-password"


def _in_headers(text: str) -> Iterator[tuple[int, int, str]]:
    return _matches(_HEADER, text, "authorization")


def _in_flags(text: str) -> Iterator[tuple[int, int, str]]:
    return _matches(_FLAG, text, "password", plausible=True)


def _in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    return _matches(_COMMAND, text, "password", plausible=True)


def _in_sql(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _SQL.finditer(text):
        value = found["v"]
        if stands_in(value) or value.lower() == "pass":
            continue
        # Prose speaks of users and passwords as well; only a statement leaves the quotes away.
        begun = text[max(0, found.start() - LONGEST_VERB) : found.start("v")]
        if found["q"] or (mixed(value) and _STATEMENT.search(begun)):
            yield *found.span("v"), "password"


def _in_definitions(text: str) -> Iterator[tuple[int, int, str]]:
    return _matches(_DEFINED, text, "password", plausible=True)


def _in_key_files(text: str) -> Iterator[tuple[int, int, str]]:
    # The word that makes a key file one is taken too: with it goes what to do with the rest.
    yield from ((*found.span(), "key-file") for found in _KEY_FILE.finditer(text))
    yield from _matches(_JWK, text, "private-key")


def _in_pairs(text: str) -> Iterator[tuple[int, int, str]]:
    return _matches(_PAIR, text, "password", plausible=True)


_CARRIERS = (
    (("://",), _in_urls),
    (("authorization", "bearer", "oauth_"), _in_headers),
    (("-p", "--"), _in_flags),
    (("curl", "mysql", "mariadb", "sshpass"), _in_commands),
    (("identified", "password"), _in_sql),
    (("define", "global", "set ", "setx ", "env "), _in_definitions),
    (('"kty"', '"service_account"'), _in_key_files),
    (("/p",), _in_pairs),
)
"""What must stand in a text for each to be worth looking for."""

HINTS = tuple(hint for hints, _ in _CARRIERS for hint in hints)
"""All of these, in small letters."""

_WEAK = frozenset({"password", "pass", "pwd", "secret", "token", "x-oauth-basic", "oauth2"})


def _matches(
    pattern: re.Pattern[str], text: str, kind: str, *, plausible: bool = False
) -> Iterator[tuple[int, int, str]]:
    for found in pattern.finditer(text):
        group = next(name for name, said in found.groupdict().items() if said and name[0] == "v")
        value = found[group]
        if stands_in(value) or (plausible and (wordy(value) or not mixed(value))):
            continue
        yield *found.span(group), kind
