"""Joiners where nothing asks for them: two letters that nobody sees, and so an alphabet.

U+200D joins and U+200C parts what stands beside it. A family of emoji is joined, a Persian
word is parted; behind an English sentence a row of both spells whatever somebody wants to
hide. One is left alone only where it changes how its neighbours are drawn.
"""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
# Signs, skin tones among them; one may be followed by a selector that draws it in colour.
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
_ARABIC = "\u0620-\u06ff\u0750-\u077f\u0870-\u088e\u0898-\u08ff\ufb50-\ufdff\ufe70-\ufefc"
# Unseen letters of these blocks are left out: they are spelled out themselves.
_JOINING = (
    f"{_ARABIC}\u0700-\u074f\u07c0-\u07ff\u0840-\u085f"  # and Syriac, N'Ko, Mandaic
    "\u0900-\u0dff"  # Devanagari to Sinhala
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17b3\u17b6-\u17ff\u1800-\u180a\u1810-\u18af"  # Khmer, Mongolian
    "\u1900-\u194f\u1a20-\u1aaf\u1b00-\u1bff\ua800-\ua82f\ua840-\ua8df\ua900-\ua9df"
    "\U00011000-\U000114df\U00011580-\U000116cf\U00011700-\U00011a4f\U00011c00-\U00011eff"
)

STRAY_JOINER = (
    "(?!"
    f"(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\ufe0f))\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING}])[{_JOINERS}](?=[{_JOINING}])"
    f"|(?<=[0-9A-Za-z])\u200c(?=[{_ARABIC}])"  # a Persian ending behind a foreign word
    f"|(?<=\u0d4d)\u200d(?![{_JOINERS}])"  # the older spelling of Malayalam's last consonants
    f")[{_JOINERS}]"
)
"""A pattern for one joiner that joins nothing, or stands in a row."""
