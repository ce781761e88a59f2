"""Commands and packages: what is run, installed and imported.

A command is named by its tool and what the tool is told to do ("git rebase", "npm run
build", "pytest"), without options and arguments, so that two runs of the same thing meet.
Commands that everything uses (`cd`, `ls`, `cat`) name nothing and are left out, and so are
interpreters: the script or module they run is what matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from helix.rules.patterns import lazy
from helix.rules.tokens import Found, Place
from helix.rules.vocabulary import listed
from helix.rules.words import STOP_WORDS

_SUBCOMMANDS = {
    "alembic": "current downgrade heads history revision upgrade",
    "apk": "add del update",
    "apt": "autoremove install purge remove update upgrade",
    "brew": "install list services tap uninstall update upgrade",
    "bun": "add build create dev install remove run start test update",
    "bundle": "exec install update",
    "cargo": "add bench build check clean clippy doc fix fmt init install new publish remove run"
    " test tree update",
    "composer": "install remove require update",
    "conda": "activate create env export install list remove update",
    "dnf": "install remove update",
    "docker": "build compose cp exec images inspect kill login logs network ps pull push restart"
    " rm rmi run start stop system tag volume",
    "docker-compose": "build down exec logs ps pull restart run start stop up",
    "dotnet": "add build publish restore run test",
    "gem": "install uninstall update",
    "gh": "api auth gist issue pr release repo run workflow",
    "git": "add am apply bisect blame branch checkout cherry-pick clean clone commit config"
    " describe diff fetch filter-branch format-patch gc grep init log ls-files merge mv pull push"
    " range-diff rebase reflog remote reset restore rev-parse revert rm show stash status submodule"
    " switch tag worktree",
    "go": "build clean doc env fmt generate get install list mod run test tool vet work",
    "helm": "dependency install lint list repo rollback template uninstall upgrade",
    "kubectl": "apply config cordon create delete describe drain edit exec get logs patch"
    " port-forward rollout scale top",
    "make": "all bench build check clean deploy dev docs format help install lint lock release run"
    " setup start stop test up",
    "npm": "add audit build cache ci config create dev dlx exec i init install link list ls"
    " outdated pack publish remove rm run start test uninstall update version why workspace",
    "pip": "check download freeze install list show uninstall wheel",
    "pipx": "inject install run uninstall upgrade",
    "poetry": "add build install lock publish remove run show update",
    "rustup": "component default show target toolchain update",
    "systemctl": "disable enable reload restart start status stop",
    "terraform": "apply destroy fmt import init output plan state validate workspace",
    "uv": "add build init lock pip publish python remove run sync tool tree venv",
}
_ALONE = """
    ansible-playbook awk bazel black cmake curl eslint ffmpeg flake8 flask gcc gradle grep
    gunicorn isort jest journalctl jq lint-imports mvn mypy nox openssl pg_dump pre-commit prettier
    psql pyright pytest redis-cli rg rsync ruff scp sed sqlite3 ssh tox tsc uvicorn vite vitest
    webpack wget
    """
_SAME = {
    "apt-get": "apt", "mamba": "conda", "pdm": "poetry",
    "pip3": "pip", "pnpm": "npm", "yarn": "npm", "yum": "dnf",
}  # fmt: skip
_TOOLS: dict[str, frozenset[str]] = {
    **{tool: frozenset(words.split()) for tool, words in _SUBCOMMANDS.items()},
    **{tool: frozenset(_SUBCOMMANDS[like].split()) for tool, like in _SAME.items()},
    **{tool: frozenset[str]() for tool in _ALONE.split()},
}
_WORDS_TOO = listed("black flask go jest make")
_RUNS_ANOTHER = {
    "npx", "python", "python3", "sudo", "xargs", "bundle exec", "npm exec", "pdm run", "pipx run",
    "pnpm dlx", "pnpm exec", "poetry run", "uv run",
}  # fmt: skip
_NEEDS_A_PART = {  # they say little without the word that follows
    "bun run", "docker compose", "dotnet add", "gh issue", "gh pr", "gh run", "git remote",
    "git stash", "git submodule", "git worktree", "go mod", "helm repo", "kubectl rollout",
    "npm run", "pnpm run", "terraform state", "uv pip", "uv tool", "yarn run",
}  # fmt: skip

_PARTS = listed(
    "add apply build checkout create dev diff down download drop exec init install lint list logs"
    " merge package pop prune ps pull remove restart start status stop test tidy undo uninstall up"
    " update view"
)

_INSTALLERS = listed(
    "apk apt apt-get brew bun cargo composer conda dnf dotnet gem go mamba npm pdm pip pip3 pipx"
    " pnpm poetry uv yarn yum"
)
_INSTALLS = listed("add del get i inject install package remove require rm uninstall")
_VALUE_FOLLOWS = listed(
    "-c -e -f -G -i -n -p -r -t --constraint --editable --extra --extra-index-url --features"
    " --group --index-url --name --prefix --python --registry --requirement --tag --target"
)
_PROSE = STOP_WORDS | listed(
    "after again all already also always because before command commands crashed crashes"
    " dependencies error errors everything fail failed failing fails first gives hangs hung instead"
    " later locally manually never now only output packages result results step steps still takes"
    " then today took tried twice until using via within without worked works"
)

_ARGUMENT = lazy(r"[ \t]++((?:[^\s`|&;<>(){}]|[<>](?==)){1,120}+)")
_ARGUMENTS_IN_CODE, _ARGUMENTS_IN_PROSE = 24, 6
_PART = lazy(r"[a-z][a-z0-9:_-]{0,30}+")
_TARGET = lazy(
    r"['\"]?(@?[A-Za-z0-9][\w.-]*+(?:/[\w.-]++)*+)(?:\[[\w,-]*+\])?(?:[=<>~!@^:].*+)?['\"]?"
)
_NO_TARGET = lazy(r".*\.(?:deb|git|gz|json|lock|rpm|sh|toml|txt|whl|zip)|v?\d[\d.]*+")

_PYTHON_IMPORT = lazy(
    r"import ++([A-Za-z_][\w.]*+(?: ++as ++\w++)?(?:, *+[A-Za-z_][\w.]*+(?: ++as ++\w++)?)*+)"
    r"[ \t]*+(?=[;#`\r\n]|$)"
)
_PYTHON_FROM = lazy(r"from ++([A-Za-z_][\w.]*+) ++import\b")
_RUST_USE = lazy(r"use ++([a-z_]\w*+)::")
_QUOTED = r"""['"]([^'"\s]{1,100}+)['"]"""
_SCRIPT_IMPORT = lazy(rf"import[ (]*+(?:[^'\"\n;`=]{{0,200}}?\bfrom *+)?{_QUOTED}")
_SCRIPT_EXPORT = lazy(rf"export ++[{{*][^'\"\n;`=]{{0,200}}? from ++{_QUOTED}")
_REQUIRE = lazy(rf"require(?:\(| ++){_QUOTED}")

_REVERSED_DOMAINS = listed("com dev io java javax net org")
_STANDARD = listed(
    """
    __future__ abc alloc argparse ast asyncio base64 collections contextlib copy core crate csv
    dataclasses datetime enum fmt fs functools glob hashlib inspect io itertools json logging
    math os path pathlib random re self shutil socket src std string strings struct subprocess
    super sys tempfile testing threading time traceback types typing unittest urllib util uuid
    warnings
    """
)
"""Modules that are imported everywhere and so connect nothing, and one's own code."""


