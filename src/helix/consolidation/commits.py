"""What a project's own history states: what it moved to, dropped, renamed, requires.

A commit's subject is a claim by somebody who could make it true, in a form that hardly
varies. Only forms that state something lasting are read; a fix or a tidy-up states nothing
that a reader needs tomorrow, and stays an episode.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from helix.consolidation.talk import Said
from helix.rules.values import value_of

MOST_LETTERS = 140

_PREFIX = re.compile(r"^(?:[^\w\"'`]+|:\w+:\s*)?(?:\w+(?:\([^)]*\))?!?:\s+)?(?:[^\w\"'`]+\s*)?")
_TAIL = re.compile(r"(?:\(#\d+\)|#\d+|\[\w[\w ]*\])$")
LONGEST_LINE = 1_000
"""Letters of a first line that are looked at: what is longer is no subject."""
_BUMP = re.compile(
    r"^(?:bump|upgrade|update)s?d? (?:the )?([\w@/.\-\[\]]+)(?: requirement)?"
    r"(?: (?:from|in [\w/.-]+ from) \S+)? to ([\^~<>=]*v?\d[\w.*+-]*)(?: in (?:the )?\S+)?$",
    re.IGNORECASE,
)
_DROP = re.compile(r"^(?:drop|end|remove)(?:s|ed|ping)? (?:the )?support (?:for|of) (.+)", re.I)
_ADD = re.compile(
    r"^(?:add|adds|added|enable|implement)s? (?:initial |basic |full )?support (?:for|of) (.+)",
    re.I,
)
_THING = r"(`[^`]{1,60}`|[^\s`]+(?: [^\s`]+){0,3})"
_WHY = r"(?:,? (?:to|for|so|because|since|in order|when|as|due|and) .*)?$"
_MOVE = re.compile(
    rf"^(?:switch|migrate|convert|moved?|port)(?:s|ed|es)? (?:{_THING} )?from {_THING} to {_THING}"
    rf"{_WHY}",
    re.IGNORECASE,
)
_REPLACE = re.compile(rf"^replace[sd]? {_THING} (?:with|by) {_THING}{_WHY}", re.IGNORECASE)
_INSTEAD = re.compile(
    rf"^use[sd]? {_THING} (?:instead of|in place of|rather than) {_THING}{_WHY}", re.IGNORECASE
)
_NAME = r"(`[^`]{1,60}`|[\w./:-]+)"
_RENAME = re.compile(rf"^renam(?:e|es|ed|ing) (?:the )?{_NAME} to {_NAME}{_WHY}", re.IGNORECASE)
_DEPRECATE = re.compile(r"^deprecat(?:e|es|ed|ing) (?:the )?(.{2,80})$", re.IGNORECASE)
_REQUIRE = re.compile(r"^requires? (?:at least )?(.{2,60}\d.*)$", re.IGNORECASE)
_REVERT = re.compile(r"^revert(?:s|ed)? [\"'\u201c](?!revert)(.{5,120}?)[\"'\u201d]", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(this|that|it|its|some|one|few|various|several|another|same|them|other|others|stuff|things"
    r"|better|proper|correct|right|actual|simpler|new|more|also|only|where|when|because)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\b(?:on|in|for|with|by|to|from|of|and|or|as|at|if)\b", re.IGNORECASE)
_FILE = re.compile(r"\.(?:py|toml|json|cfg|txt|md|ya?ml|lock)$", re.IGNORECASE)
_NAMED = re.compile(r"[`\d_./]|\b[A-Z]\w|[a-z][A-Z]")


def stated(subject: str) -> Said | None:
    """Return what the subject of a commit states for good, or None."""
    line = subject.split("\n", 1)[0][:LONGEST_LINE]
    plain = _without_tail(_without_tail(_PREFIX.sub("", line).strip()))
    if not plain or len(plain) > MOST_LETTERS:
        return None
    for pattern, write in _FORMS:
        match = pattern.match(plain)
        if match is None:
            continue
        said = write(match)
        parts = [each for each in match.groups() if each]
        if said is None or any(_VAGUE.search(each) for each in parts):
            return None
        if pattern in _SHORT and any(_JOINED.search(each) for each in parts):
            return None
        # An unnamed thing ("migrate from old code to new code") is known to its author only.
        named = pattern is _BUMP or all(_NAMED.search(each) or _is_name(each) for each in parts)
        if not named:
            return None
        # A name keeps its spelling, even where it begins the sentence.
        return Said(said.kind, f"{said.content.rstrip('.')}.", said.updates)
    return None


def _without_tail(line: str) -> str:
    # By hand: a pattern that takes spaces and marks off the end tries every one of them as a
    # beginning, and a line of spaces took seconds.
    return _TAIL.sub("", line.rstrip(". \t\r\f\v")).rstrip()


def _is_name(part: str) -> bool:
    return len(part.split()) == 1 and value_of(part.strip("'\"")) is not None


_SHORT = (_MOVE, _REPLACE, _INSTEAD)


def _bumped(match: re.Match[str]) -> Said | None:
    if _FILE.search(match[1]) or match[1].lower() in ("version", "dependencies", "release"):
        return None
    return Said("fact", f"{match[1]} is at version {match[2].lstrip('^~<>=')}", updates=True)


def _moved(match: re.Match[str]) -> Said:
    what = f"{match[1]} moved" if match[1] else "The project moved"
    return Said("decision", f"{what} from {match[2]} to {match[3]}", updates=True)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Said | None]], ...] = (
    (_REVERT, lambda m: Said("fact", f'The change "{m[1]}" was reverted')),
    (_BUMP, _bumped),
    (_DROP, lambda m: Said("fact", f"Support for {m[1]} was dropped", updates=True)),
    (_ADD, lambda m: Said("fact", f"Support for {m[1]} was added")),
    (_MOVE, _moved),
    (_REPLACE, lambda m: Said("decision", f"{m[2]} replaces {m[1]}", updates=True)),
    (_INSTEAD, lambda m: Said("convention", f"Use {m[1]} instead of {m[2]}", updates=True)),
    (_RENAME, lambda m: Said("fact", f"{m[1]} is now called {m[2]}", updates=True)),
    (_DEPRECATE, lambda m: Said("fact", f"Deprecated: {m[1]}", updates=True)),
    (_REQUIRE, lambda m: Said("fact", f"The project requires {m[1]}", updates=True)),
)
