"""Whether a text itself says that a thing it names is not there, or is not to be.

"src/old.py was removed" is borne out by a tree without it. Only what stands right beside the
name counts: a denial of something else in the same sentence is about something else.
"""

from __future__ import annotations

import re

BESIDE = 80
"""Letters on either side of a name in which its denial is looked for."""

_OTHER = (
    r"(?!(?:before|until|unless|without|after|when|if|because|in|by|from|of|to|with|on"
    r"|forget|skip|miss|omit)\b)"
)
"""What stands between a denial and a name turns it to something else, if it is one of these."""

_BEFORE = re.compile(
    r"\b(?:never|do not|don't|does not|doesn't|must not|mustn't|should not|shouldn't|cannot|can't"
    r"|not|no|avoid|stop|stopped|instead of|rather than|used to|got rid of|former|formerly"
    r"|(?:remov|delet|renam|mov|replac|retir)(?:ed?|es|ing)|drop(?:ped|ping)?)"
    rf"(?:\s+{_OTHER}[a-z]+){{0,3}}\s+[`'\"(]*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^[`'\")]*\s+(?:(?:file|target|command|module|function|script|folder)\s+)?"
    r"(?:(?:was|is|were|are|got|has been|have been|will be)\s+)?(?:(?:now|since|already|long)\s+)?"
    r"(?:removed|deleted|dropped|gone|replaced|renamed|moved|retired|deprecated|obsolete|forbidden"
    r"|no longer|not (?:used|there|allowed)|(?:does not|doesn't|must not) exist"
    r"|must not be (?:created|added|used))\b",
    re.IGNORECASE,
)


def said_to_be_absent(text: str, name: str) -> bool:
    """Return whether a text denies, forbids or calls removed what it names."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        before, after = text[max(0, at - BESIDE) : at], text[end : end + BESIDE]
        if _BEFORE.search(before) or _AFTER.match(after):
            return True
        at = text.find(name, end)
    return False