class _Argument(NamedTuple):
    word: str
    end: int


def command_at(place: Place) -> Iterator[Found]:
    """Yield the command that begins at a tool's name, then the packages it installs."""
    arguments = _arguments(place)
    shown = place.in_code or (place.opens_line and _meant(place.token, arguments))
    words, end, rest = _head(place, arguments, shown=shown)
    if not words or not _tells(words, shown=shown, with_arguments=bool(arguments)):
        return
    yield Found("command", " ".join(words), end)
    if words[0] in _INSTALLERS and not _INSTALLS.isdisjoint(words[1:]):
        yield from _installed(rest, shown=shown)


def import_at(place: Place) -> Iterator[Found]:
    """Yield the packages of an import statement that begins at its first word."""
    if place.token in _VERBS_TOO and not (place.opens_line or place.in_code):
        return
    for pattern, quoted in _IMPORTS[place.token]:
        match = pattern.match(place.text, place.start)
        if match is None:
            continue
        for part in match[1].split(","):
            package = _quoted_package(part) if quoted else _dotted_package(part.split()[0])
            if package and package not in _STANDARD:
                # Names inside the braces of a script's import are read on their own.
                yield Found("package", package, place.end if quoted else match.end())
        return


_IMPORTS = {
    "import": ((_PYTHON_IMPORT, False), (_SCRIPT_IMPORT, True)),
    "from": ((_PYTHON_FROM, False),),
    "use": ((_RUST_USE, False),),
    "export": ((_SCRIPT_EXPORT, True),),
    "require": ((_REQUIRE, True),),
}
_VERBS_TOO = frozenset(("import", "use", "export"))

