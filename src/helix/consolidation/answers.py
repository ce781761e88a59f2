"""Short answers made whole: "next April" becomes what is planned for next April.

A short answer means nothing without the question before it and the matter both speak of.
So it is read together with the assistant's question and the memory it concerns, and turned
into a sentence that stands for itself. Where the matter is not clear, nothing is concluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from helix.model.memory import Memory, Status
from helix.rules.relations import telling
from helix.rules.stems import stem
from helix.rules.values import DAY, NAME, values
from helix.rules.vocabulary import PLACES, listed

MOST_WORDS = 9
"""A longer reply is a statement, and is read as one."""

MOST_WORDS_OF_A_CHOICE = 4

WHEN, FOCUS, CHOICE = "when", "focus", "choice"


class Answer(NamedTuple):
    """A short answer as a whole sentence: what it adds to, or replaces."""

    kind: str
    content: str
    slot: str
    base: str
    about: Memory | None
    updates: bool = False


_TRAVEL = frozenset(map(stem, listed(
    "trip travel travelling journey visit vacation holiday flight tour going go leave leaving fly"
    " stay"
)))  # fmt: skip
_WHEN = re.compile(r"\bwhen\b|\bwhat (?:day|date|month|time|year)\b", re.IGNORECASE)
_WANT = re.compile(r"\bwhat (?:do|would) you (?:want|like|plan|hope|love) to (?:do|see)\b", re.I)
_WHICH = re.compile(
    r"\b(?:which|what) ([\w -]{2,40}?) (?:do|does|should|shall|would|will|did|is|are) "
    r"(?:you|we|i|the (?:project|team|repo)|it)\b(.*)\?",
    re.IGNORECASE,
)
_FOR = re.compile(r"\bfor ([^?]{3,60}?)\s*$", re.IGNORECASE)
_EITHER = re.compile(r"\b(?:do|would) you (prefer|like|want|use) (.{2,40}?) or (.{2,40}?)\?", re.I)
_DO_YOU = re.compile(
    r"^(?:do|does) (?:you|the team|the project) (use|prefer|like|need|want) (.{2,60})\?", re.I
)
_YES = re.compile(r"^(?:yes|yep|yeah|yup|sure|correct|right|we do|i do)\b[.! ]*$", re.IGNORECASE)
_NO = re.compile(r"^(?:no|nope|nah|we don't|i don't|not at all)\b[.! ]*$", re.IGNORECASE)
_SOFTLY = re.compile(
    r"^(?:mostly|mainly|probably|just|i think|maybe|primarily|in|on)\s+", re.IGNORECASE
)
_AFTERTHOUGHT = re.compile(r"^(?:actually|sorry|wait|no|correction|oh)\b[, ]*", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead|rather|not in \w+|after all|now)\b", re.IGNORECASE)
_TIME_PHRASE = re.compile(
    r"\b((?:(?:early|late|mid|the end of|next|this|in|on|at|by|around|during) )*"
    r"(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|monday"
    r"|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|fall|winter|week|month"
    r"|year|weekend|tomorrow|\d{4}-\d{2}-\d{2})(?: \d{1,4})?)\b",
    re.IGNORECASE,
)
_JOURNEY = re.compile(
    r"\b(?:planning|taking|going on|preparing|booking) (?:a|an|the|their) ([a-z]+) to "
    r"([A-Z][\w-]+)((?: with [A-Z]\w+(?:(?:,| and) [A-Z]\w+)*)?)"
)


def resolved(
    question: str, reply: str, held: Iterable[Memory], window: Sequence[str]
) -> Answer | None:
    """Return a short reply to a question as a whole sentence, or None where it stays unclear."""
    reply = reply.strip().rstrip(".!")
    if not reply or len(reply.split()) > MOST_WORDS or "?" in reply:
        return None
    choice = _chosen(question, reply)
    if choice is not None:
        return choice
    about = topic(question, held, window)
    if about is None:
        return None
    base = without_time(about.content)
    if _WHEN.search(question) and _TIME_PHRASE.search(reply):
        return Answer("fact", f"{base} {_timed(reply)}.", WHEN, base, about)
    if _WANT.search(question):
        return _focused(reply, about, base)
    return None


def corrected(reply: str, held: Iterable[Memory]) -> Answer | None:
    """Return what "actually, in May instead" replaces: the last answer of the same kind."""
    if not (_AFTERTHOUGHT.match(reply) or _INSTEAD.search(reply)):
        return None
    found = _TIME_PHRASE.search(reply)
    if found is None or len(reply.split()) > MOST_WORDS + 3:
        return None
    timed = [
        each
        for each in held
        if each.status is Status.ACTIVE and each.attributes.get("slot") == WHEN
    ]
    if not timed:
        return None
    old = max(timed, key=lambda each: (each.belief.believed_from, each.id))
    base = str(old.attributes.get("base", without_time(old.content)))
    return Answer("fact", f"{base} {_timed(found[1])}.", WHEN, base, old, updates=True)


def topic(question: str, held: Iterable[Memory], window: Sequence[str]) -> Memory | None:
    """Return the memory that a question is about: by its words, the talk before it, its matter."""
    asked = set(telling(question))
    spoken = {word for each in window for word in telling(each)}
    best: tuple[float, object, Memory] | None = None
    for memory in held:
        # What is built on is the matter itself, not an earlier answer about it.
        if memory.status is not Status.ACTIVE or memory.attributes.get("slot"):
            continue
        words = set(telling(memory.content))
        fit = 2.0 * len(asked & words) + 0.5 * len(spoken & words)
        if asked & _TRAVEL and words & _TRAVEL:
            fit += 1.5
        if "there" in question.lower().rstrip("? ").split():
            fit += 1.0 if words & PLACES else 0.0
        if fit >= 1.0 and (best is None or (fit, memory.belief.believed_from) > best[:2]):
            best = (fit, memory.belief.believed_from, memory)
    return best[2] if best else None


def without_time(content: str) -> str:
    """Return a sentence without its end mark and without the time it names."""
    plain = content.strip().rstrip(".!")
    found = _TIME_PHRASE.search(plain)
    if found is None:
        return plain
    return " ".join((plain[: found.start()] + plain[found.end() :]).split()).rstrip(" ,")


def category(kind: str, content: str) -> str:
    """Return where a statement would be filed: its matter, then its type in the plural."""
    words = set(telling(content))
    matter = "travel" if words & _TRAVEL else "coding"
    return f"{matter}/{kind}s"


def names_in(content: str) -> list[str]:
    """Return the people, places and things a sentence names, as it spells them."""
    found = {each.key for each in values(content) if each.kind == NAME}
    spelled = re.findall(r"[A-Z][\w-]+", content[1:])
    return [word for word in dict.fromkeys(spelled) if word.lower() in found]


def _timed(reply: str) -> str:
    found = _TIME_PHRASE.search(reply)
    phrase = (found[1] if found else reply).strip()
    if re.match(r"(?i)(?:next|this|in|on|at|by|around|during|early|late|tomorrow|the)\b", phrase):
        return phrase
    day = phrase.lower().split()[0]
    on_day = any(each.kind == DAY for each in values(f"on {phrase}")) and day.endswith("day")
    return f"{'on' if on_day else 'in'} {phrase}"


def _focused(reply: str, about: Memory, base: str) -> Answer:
    journey = _JOURNEY.search(base)
    matter = f"their {journey[2]} {journey[1]}{journey[3]}" if journey else f'"{base}"'
    wanted = _SOFTLY.sub("", reply)
    return Answer("preference", f"User wants {matter} to focus on {wanted}.", FOCUS, base, about)


def _chosen(question: str, reply: str) -> Answer | None:
    last = question.strip().splitlines()[-1] if question.strip() else ""
    said = _SOFTLY.sub("", reply)
    if match := _EITHER.search(last):
        one, other = match[2].strip(), match[3].strip()
        if said.lower() in (one.lower(), other.lower()):
            rest = other if said.lower() == one.lower() else one
            return Answer("preference", f"User prefers {said} over {rest}.", CHOICE, "", None)
    if match := _DO_YOU.match(last):
        verb, what = match[1].lower(), match[2].strip()
        if _YES.match(reply):
            return Answer("preference", f"User {verb}s {what}.", CHOICE, "", None)
        if _NO.match(reply):
            return Answer("preference", f"User does not {verb} {what}.", CHOICE, "", None)
    names_one = len(said.split()) <= MOST_WORDS_OF_A_CHOICE and "," not in said
    if (match := _WHICH.search(last)) and names_one and values(f"is {said}"):
        noun, purpose = match[1].strip(), _FOR.search(match[2].rstrip("?"))
        for_what = f" for {purpose[1]}" if purpose else ""
        return Answer("decision", f"The {noun}{for_what} is {said}.", CHOICE, "", None)
    return None
