"""Putting the parts together: the one place that names concrete adapters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from helix.adapters.sqlite.store import SqliteStore
from helix.app.chance import SystemChance, SystemClock
from helix.app.context import Context, source_of
from helix.app.following import gates_in_force
from helix.app.homes import expanded, user_home
from helix.app.language import Language, language_of
from helix.app.project_scope import ResolvedScope, resolve_scope
from helix.app.settings import Settings, load
from helix.app.tending import Tending, rounds
from helix.capture.admission import admitted_id
from helix.model.errors import BadInput
from helix.model.scope import GLOBAL, LOCAL_OWNER, Realm
from helix.model.types import MemoryType, Schema
from helix.ports.embedder import Embedder
from helix.ports.language_model import LanguageModel
from helix.ports.reranker import Reranker
from helix.ports.store import Store

if TYPE_CHECKING:
    from helix.app.embedder_settings import Choice
    from helix.app.models import Active
    from helix.app.servers import Server
    from helix.ports.health import Reached

THROW_AWAY = ":demo:"
Named = Callable[[str], Embedder | None]


def settings(schema: Schema | None = None) -> Settings:
    """Return the settings of this process; where it registers types, they may speak of those."""
    return load(os.environ, user_home(), [kind.name for kind in schema or ()])


def open_context(
    store: Path | str | None = None,
    *,
    scope: str | None = None,
    folder: Path | str | None = None,
    agent: str = "",
    types: Iterable[MemoryType] = (),
    by_folder_alone: bool = False,
    background: bool = True,
) -> Context:
    """Return everything an open memory works with; see `Helix.open`."""
    schema = Schema().with_types(types)
    chosen = settings(schema)
    reason, root = "named by the caller", None
    if scope is None:
        start = Path(folder) if folder is not None else _working_folder()
        resolved = (
            _by_folder(start, chosen)
            if by_folder_alone
            else resolve_scope(start, os.environ, chosen.projects)
        )
        scope, reason, root = resolved.scope, resolved.reason, resolved.root
    realm = _realm(chosen, scope)
    opened, named = _store(store, chosen), _named(chosen)
    context = Context(
        store=opened,
        realm=realm,
        source=source_of(agent, chosen.owner or LOCAL_OWNER),
        schema=schema,
        clock=SystemClock(),
        chance=SystemChance(),
        gates=gates_in_force(chosen, os.environ, [kind.name for kind in schema]),
        home=chosen.home,
        scope_reason=reason,
        embedder=_serving(opened, chosen, named),
        named_embedder=named,
        reranker=_reranker(chosen),
        language=_language(chosen),
        servers=_servers(chosen),
        root=root,
        policy=chosen.life,
        keep_days=chosen.keep_days,
    )
    if not background or opened.read_only:
        return context
    return replace(context, tending=Tending(lambda pause: rounds(context, pause)))


def _realm(chosen: Settings, scope: str) -> Realm:
    """Return where a memory is open; raises `BadInput` if the scope's name must not be kept."""
    # It may follow from a folder's or a remote's name; then the user can give it another.
    admitted_id(scope, "the scope (see `HELIX_PROJECT` and [projects] in the settings)")
    return Realm(chosen.tenant, chosen.owner, scope)


def _language(chosen: Settings) -> Callable[[], Language]:
    """Return a way to the language model in use, built when sleep first needs it."""

    @cache
    def load() -> Language:
        return language_of(chosen.language_model, os.environ)

    return load


def chat_model(  # noqa: PLR0917 - the settings, one by one
    provider: str, url: str, model: str, key_variable: str, timeout: float,
    environment: Mapping[str, str],
) -> LanguageModel:  # fmt: skip
    """Return the adapter for a provider."""
    from helix.adapters.models.chat import AnthropicChat, ChatServer, OpenAIChat

    kind = AnthropicChat if provider == "anthropic" else OpenAIChat
    return kind(ChatServer(url, model, key_variable, timeout), environment)


def _servers(chosen: Settings) -> Callable[[], Sequence[Server]]:
    def named() -> Sequence[Server]:
        from helix.app.servers import servers_in

        return servers_in(chosen.embedder, chosen.language_model)

    return named


def reached(server: Server) -> Reached:
    """Return whether a server could be asked; a connection is opened, and nothing sent."""
    from helix.adapters.models import reaching

    return reaching.reached(server.url, server.key_variable, os.environ)


