"""Looking things up in a project's working tree: files, names, dependencies, commands.

Only inside the tree, only reading, and only as much as a glance costs. What cannot be known
is answered with None, never guessed.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

MOST_SOURCES = 4_000
LARGEST_SOURCE = 300_000
_SOURCES = frozenset(
    (".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".rb", ".php", ".c", ".h", ".cpp",
     ".cs", ".kt", ".swift", ".sql", ".sh", ".vue", ".svelte")
)  # fmt: skip
_SKIPPED = frozenset(
    (".git", "node_modules", ".venv", "venv", "dist", "build", "target", "__pycache__", ".tox")
)
_MANIFESTS = (
    "pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.py", "setup.cfg",
    "package.json", "Cargo.toml", "go.mod", "Gemfile", "composer.json", "pom.xml", "build.gradle",
)  # fmt: skip
_WORD = re.compile(r"\w+")


class WorkingTree:
    """One project's files, looked at when somebody asks."""

    def __init__(self, root: Path) -> None:
        """Take the root of the tree."""
        self._root = root.resolve()

    def __call__(self, kind: str, name: str) -> bool | None:
        """Return whether a thing of this kind is there; None where that cannot be known."""
        look = {
            "file": self._file, "identifier": self._identifier,
            "package": self._package, "command": self._command,
        }.get(kind)  # fmt: skip
        return look(name) if look else None

    def _file(self, name: str) -> bool | None:
        path = name.split(":", maxsplit=1)[0].removeprefix("./")
        if not path or path.startswith(("/", "~")) or ".." in path:
            return None
        place = self._root / path
        if "/" not in path:
            return place.exists() or path in self._names or None
        return place.exists()

    def _identifier(self, name: str) -> bool | None:
        last = [each for each in _WORD.findall(name) if not each.isdigit()]
        if not last or name.startswith("--") or self._too_many:
            return None
        return last[-1] in self._words

    def _package(self, name: str) -> bool | None:
        if not self._manifests:
            return None
        return name.lower() in self._manifests.lower() or None

    def _command(self, name: str) -> bool | None:
        tool, _, target = name.partition(" ")
        if tool == "make" and target and (self._root / "Makefile").is_file():
            text = (self._root / "Makefile").read_text(encoding="utf-8", errors="replace")
            return re.search(rf"^{re.escape(target)}\s*:", text, re.MULTILINE) is not None
        return None

    @cached_property
    def _files(self) -> list[Path]:
        found: list[Path] = []
        waiting = [self._root]
        while waiting and len(found) <= MOST_SOURCES:
            for each in sorted(waiting.pop().iterdir()):
                if each.is_symlink() or each.name in _SKIPPED:
                    continue
                if each.is_dir():
                    waiting.append(each)
                else:
                    found.append(each)
        return found

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(each.name for each in self._files)

    @cached_property
    def _too_many(self) -> bool:
        return len(self._files) > MOST_SOURCES

    @cached_property
    def _words(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._files:
            if path.suffix in _SOURCES and path.stat().st_size <= LARGEST_SOURCE:
                found.update(_WORD.findall(path.read_text(encoding="utf-8", errors="replace")))
        return frozenset(found)

    @cached_property
    def _manifests(self) -> str:
        texts = []
        for name in _MANIFESTS:
            path = self._root / name
            if path.is_file():
                texts.append(path.read_text(encoding="utf-8", errors="replace"))
        return "\n".join(texts)
