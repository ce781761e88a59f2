"""Making text harmless to show: recalled text is data, whatever it contains.

A terminal obeys escape sequences, and some letters are invisible or turn the reading order
around. Here they become visible, so that a memory can neither recolour a screen, nor hide
words, nor pass itself off as a line of Helix.
"""

from __future__ import annotations

import re
from functools import cache

from helix.doors.joiners import STRAY_JOINER
from helix.doors.loading import loading_nothing
from helix.rules.echo import unforged

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""What is unruly in ASCII: controls without tab and newline, and DEL."""


def neutral(text: str) -> str:
    """Return the text spelled out, loading nothing and forging no fence; lines are kept."""
    # The fence first: it is recognised by letters that are then spelled out.
    return loading_nothing(spelled(unforged(text)))


def spelled(text: str) -> str:
    """Return the text with unruly characters spelled out, and what it links to left alone."""
    return _unruly(text).sub(_spelled, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return the text neutral and on one line."""
    return neutral(" ".join(text.split()))


def shell_word(text: str) -> str:
    """Return a path or a name as one word of a command that is to be typed as it is shown."""
    from shlex import quote

    # Blanks are letters of a path; a line break would end the line it is shown in.
    word = quote(text)
    return neutral(word) if len(word.splitlines()) == 1 else one_line(word)


def neutral_json(text: str) -> str:
    """Return JSON that means the same and in which no unruly character stands raw."""
    return _unruly(text).sub(_json_escaped, text)


def _spelled(found: re.Match[str]) -> str:
    # The same words as a Python literal: \x1b, \u202e, \U000e0041.
    return found[0].encode("unicode_escape").decode("ascii")


def _json_escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0xFFFF:  # noqa: PLR2004 - beyond it, JSON writes two halves
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _unruly(text: str) -> re.Pattern[str]:
    """Return what to look for in a text; few hold more than ASCII, and that is told at once."""
    return _CONTROLS if text.isascii() else _unruly_letters()


@cache
def _unruly_letters() -> re.Pattern[str]:
    return re.compile(
        "["
        "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and newline, DEL, C1
        "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # reading order (bidi)
        "\u2028\u2029"  # line breaks that are not newlines
        "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u206f"  # invisible
        "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"  # invisible
        "\U000e0000-\U000e0fff"  # tags and selectors of variants: invisible alphabets
        "\ud800-\udfff"  # half characters, which cannot be printed
        "]"
        # One selector chooses how a sign is drawn; a row of them spells something.
        "|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
        f"|{STRAY_JOINER}"
    )
