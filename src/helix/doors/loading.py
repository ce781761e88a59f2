r"""Text that fetches nothing where something shows it as Markdown or HTML.

A picture is fetched unasked, and its address can carry what was read; a link can hide where
it leads. One blank in the right place keeps the words and loads nothing. The blank is put
where an address might lead outside, not only where it plainly does: Markdown reads `https\:`,
`&#104;ttps:` and an address behind a quoted line's `>` like any other, and a browser fetches
for any attribute of any element. What cannot load, such as `x[i](y)` and `List<String>`, stays.

An address in plain sight stays as well: it says where it leads, and waits to be followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_SCHEME = r"[a-z][a-z0-9+.-]*"
_NEXT = r"[\s>]*"  # an address may stand on the next line, also on one that is quoted
# An escape or an entity can stand for any sign of a scheme or of the two slashes of a host.
_VEILED = rf"<|(?:{_SCHEME})?[\\&]|/[/\\&]"


def loading_nothing(text: str) -> str:
    """Return the text with a blank wherever it would fetch something; twice is the same as once."""
    if "](" in text or "]:" in text:
        text = _linked().sub("] ", text)
    if "<" in text:
        text = _tag().sub("< ", text)
        text = _blank_behind(text, _with_attributes(text))
    return text


def _with_attributes(text: str) -> Iterator[int]:
    """Yield where a tag begins that comes to a `=` before it ends, or would if it were closed."""
    begun: list[int] = []
    for found in _tag_parts().finditer(text):
        if found["quoted"]:
            continue
        if found[0] == "<":
            begun.append(found.start())
        elif found[0] == "=":
            # All of them: a tag's name and its attributes may hold a `<`.
            yield from begun
            begun.clear()
        else:
            begun.clear()


def _blank_behind(text: str, places: Iterator[int]) -> str:
    parts, read_to = [], 0
    for place in places:
        parts.append(text[read_to : place + 1])
        read_to = place + 1
    return " ".join([*parts, text[read_to:]])


# Made when they are first needed: most processes end before they show a link or a tag.


@cache
def _linked() -> re.Pattern[str]:
    return re.compile(
        rf"\](?=\({_NEXT}(?:{_SCHEME}:|{_VEILED}))"
        # `[main]: warning: unused` and `[main]: std::move` define no address.
        rf"|\](?=:{_NEXT}(?:{_SCHEME}:[^\s:]|{_VEILED}))",
        re.I,
    )


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(
        r"<(?=(?:img|iframe|object|embed|link|script|style|video|audio|source|svg|meta|base|form)\b"
        r"|[!?]"  # comments hide what they say
        rf"|{_SCHEME}:(?!:)[^\s<>]*>)",
        re.I,
    )


@cache
def _tag_parts() -> re.Pattern[str]:
    # Blanks and `>` that begin a line quote it: Markdown takes them away, and what was open
    # before goes on behind them.
    return re.compile(r"(?P<quoted>^[ \t>]+)|<(?=[a-z])|[>=]", re.I | re.M)