OPENERS = {
    **dict.fromkeys((*_TOOLS, *(word for word in _RUNS_ANOTHER if " " not in word)), command_at),
    **dict.fromkeys(_IMPORTS, import_at),
}
"""The words with which a command or an import begins, and who reads on from there."""


def _arguments(place: Place) -> list[_Argument]:
    shown = place.in_code or place.opens_line
    most = _ARGUMENTS_IN_CODE if shown else _ARGUMENTS_IN_PROSE
    found: list[_Argument] = []
    end = place.end
    while len(found) < most and (match := _ARGUMENT.match(place.text, end)):
        end = match.end()
        found.append(_Argument(match[1], end))
    return found


def _meant(tool: str, arguments: Sequence[_Argument]) -> bool:
    """Tell whether what follows a tool at the start of a line is a command and not a sentence."""
    words = [argument.word for argument in arguments[:4]]
    if tool in _WORDS_TOO:
        known = bool(words) and (words[0] in _TOOLS[tool] or words[0][0] in "-./")
        return known and STOP_WORDS.isdisjoint(words)
    return any(word[0] in "-." or "/" in word or word in _TOOLS.get(tool, ()) for word in words)


def _head(
    place: Place, arguments: list[_Argument], *, shown: bool
) -> tuple[list[str], int, list[_Argument]]:
    """Return the tool and its subcommand, where they end, and the arguments that are left."""
    words, end = [place.token], place.end
    for index, (word, word_end) in enumerate(arguments):
        so_far = " ".join(words)
        if so_far in _RUNS_ANOTHER:
            if word in _TOOLS:
                words, end = [word], word_end
            elif word[0] != "-":
                return [], end, []
            continue
        if word[0] == "-":
            continue
        plain = word.rstrip(".,:;!?)'\"")
        if len(words) == 1 and plain in _TOOLS[words[0]]:
            words, end = [*words, plain], word_end
        elif so_far in _NEEDS_A_PART and plain not in _PROSE and _PART.fullmatch(plain):
            if shown or plain in _PARTS:
                return [*words, plain], word_end, arguments[index + 1 :]
            return words, end, arguments[index:]
        else:
            return words, end, arguments[index:]
        if plain != word:
            break
    return ([] if " ".join(words) in _RUNS_ANOTHER else words), end, []


def _tells(words: Sequence[str], *, shown: bool, with_arguments: bool) -> bool:
    if words[0] in _WORDS_TOO:
        return shown and (len(words) > 1 or with_arguments)
    return shown or len(words) > 1 or not _TOOLS[words[0]]


def _installed(arguments: Sequence[_Argument], *, shown: bool) -> Iterator[Found]:
    skip = False
    for word, end in arguments:
        if word[0] == "-":
            skip = word in _VALUE_FOLLOWS
            continue
        if skip:
            skip = False
            continue
        plain = word.rstrip(".,:;!?)'\"")
        match = _TARGET.fullmatch(plain)
        if match is None or plain.lower() in _PROSE:
            return
        if not _NO_TARGET.fullmatch(match[1]):
            yield Found("package", match[1], end)
        # In a sentence the words after the first may be anything.
        if not shown or (plain != word and word[-1] not in "'\""):
            return


def _dotted_package(name: str) -> str:
    pieces = name.split(".")
    return ".".join(pieces[:3]) if pieces[0] in _REVERSED_DOMAINS else pieces[0]


def _quoted_package(name: str) -> str | None:
    if name[0] in "./~#" or name.startswith("@/"):
        return None
    pieces = name.removeprefix("node:").split("/")
    if name[0] == "@":
        return "/".join(pieces[:2])
    return "/".join(pieces[:3]) if "." in pieces[0] and len(pieces) > 1 else pieces[0]
