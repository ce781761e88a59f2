"""What the spelling of a single token says it is.

Files, addresses, packages, error codes, issues, versions and identifiers are told apart by
their form alone, with a few closed lists where forms collide (`main.go` is a file,
`math.log` is not). What could be ordinary English ("and/or", "e.g.", "TCP/IP") is nothing.
"""

from __future__ import annotations

from helix.rules.codes import code_of
from helix.rules.paths import EXTENSIONS, extension, file_name, is_domain, path_of
from helix.rules.patterns import lazy
from helix.rules.vocabulary import LANGUAGES, PACKAGES, PACKAGES_WHEN_CAPITALISED, PRODUCTS, listed
from helix.rules.words import STOP_WORDS

LONGEST_NAME = 200
"""Letters; longer tokens are blobs (base64, minified code, query strings), not names."""
_LONGEST_WORD = 60  # letters of an identifier without dots
_SHORTEST_PIECE = 3

_JOINTS = lazy(r"\.|::|->|#|\(")
_WORD = r"[^\W\d]\w*+"
_DOTTED = lazy(rf"{_WORD}(?:(?:\.|::|->|#){_WORD})++(?:\(\))?")
_CALL = lazy(rf"{_WORD}\(\)")
_HUMPS = lazy(r"(?=\w*[a-z])[A-Za-z]\w*[a-z0-9][A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*")
_SNAKE = lazy(r"\w*[^\W_]_+[^\W_]\w*|__[a-z]\w*__|_[a-z]\w{2,}")
_NAME = lazy(r"(?:Mc|Mac|De|La|Le|Van)[A-Z][a-z]+$")
_FLAG = lazy(r"--[a-z][\w-]{2,}")
_PINNED = lazy(r"([A-Za-z][\w.-]*[A-Za-z0-9])(?:==v?\d+\.|[><~!]=\d+\.|@v?\d+\.|@latest$|@next$).*")
_SCOPED = lazy(r"(@[a-z0-9][\w.-]*/[a-z0-9][\w.-]*)(?:@[\w.^~*-]+|/.*)?")
_HANDLE = lazy(r"@(?!v\d)[A-Za-z0-9][A-Za-z0-9-]{1,38}")
_NOT_HANDLES = listed("""
    abstract apply author autowired bean before charset classmethod component contextmanager
    container controller override import keyframes media supports layer page font-face tailwind
    dataclass deprecated entity example extends fixture get given ignore inject injectable input
    internal mixin module namespace output override overload param params patch post private
    property props protected public pytest readonly repository return returns see service since
    staticmethod template test throws todo ts-expect-error ts-ignore ts-nocheck type typedef
    wraps everyone here channel latest next all jsx world readme errorhandler route
    """)


def kind_of(token: str) -> tuple[str, str] | None:
    """Return the kind and the name that the spelling of a compound token shows, or None."""
    if len(token) > LONGEST_NAME:
        return None
    if "://" in token:
        return "url", token
    if "@" in token:
        return _with_at(token)
    code = code_of(token)
    if code or token[0] == "#" or token[0].isdigit():
        return code
    if "/" in token or "\\" in token:
        return path_of(token)
    return _with_equals(token) if "=" in token else _plain(token)


def kind_of_word(word: str, *, capital_tells: bool = False) -> tuple[str, str] | None:
    """Return the same for a token of nothing but letters.

    `capital_tells` says that nothing but the meaning explains a capital here: the word stands
    inside a sentence, after a word without one.
    """
    lower = word.lower()
    if lower in PACKAGES or (capital_tells and lower in PACKAGES_WHEN_CAPITALISED):
        return "package", word
    if file_name(word):
        return "file", word
    if word.istitle() or lower in PRODUCTS or lower in LANGUAGES:
        return None
    if code := code_of(word):
        return code
    return ("identifier", word) if _HUMPS.fullmatch(word) and not _NAME.match(word) else None


def _with_at(token: str) -> tuple[str, str] | None:
    if token[0] != "@":
        pinned = _PINNED.fullmatch(token)
        return ("package", pinned[1]) if pinned else None
    if extension(token) in EXTENSIONS or token[-1] == "/":
        return "file", token[1:]  # how agents are pointed at a file
    if scoped := _SCOPED.fullmatch(token):
        return "package", scoped[1]
    if _HANDLE.fullmatch(token) and token[1:].lower() not in _NOT_HANDLES:
        return "person", token
    return None


def _with_equals(token: str) -> tuple[str, str] | None:
    if pinned := _PINNED.fullmatch(token):
        return "package", pinned[1]
    name = token.partition("=")[0]
    return _plain(name) if name else None


def _plain(token: str) -> tuple[str, str] | None:
    if token.isalpha():
        return kind_of_word(token)
    if token.lower() in PACKAGES:
        return "package", token
    if file := file_name(token):
        return "file", file
    if _DOTTED.fullmatch(token):
        return _dotted(token)
    named = len(token) <= _LONGEST_WORD and any(form.fullmatch(token) for form in _FORMS)
    return ("identifier", token) if named else None


_FORMS = (_SNAKE, _HUMPS, _CALL, _FLAG)


def _dotted(token: str) -> tuple[str, str] | None:
    pieces = [piece for piece in _JOINTS.split(token) if piece.strip(")")]
    last = pieces[-1]
    if last.lower() in STOP_WORDS and last[0].isupper():
        return None  # a sentence that begins without a space
    if max(map(len, pieces)) < _SHORTEST_PIECE and not token.endswith("()"):
        return None  # an abbreviation: e.g., a.m.
    return ("url" if is_domain(pieces) and "::" not in token else "identifier"), token