def seen_from(context: Context, folder: Path | None, agent: str) -> Context:
    """Return the same store as an agent in a folder sees it; without a folder, `global` only.

    The environment is not asked: a program that an agent starts may have been given it by
    the repository the agent works in.
    """
    chosen = settings(context.schema)
    nowhere = ResolvedScope(GLOBAL, "no project: the client names no folder", None)
    found = nowhere if folder is None else _by_folder(folder, chosen)
    return _seen(context, chosen, found, agent)


def as_the_user_sees(context: Context, folder: Path) -> Context:
    """Return the same store as a command of the user's own sees it, with our settings.

    HELIX_PROJECT is the command's, and is not asked here.
    """
    chosen = settings(context.schema)
    return _seen(context, chosen, resolve_scope(folder, {}, chosen.projects), "")


def _seen(context: Context, chosen: Settings, found: ResolvedScope, agent: str) -> Context:
    return replace(
        context,
        realm=_realm(chosen, found.scope),
        source=source_of(agent, chosen.owner or LOCAL_OWNER),
        scope_reason=found.reason,
        policy=chosen.life,
        keep_days=chosen.keep_days,
    )


def _by_folder(folder: Path, chosen: Settings) -> ResolvedScope:
    """Return the scope of a folder for what an agent started: nothing it was given names it.

    Settings that lie in the working tree itself are not the user's: HELIX_HOME may have been
    pointed there. The user's own place is believed, even if their home is a repository.
    """
    found = resolve_scope(folder, {}, chosen.projects)
    if found.root is not None and planted(chosen, found.root):
        return resolve_scope(folder, {})
    return found


def planted(chosen: Settings, tree: Path) -> bool:
    """Return whether settings lie in a working tree, where whoever wrote the tree put them."""
    return chosen.home != user_home() / ".helix" and _inside(chosen.home, tree)


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return True


def _serving(store: Store, chosen: Settings, named: Named) -> Callable[[], Embedder | None]:
    """Return a way to the embedder that serves a store, or that it would begin with.

    Which one serves is asked every time, for another process may have switched.
    """
    first = cache(lambda: embedder_in_use(chosen).embedder)

    def serving() -> Embedder | None:
        from helix.app.embedder_settings import NONE

        begins_with = first()
        if chosen.embedder.get("model") == NONE:
            return None
        with store.reading() as unit:
            name = unit.serving.current()
        if not name or (begins_with is not None and begins_with.name == name):
            return begins_with
        return named(name)

    return serving


def _named(chosen: Settings) -> Named:
    """Return a way to embedders by name; each is made once, and loads when first needed."""
    made: dict[str, Embedder] = {}

    def named(name: str) -> Embedder | None:
        from helix.app.models import by_name

        # One that is missing is looked for again: it may be installed meanwhile.
        if name not in made:
            found = by_name(name, chosen.home, embedder_choice(chosen))
            if found is None:
                return None
            made[name] = found
        return made[name]

    return named


def _reranker(chosen: Settings) -> Reranker | None:
    if chosen.reranker is None:
        return None
    from helix.adapters.models.cross_encoder import CrossEncoder

    return CrossEncoder(chosen.reranker)


def embedder_in_use(chosen: Settings) -> Active:
    """Return the embedder the settings ask for, or why there is none."""
    from helix.app.models import active

    return active(chosen.home, embedder_choice(chosen))


def embedder_choice(chosen: Settings) -> Choice:
    """Return what the settings say of embedders; they were checked when they were read."""
    from helix.app.embedder_settings import choice_of

    choice, _ = choice_of(chosen.embedder)
    return replace(choice, people=chosen.redact_people)


def _store(store: Path | str | None, chosen: Settings) -> Store:
    if store == THROW_AWAY:
        return _ThrowAway()
    if str(store) == ":memory:":
        raise BadInput(
            "a store is a file, and `:memory:` is none",
            code="bad_path",
            remedy=f"`{THROW_AWAY}` opens one that vanishes when it is closed",
        )
    return SqliteStore(expanded(store) if store is not None else chosen.store)


class _ThrowAway(SqliteStore):
    """A real store in a folder that vanishes when it is closed."""

    def __init__(self) -> None:
        import tempfile

        self._folder = tempfile.TemporaryDirectory(prefix="helix-demo-")
        super().__init__(Path(self._folder.name) / "memory.db")

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        # The folder was deleted under us: no project then, and only `global` is seen.
        return Path("/")
