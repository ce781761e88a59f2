"""Files, folders, routes and branches: tokens that lead somewhere.

Names with a known ending, and paths whose beginning shows that they are paths. A slash
alone proves nothing ("and/or", "TCP/IP", "client/server"), and neither does a dot.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix.rules.patterns import lazy
from helix.rules.vocabulary import listed

EXTENSIONS = listed(
    """
    7z a arrow asm avi avro bak bash bat bib bin bmp bz2 c cc cert cfg cjs clj cmake cmd conf
    cpp crt cs csproj csr css csv cu cxx dart dat db deb diff dll dmg docx dylib egg ejs elm env
    erb erl ex exe exs feather fish flv fs gguf gif go gql gradle graphql groovy gz h h5 hbs hcl
    hh hpp hs htm html ico ics ini ipynb j2 jar java jinja jl jpeg jpg js json json5 jsonc jsonl
    jsx key kt kts less lib lock log lua m m4a map md mdc mdx mjs mk ml mli mm mod mov mp3 mp4
    mts nim nix npy npz o odt onnx orc out parquet patch pb pdf pem php pickle pkl pl plist png
    ppt pptx prisma properties props proto ps1 psd pt pth pub py pyc pyd pyi pyx qml r rar rb
    rpm rs rst rtf s safetensors sass scala scm scss service sh sln snap so socket sol sql
    sqlite sqlite3 srt sum svelte svg swift tar tcl template tex tf tfstate tfvars tgz thrift
    tiff timer tmpl toml ts tsv tsx ttf txt v vb vue war wasm wav webm webp whl woff woff2 wsdl
    xcodeproj xls xlsx xml xsd xsl xz yaml yml zig zip zsh zst
    """
)
"""Endings of files that turn up around code, without the dot."""

_ATTRIBUTES = listed(
    "a c db diff env h html json key less lib lock log m map mod o out patch properties props pub r"
    " s service so socket sql sum tar template timer v zip"
)
_OBJECTS = listed(
    """
    app arr array axios client cls config console ctx data db df dict document el element err
    error event file fs item key list log logger math module node np numpy obj object os page
    params path pd process props query re ref request req res response result row self set state
    str string sys text this torch tree user util utils value window
    """
)
"""What may have attributes: `console.log` and `df.sum` are no files, `data.py` is one."""

_KEPT_APART = {
    "json": listed("axios req request requests res response self this"),
    "log": listed("console logger logging math np numpy self this torch"),
}

_FILE_NAMES = listed(
    "Brewfile CHANGELOG CODEOWNERS CONTRIBUTING Caddyfile Dockerfile Gemfile Jenkinsfile Justfile"
    " LICENSE Makefile Procfile README Rakefile Vagrantfile"
)
_DOT_FILE = lazy(
    r"\.(?:env(?:\.\w+)*|\w+rc|\w+ignore|git\w+|editorconfig|\w*profile|vscode|idea|claude|cursor"
    r"|devcontainer|ssh|venv|npm\w*|prettier\w*|eslint\w*|pre-commit\w*|python-version|nvmrc)"
)
_ROOTS = listed(
    "app bin boot data dev etc home lib media mnt opt private proc repo root run sbin srv sys tmp"
    " usr users var volumes work workspace"
)
_ROOTS_ALONE = listed("etc home tmp usr var")
_FOLDERS = listed(
    """
    .claude .cursor .github .vscode adr apps assets benchmarks bin cmd crates dist docs examples
    include infra internal lib libs migrations node_modules packages pkg plugins scripts
    site-packages src static templates tests vendor
    """
)
_FOLDERS_TOO = listed(
    """
    api app backend build client components conf config configs core data deploy docker frontend
    hooks models pages public resources routes server services spec specs test tools utils views web
    """
)
"""Folders whose names also pair up in prose ("client/server", "test/dev")."""

_BRANCHES = listed(
    "bugfix chore dependabot feat feature fix hotfix origin refactor release upstream"
)
_DOMAINS = listed("ai app com de dev edu eu gov io net org uk")

_ROUTE = lazy(r"/[a-z][\w-]*(?:/:?[\w-]+)+")

_LINE_NUMBER = lazy(r"(?::\d+|#L\d+(?:-L?\d+)?)+$")
_GREP_CONTEXT = lazy(r"(.*/.*\.[a-z]{1,4})-\d+")  # main.go-80, around a hit
_DRIVE = lazy(r"[A-Za-z]:[\\/]")
_SLASHES = lazy(r"[\\/]+")
_COMPOUND = lazy(r"[_.-]")
_DEEP = 3  # folders; with fewer, "he/she" and "read/write" look the same
_SIDES_OF_A_DIFF = ("a/", "b/")
_EXTENSION = lazy(r"\.([A-Za-z0-9]{1,12})$")


def path_of(token: str) -> tuple[str, str] | None:
    """Return the kind and name of a token with slashes; without a line number."""
    path = _LINE_NUMBER.sub("", token)
    if context := _GREP_CONTEXT.fullmatch(path):
        path = context[1]
    pieces = [piece for piece in _SLASHES.split(path) if piece.strip(".~")]
    if len(pieces) >= _DEEP and path.startswith(_SIDES_OF_A_DIFF):
        path = path[2:]
    if not pieces or "=" in path:
        return None
    if extension(pieces[-1]) in EXTENSIONS:
        return ("url" if _is_host(pieces) else "file"), path
    if path[0] == "/":
        return _absolute(path, pieces)
    if path[0] == "\\" and path[1] != "\\":
        return None  # an escape in a string: "\nDone"
    if path[0] in ".~\\" or _DRIVE.match(path):
        return "file", path
    return _relative(path, pieces)


def file_name(token: str) -> str | None:
    """Return the name of a token that is written like a file without a path, or None."""
    if token.isalpha():
        return token if token in _FILE_NAMES else None
    if token[0] == ".":
        return token if _DOT_FILE.fullmatch(token) else None
    name = _LINE_NUMBER.sub("", token)
    stem, _, ending = name.rpartition(".")
    if not stem or ending.lower() not in EXTENSIONS or _is_attribute(stem, ending):
        return None
    initials = len(ending) == 1 and len(stem.rpartition(".")[2]) == 1  # J.R.R.
    return None if initials else name


def _is_attribute(stem: str, ending: str) -> bool:
    if ending not in _ATTRIBUTES:
        return stem in ("self", "this", "cls")
    return "." in stem or stem.lower() in _KEPT_APART.get(ending, _OBJECTS)


def is_domain(pieces: Sequence[str]) -> bool:
    """Tell whether words between dots are those of a host: example.com, docs.rs."""
    return pieces[-1] in _DOMAINS and pieces[0] not in _OBJECTS


def extension(path: str) -> str:
    """Return what follows the last dot, lower-cased; empty when nothing does."""
    match = _EXTENSION.search(path)
    return match[1].lower() if match else ""


def _absolute(path: str, pieces: Sequence[str]) -> tuple[str, str] | None:
    if pieces[0].lower() in (_ROOTS if len(pieces) > 1 else _ROOTS_ALONE):
        return "file", path
    return ("identifier", path) if _ROUTE.fullmatch(path) else None


def _relative(path: str, pieces: Sequence[str]) -> tuple[str, str] | None:
    head = pieces[0].lower()
    if _is_host(pieces):
        return "url", path
    if len(pieces) > 1 and not _BRANCHES.isdisjoint(pieces[:2]):
        return "identifier", path
    marked = path[-1] == "/" or bool(
        _COMPOUND.search(path if path.islower() else path.replace("-", ""))
    )
    if head in _FOLDERS and (len(pieces) > 1 or marked):
        return "file", path
    if len(pieces) >= _DEEP and (marked or head in _FOLDERS_TOO):
        return "file", path
    return ("file", path) if path[-1] == "/" and head in _FOLDERS_TOO else None


def _is_host(pieces: Sequence[str]) -> bool:
    return len(pieces) > 1 and extension(pieces[0]) in _DOMAINS
