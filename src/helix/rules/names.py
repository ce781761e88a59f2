"""Who is spoken of, and who speaks: people's names in prose.

In talk about code most capitalised words are products, headings and class names, so a
capital alone proves nothing. A word is taken as a name when it is a common given name, or
when the words around it only suit a person ("asked Thandiwe", "Thandiwe wants"). Missing a
rare name costs a link; inventing one from every heading would bury the true ones.
"""

from __future__ import annotations

from helix.rules.given_names import ALSO_WORDS, GIVEN_NAMES
from helix.rules.patterns import lazy
from helix.rules.tokens import Found, Place
from helix.rules.vocabulary import (
    CALENDAR,
    LABELS,
    LANGUAGES,
    PACKAGES,
    PACKAGES_WHEN_CAPITALISED,
    PLACES,
    PRODUCTS,
    ROLES,
    listed,
)
from helix.rules.words import STOP_WORDS

LONGEST_SPEAKER = 40
"""Letters in the name before a colon; a longer run is a clause, not a name."""

_STARTERS = listed("""
    actually again all already also although always another anyway anyone anything apparently
    because before besides both btw but certainly congrats congratulations could currently dear
    each either enough even every everybody everyone everything exactly few fortunately given god
    great have hello hence hey hi however i'd i'll i'm i've indeed instead it's just later let
    let's like likewise look luckily many maybe meanwhile mom dad mostly much neither never
    nevertheless nice nobody nothing now often oh ok once one otherwise perhaps previously probably
    rather really right several since so someone something sometimes soon sorry such sure thank
    thanks that's therefore though three thus today together tomorrow tonight true two unfortunately
    unless until usually very wait we're well whatever whether while without wow yeah yesterday yet
    admin anybody ceo company cto customers client clients developers dev devs engineering
    everyone finance hr leadership legal management manager marketing ops operations product
    qa reviewer reviewers sales somebody stakeholders staff world there folks guys y'all
    """)
_TITLES = listed("dr mr mrs ms miss prof professor")
_NO_NAME = (
    (STOP_WORDS - ALSO_WORDS)
    | _TITLES
    | _STARTERS
    | LABELS
    | LANGUAGES
    | PACKAGES
    | PACKAGES_WHEN_CAPITALISED
    | PRODUCTS
    | CALENDAR
    | ROLES
    | PLACES
)
_CERTAIN = GIVEN_NAMES - ALSO_WORDS - _NO_NAME

_GREETINGS = listed("cc hello hey hi thank thanks")
_TRAILERS = listed(
    """
    assignee author authored-by co-authored-by helped-by owner reported-by reviewed-by reviewer
    signed-off-by suggested-by tested-by
    """
)
_INTRODUCED_BY = listed(
    """
    ask asked asking boss brother colleague contacted coworker daughter emailed father friend
    husband introduced invited told meet met mentor messaged mother named paired ping pinged
    sister son teammate tell wife
    """
)
_DOES = (
    "agreed|agrees|approved|argued|asked|asks|believes|complained|decided|disagreed|disagrees"
    "|emailed|explained|hates|insisted|insists|joined|likes|loves|mentioned|objected|owns|pinged"
    "|prefers|proposed|recommended|replied|reviewed|said|says|suggested|suggests|thinks|told"
    "|wanted|wants|worries"
)
_ACTS = lazy(rf" (?:also |always |never |just )?(?:{_DOES})\b")
_NOT_BEFORE_NAMES = listed(
    "a an the this that these those each every any no some our your its their his her my"
    " fort lake mount new port saint san santa st"
)
_BEFORE_PLACES = listed("in at near to from of around into")
_FAMILY_NAME = lazy(
    r" (?:[A-Z]\. ){0,2}(?:(?:[Dd]el?|della|[Dd]er|den|[Dd]i|[Dd]a|dos|[Dd]u|[Ll]a|[Ll]e|ter"
    r"|[Vv][ao]n|bin|al|el) ){0,2}+"
    r"(?:[OD]['\u2019])?([^\W\d_a-z][^\W\d_]{1,30}+(?:-[^\W\d_]{1,30}+)?)(?![\w(/\\@=]|[.:-]\w)"
)
_NAME_MARKS = dict.fromkeys(map(ord, "-'\u2019"))
_MC = lazy(r"Mc[A-Z][a-z]+$")
_HUMP = lazy(r"[a-z][A-Z]")
_UNLIKE_A_NAME = lazy(r".*(?:able|ed|ers|ing|ings|ion|ions|ity|ly|ment|ness|ors|ware)")
_CONTRACTED = lazy(r"['\u2019](?:t|re|ve|ll)\b")
_MAILBOX = lazy(r" <[^\s<>@]{1,80}@")

