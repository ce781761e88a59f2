"""Where things are and what the user chose: environment first, then the settings file.

`HELIX_HOME` (default `~/.helix`) holds `settings.toml` and the store:

    store = "/path/to/memory.db"
    owner = "me"

    [embedder]                      # what finds by meaning; see `helix.app.embedder_settings`
    model = "minilm-l6-int8"

    [language_model]                # asked during sleep, if any; see `helix.app.language`
    url = "http://127.0.0.1:11434/v1"
    model = "qwen3:8b"

    [reranker]                      # optional: a cross-encoder of your own reads the best again
    path = "/path/to/model"         # a folder with model.onnx and tokenizer.json

    [life]                          # how memories fade and last; see `helix.app.life_settings`
    policy = "helix"

    [sleep]                         # when Helix concludes; see `helix.app.sleep_settings`
    every_hours = 6

    [ledger]                        # off by default: everything is kept; see `helix retain`
    keep_days = 365                 # what happened, has stepped back and is older may be purged

    [redaction]                     # secrets never land; personal = true takes people's data too
    personal = false

    [projects]                      # the scope of folders that git does not tell apart
    "/home/me/notes" = "notes"
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from helix.app.homes import expanded
from helix.app.life_settings import policy_of
from helix.app.sleep_settings import AS_USUAL, SleepSettings, sleep_of
from helix.model.errors import BadInput
from helix.model.frozen import dataclass
from helix.model.scope import LOCAL_OWNER, LOCAL_TENANT
from helix.rules.policy import HELIX, Policy

STORE_NAME = "memory.db"
SETTINGS_NAME = "settings.toml"
FEWEST_DAYS = 30
MOST_DAYS = 36_500
"""Nothing steps back before it is 30 days old, so nothing younger could be purged."""

_KNOWN = {
    "store", "owner", "tenant", "projects", "embedder", "reranker", "language_model",
    "redaction", "life", "sleep", "ledger",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What applies to this process."""

    home: Path
    store: Path
    owner: str = LOCAL_OWNER
    tenant: str = LOCAL_TENANT
    projects: Mapping[Path, str] = field(default_factory=dict)
    embedder: Mapping[str, object] = field(default_factory=dict)
    reranker: Path | None = None
    language_model: Mapping[str, object] = field(default_factory=dict)
    life: Policy = HELIX
    redact_people: bool = False
    sleep: SleepSettings = AS_USUAL
    keep_days: float | None = None


def load(environment: Mapping[str, str], user_home: Path, types: Iterable[str] = ()) -> Settings:
    """Return the settings in force, or raise `BadInput` listing every fault at once.

    `types` names the memory types that are registered here beyond those Helix brings.
    """
    home = expanded(environment.get("HELIX_HOME") or user_home / ".helix")
    given = _file(home / SETTINGS_NAME)
    policy, life_faults = policy_of(given.get("life", {}), types)
    sleep, sleep_faults = sleep_of(given.get("sleep", {}))
    faults = [*_faults(given), *_model_faults(given), *life_faults, *sleep_faults]
    if faults:
        raise BadInput(
            f"{home / SETTINGS_NAME}: " + "; ".join(faults),
            code="bad_settings",
            remedy="correct the file; `helix doctor` checks it",
        )
    projects = given.get("projects", {})
    assert isinstance(projects, dict)  # checked among the faults
    reranker = _table(given, "reranker").get("path")
    store = environment.get("HELIX_STORE") or given.get("store") or home / STORE_NAME
    return Settings(
        home=home,
        store=expanded(str(store)),
        owner=str(given.get("owner", LOCAL_OWNER)),
        tenant=str(given.get("tenant", LOCAL_TENANT)),
        projects={expanded(root): name for root, name in projects.items()},
        embedder=_table(given, "embedder"),
        reranker=expanded(str(reranker)) if reranker else None,
        language_model=_table(given, "language_model"),
        life=policy,
        redact_people=_table(given, "redaction").get("personal") is True,
        sleep=sleep,
        keep_days=_keep_days(given),
    )


