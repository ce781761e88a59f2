"""Taking disguises off: the letters a reader would see, and notes of what hid them."""

from __future__ import annotations

import unicodedata

from helix.rules.patterns import lazy

TAGS = lazy("[\U000e0000-\U000e007f]+")
_BIDI = lazy("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = lazy(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    "\u2060-\u2064\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0100-\U000e01ef]"
)
_HIDDEN_IN_WORD = lazy("[a-zA-Z][\u200b-\u200d\u2060\ufeff\u00ad][a-zA-Z]")
_RUN = lazy(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = lazy(r"(?:[0-9a-fA-F]{2}){12,}")

LOOK_ALIKES = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458"
    "\u0455\u04bb\u0501\u051b\u051d\u0261\u0131\u03bf\u03b1\u03bd\u03c1\u03c4\u03c5\u03b5"
    "\u03b9\u03ba\u03c7\u0410\u0412\u0415\u0406\u041a\u041c\u041d\u041e\u0420\u0421\u0422"
    "\u0425\u0405\u0408\u0399\u039f\u0391\u0392\u0395\u0396\u0397\u039a\u039c\u039d\u03a1"
    "\u03a4\u03a5\u03a7",
    "abekmhopctyxijshdqwgioavptueikxABEIKMHOPCTXSJIOABEZHKMNPTYX",
)
"""Letters of other alphabets that look like Latin ones, and those they look like."""

_ALIKE = "".join(map(chr, LOOK_ALIKES))
_ANY_ALIKE = lazy(f"[{_ALIKE}]")
_TWO_ALPHABETS = lazy(f"[A-Za-z][{_ALIKE}]|[{_ALIKE}][A-Za-z]")

READ_ALONE = 8
"""Decoded texts that are read one by one; all further ones are read as one text, so that
thousands of them cost no more than their letters, and none hides behind the others."""

READABLE_SHARE = 0.9
_URL_SAFE = str.maketrans("-_", "+/")


def undisguised(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the letters a reader would see, and what had hidden them."""
    if text.isascii():
        return text, ()
    hidden: list[str] = []
    # Most texts hold a dash or an arrow and nothing else: which letters there are at all is found
    # in one pass, and only those that are there are looked for in their places.
    letters = "".join(set(text))
    if TAGS.search(letters):
        hidden.append("tag characters")
        text = TAGS.sub(lambda found: "".join(map(_untagged, found[0])), text)
    if _BIDI.search(letters):
        hidden.append("reading order")
        text = _BIDI.sub("", text)
    if _INVISIBLE.search(letters):
        if _HIDDEN_IN_WORD.search(text):
            hidden.append("invisible letters")
        text = _INVISIBLE.sub("", text)
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
        letters = "".join(set(text))
    if _ANY_ALIKE.search(letters):
        if _TWO_ALPHABETS.search(text):
            hidden.append("look-alike letters")
        text = text.translate(LOOK_ALIKES)
    return text, tuple(hidden)


def decoded(text: str) -> list[str]:
    """Return what base64 and hexadecimal runs say, if they say anything readable."""
    said = list(filter(None, map(_plain, _RUN.findall(text))))
    rest = said[READ_ALONE:]
    return [*said[:READ_ALONE], "\n\n".join(rest)] if rest else said


def _plain(run: str) -> str:
    import base64  # noqa: PLC0415 - few texts hold anything encoded

    try:
        if _HEX.fullmatch(run):
            raw = bytes.fromhex(run)
        else:
            whole = run.rstrip("=").translate(_URL_SAFE)
            whole = whole[: len(whole) // 4 * 4 + (len(whole) % 4 if len(whole) % 4 > 1 else 0)]
            raw = base64.b64decode(whole + "=" * (-len(whole) % 4))
        text = raw.decode()
    except ValueError:  # binascii.Error is one
        return ""
    if " " not in text:
        return ""
    readable = sum(each.isprintable() or each in "\n\t" for each in text)
    return text if readable >= READABLE_SHARE * len(text) else ""


def _untagged(letter: str) -> str:
    plain = ord(letter) - 0xE0000
    return chr(plain) if 0x20 <= plain < 0x7F else ""  # noqa: PLR2004 - the printable ones