_SPEAKER = lazy(
    r"\s{0,8}[*_\[]{0,4}"
    r"((?:[^\W\d_][^\W\d_'\u2019.-]{0,30}+(?:['\u2019.-][^\W\d_]{1,30}+)?\.? ?){1,3})"
    r"[*_\]]{0,4}:[*_]{0,4}(?=\s)"
)


def capitalised(token: str) -> bool:
    """Tell whether a token is written as names are: Ada, Jean-Luc, McKay."""
    if not token.isalpha() and not token.translate(_NAME_MARKS).isalpha():
        return False
    return len(token) > 1 and (token.istitle() or bool(_MC.match(token)))


def person_at(place: Place, *, in_list: bool, in_dialogue: bool) -> Found | None:
    """Return the person whose name begins at a capitalised token, or None.

    `in_list` says that the token continues a list of people ("Ada, Grace and Tuulikki"),
    `in_dialogue` that the text is one in which lines begin with who speaks.
    """
    word = place.token.casefold()
    if word in _NO_NAME and place.previous.casefold() not in _TITLES:
        return None
    name, end = _full_name(place)
    if _is_given(place, word) or _MAILBOX.match(place.text, end):
        return Found("person", name, end)
    if _UNLIKE_A_NAME.fullmatch(word):
        return None
    speaks = in_dialogue and place.opens_line and _spoken_by(place.text, place.start) == name
    known = in_list or speaks or _is_introduced(place) or _ACTS.match(place.text, end)
    return Found("person", name, end) if known else None


def speaker(text: str) -> str | None:
    """Return who says a text: the name before a leading "Name: ", or None.

    One to three capitalised words, or what transcripts call a side ("user", "assistant"),
    which is given in lower case. Labels ("Error:", "Next steps:") speak for no one.
    """
    return _spoken_by(text, 0)


def _spoken_by(text: str, start: int) -> str | None:
    match = _SPEAKER.match(text, start)
    if match is None:
        return None
    name = match[1].rstrip(" .")
    if len(name) > LONGEST_SPEAKER:
        return None
    words = name.casefold().split()
    if name.casefold() in ROLES:
        return name.casefold()
    if len(words) == 1 and words[0] in _CERTAIN:
        return name
    named = all(word[0].isupper() and not word[1:].isupper() for word in name.split())
    return name if named and len(name) > 1 and _NO_NAME.isdisjoint(words) else None


def _is_given(place: Place, word: str) -> bool:
    before = place.previous
    if _CONTRACTED.match(place.text, place.end):
        return False
    if word in _CERTAIN or word.partition("-")[0] in _CERTAIN:
        return place.opens or before.casefold() not in _NOT_BEFORE_NAMES
    if word not in ALSO_WORDS or place.gap not in (" ", ", "):
        return False
    inside = before.islower() and before.isalpha()
    return inside and before not in _NOT_BEFORE_NAMES and before not in _BEFORE_PLACES


def _is_introduced(place: Place) -> bool:
    before = place.previous.casefold()
    if before in _TITLES:
        return place.gap in (" ", ". ")
    if before in _GREETINGS:
        return place.gap in (" ", ", ")
    if before in _TRAILERS:
        return place.gap == ": "
    return place.previous in _INTRODUCED_BY and place.gap in (" ", ", ")


def _full_name(place: Place) -> tuple[str, int]:
    match = _FAMILY_NAME.match(place.text, place.end)
    if match is None or match[1].casefold() in _NO_NAME or not _family_name_like(match[1]):
        return place.token, place.end
    return place.text[place.start : match.end()], match.end()


def _family_name_like(word: str) -> bool:
    if not word[0].isupper() or word.isupper() or word.endswith("ly"):
        return False
    return not _HUMP.search(word.removeprefix("Mc"))
