"""One spelling for each thing, whatever way people write it.

Every rule leaves its own result as it is: a name that was unified once stays the same.
"""

from __future__ import annotations

from collections.abc import Callable

from helix.rules.patterns import lazy

_LONGEST = 1_000  # letters; of a longer name, which is not a name, only the case is folded
_SPACES = lazy(r"[\s_.@-]+")
_POSSESSIVE = lazy(r"(?:\s*['\u2019]s)+$")
_SLASHES = lazy(r"[\\/]+")
_HERE = lazy(r"^(?:\./)+")
_LINE_NUMBERS = lazy(r"(?:/|:\d*)+$")
_REQUIREMENT = lazy(r"['\"\s]*+([^'\"\s][^'\"\s@=<>~!\[\]^;]*)")
_SEPARATORS = lazy(r"[-_.]+")
_JOINTS = lazy(r"[.:>#]+")
_OWN = lazy(r"^(?:(?:self|this|cls)\.)+")
_SCHEME = lazy(r"^(?:[a-z][a-z0-9+.-]*://|www\.)+")
_NUMBER = lazy(r"(?:gh-|#)?0*(\d+)")
_VERSION_MARK = lazy(r"^v+(?=\d)")
_SAME_PACKAGE = {
    "bs4": "beautifulsoup4", "beautifulsoup": "beautifulsoup4", "cv2": "opencv", "jinja": "jinja2",
    "k8s": "kubernetes", "mongo": "mongodb", "next-js": "next", "nextjs": "next", "node-js": "node",
    "nodejs": "node", "opencv-python": "opencv", "pil": "pillow", "postgres": "postgresql",
    "pyyaml": "yaml", "react-js": "react", "sklearn": "scikit-learn", "tailwind": "tailwindcss",
    "torch": "pytorch", "vue-js": "vue", "vuejs": "vue",
}  # fmt: skip
_SAME_COMMAND = {"python3": "python", "pip3": "pip", "docker-compose": "docker compose"}


def one_spelling(kind: str, name: str) -> str:
    """Return the spelling that all spellings of a name of this kind share.

    A kind without a rule only loses its case, and so does a name of which a rule would
    leave nothing.
    """
    name = name.casefold()
    rule = _RULES.get(kind)
    if rule is None or len(name) > _LONGEST:
        return name
    return rule(name) or name


def _person(name: str) -> str:
    return _POSSESSIVE.sub("", _SPACES.sub(" ", name).strip()).strip()


def _file(name: str) -> str:
    return _LINE_NUMBERS.sub("", _HERE.sub("", _SLASHES.sub("/", name)))


def _package(name: str) -> str:
    match = _REQUIREMENT.match(name)
    plain = _SEPARATORS.sub("-", match[1]).strip("-") if match else ""
    return _SAME_PACKAGE.get(plain, plain)


def _identifier(name: str) -> str:
    return _OWN.sub("", _JOINTS.sub(".", name.translate(_DROPPED)).strip("."))


_DROPPED = dict.fromkeys(map(ord, "_-()"))


def _error(name: str) -> str:
    return " ".join(name.rpartition(".")[2].split())


def _issue(name: str) -> str:
    match = _NUMBER.fullmatch(name)
    return f"#{match[1]}" if match else name


def _command(name: str) -> str:
    return " ".join(_SAME_COMMAND.get(word, word) for word in name.split())


_RULES: dict[str, Callable[[str], str]] = {
    "person": _person,
    "file": _file,
    "package": _package,
    "command": _command,
    "identifier": _identifier,
    "error_code": _error,
    "url": lambda name: _SCHEME.sub("", name).rstrip("/"),
    "issue": _issue,
    "version": lambda name: _VERSION_MARK.sub("", name),
}