def with_project(text: str, folder: Path, name: str) -> str:
    """Return a settings file in which a folder goes by a name; nothing else changes.

    Raises `BadInput` if the file cannot be added to.
    """
    import tomllib  # noqa: PLC0415 - see `_file`

    key = json.dumps(str(folder), ensure_ascii=False)
    line = f"{key} = {json.dumps(name, ensure_ascii=False)}\n"
    head = re.search(r"^\[projects\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    if head is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        added = f"{text}{gap}[projects]\n{line}"
    else:
        before = text[: head.end()]
        added = before + ("" if before.endswith("\n") else "\n") + line + text[head.end() :]
    try:
        fits = tomllib.loads(added).get("projects", {}).get(str(folder)) == name
    except (tomllib.TOMLDecodeError, RecursionError):
        fits = False
    if not fits:
        raise BadInput(
            f"{folder} has a name in the settings already, or they cannot be added to",
            code="bad_settings",
            remedy="write the name below [projects] by hand",
        )
    return added


def _table(given: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = given.get(name, {})
    return table if isinstance(table, dict) else {}


def _file(path: Path) -> dict[str, object]:
    if not path.exists():
        return {}
    import tomllib  # noqa: PLC0415 - most people have no settings, and hooks are in a hurry

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(
            f"{path} cannot be read: {error}",
            code="bad_settings",
            remedy="correct the file, or move it away to use the defaults",
        ) from error


def _keep_days(given: Mapping[str, object]) -> float | None:
    days = _table(given, "ledger").get("keep_days")
    return float(days) if isinstance(days, int | float) else None


def _model_faults(given: Mapping[str, object]) -> Sequence[str]:
    """Return the faults of the tables that name models; what reads them is imported if need be."""
    faults: list[str] = []
    embedder, language_model = given.get("embedder", {}), given.get("language_model", {})
    if not isinstance(embedder, dict):
        faults.append("'embedder' must be a table; see `helix models`")
    elif embedder:
        from helix.app.embedder_settings import choice_of  # noqa: PLC0415 - as the docstring says

        faults += choice_of(embedder)[1]
    if not isinstance(language_model, dict):
        faults.append("'language_model' must be a table; see docs/sleep.md")
    elif language_model:
        from helix.app.language import faults_in  # noqa: PLC0415 - as above

        faults += faults_in(language_model)
    return faults


def _faults(given: Mapping[str, object]) -> list[str]:
    faults = [f"{name!r} is not a setting" for name in sorted(given.keys() - _KNOWN)]
    faults += [
        f"{name!r} must be text"
        for name in ("store", "owner", "tenant")
        if name in given and not (isinstance(given[name], str) and given[name])
    ]
    reranker = given.get("reranker", {})
    if not (
        isinstance(reranker, dict)
        and reranker.keys() <= {"path"}
        and isinstance(reranker.get("path", ""), str)
    ):
        faults.append("'reranker' must be a table with the 'path' of a model's folder")
    redaction = given.get("redaction", {})
    if not (
        isinstance(redaction, dict)
        and redaction.keys() <= {"personal"}
        and isinstance(redaction.get("personal", False), bool)
    ):
        faults.append("'redaction' must be a table with `personal` true or false")
    ledger = given.get("ledger", {})
    days = ledger.get("keep_days", FEWEST_DAYS) if isinstance(ledger, dict) else None
    if not isinstance(ledger, dict) or ledger.keys() - {"keep_days"}:
        faults.append("'ledger' must be a table with `keep_days`")
    elif (
        isinstance(days, bool)
        or not isinstance(days, int | float)
        or not (FEWEST_DAYS <= days <= MOST_DAYS)
    ):
        faults.append(
            f"'ledger.keep_days' must be a number of days, {FEWEST_DAYS} to {MOST_DAYS:,}"
        )
    projects = given.get("projects", {})
    if not isinstance(projects, dict) or not all(isinstance(n, str) for n in projects.values()):
        faults.append("'projects' must be a table of folder = name")
    return faults
