"""`Helix`: long-term memory in a dozen methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from helix.app import taking_in
from helix.app.bounds import (
    Moment,
    bounded,
    each_of,
    moment_or_none,
    one_of,
    paged,
    position_in,
)
from helix.app.context import Context
from helix.app.elsewhere import memories_here
from helix.app.events import event_seen_from
from helix.app.going_through import every_one
from helix.capture.admission import (
    admitted_id,
    admitted_name,
    admitted_note,
    cleaning,
    redacting,
)
from helix.model.edge import Edge
from helix.model.experience import Experience, Statement
from helix.model.memory import EventTime, Memory, Status
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.provenance import DIRECT, HEARD, Origin, Source
from helix.model.question import AsOf, Question, Standpoint, View
from helix.model.recollection import Recollection
from helix.model.scope import GLOBAL
from helix.model.types import FACT, MemoryType

if TYPE_CHECKING:
    from helix.app.account import Account
    from helix.app.attesting import Attesting
    from helix.app.deciding import Deciding
    from helix.app.erasing import Erasing
    from helix.app.history import History
    from helix.app.lifecycle import Lifecycle
    from helix.app.looking import Looking
    from helix.app.retaining import Retaining
    from helix.app.review import Review
    from helix.app.reviewing import Reviewing
    from helix.app.scratching import Scratching
    from helix.app.scrubbing import Scrubbing
    from helix.app.sessions import SessionHandle
    from helix.app.sleeping import Sleeping
    from helix.app.trusting import Trusting
    from helix.app.upkeep import Upkeep
    from helix.ports.store import Unit
    from helix.recall.scoring import Tuning


class Helix:
    """One open memory, seen from one scope.

    >>> from helix import Helix
    >>> with Helix.open(":demo:") as memory:
    ...     kept = memory.remember("This repo uses pnpm, not npm", type="convention")
    ...     answer = memory.recall("do we use npm or pnpm?")
    >>> answer.remembered[0].memory.content
    'This repo uses pnpm, not npm'
    """

    def __init__(self, context: Context) -> None:
        """Take a wired context; `Helix.open` makes one."""
        self._context = context

    @classmethod
    def open(
        cls,
        store: Path | str | None = None,
        *,
        scope: str | None = None,
        folder: Path | str | None = None,
        agent: str = "",
        types: Iterable[MemoryType] = (),
        by_folder_alone: bool = False,
        background: bool = True,
    ) -> Helix:
        """Open the memory in a file, creating it if there is none.

        Without `store`, the user's own (`~/.helix/memory.db`, or HELIX_STORE). Without
        `scope`, that of the project in `folder`, by default the working directory. Naming
        an `agent` marks everything written as ingested by it, not asserted by the user.
        `":demo:"` opens a throw-away memory. `types` registers further memory types.
        `by_folder_alone` leaves HELIX_PROJECT aside, for whatever an agent starts.
        While it is open and in use, what was captured is enriched in the background, unless
        `background` is False.
        """
        from helix.app.wiring import open_context  # noqa: PLC0415 - wiring imports the adapters

        return cls(
            open_context(
                store, scope=scope, folder=folder, agent=agent, types=types,
                by_folder_alone=by_folder_alone, background=background,
            )
        )  # fmt: skip

    def seen_from(self, folder: Path | None, agent: str) -> Helix:
        """Return this memory as an agent in a folder sees it, over the same open store.

        Without a folder only `global` is seen. Closing either closes both.
        """
        from helix.app.wiring import seen_from  # noqa: PLC0415 - as above

        return Helix(seen_from(self._context, folder, agent))

    def quoting(self, agent: str, ref: str, extractor: str, waits_for: str = "") -> Helix:
        """Return this memory for what an importer takes in: marked so, and naming its source.

        `waits_for` names a source that nobody trusts yet: what it brings is held back.
        """
        # Files are called as they are called: what must not be kept of it is taken out.
        clean = cleaning(redacting(self._context.gates))
        source = Source(
            admitted_id(agent, "an agent"), Origin.AGENT_INGESTED,
            admitted_name(clean(ref), "a source"), extractor,
        )  # fmt: skip
        return Helix(replace(self._context, source=source, waits_for=clean(waits_for)))

    def hearing(self) -> Helix:
        """Return this memory for what a door itself hears the user say to an agent.

        It is kept as the agent's report, and known as the user's words. Only for doors that
        are told of it by the program around the agent, never for what a model writes.
        """
        source = self._context.source
        if source.origin is Origin.USER_ASSERTED or source.extractor != DIRECT:
            return self
        return Helix(replace(self._context, source=replace(source, extractor=HEARD)))

    def close(self) -> None:
        """Let go of the file. Closing twice is harmless."""
        if self._context.tending is not None:
            self._context.tending.stop()
        if "life" in self.__dict__:
            self.life.write_down_shown()
        self._context.store.close()

    def __enter__(self) -> Self:
        """Return the open memory."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    @cached_property
    def sleeping(self) -> Sleeping:
        """Concluding in the background, and what was concluded."""
        # Loaded here: a capture should not wait for the dream cycle.
        from helix.app.sleeping import Sleeping  # noqa: PLC0415

        return Sleeping(self._context)

    @cached_property
    def review(self) -> Review:
        """What sleep asks a person, and the answers."""
        from helix.app.review import Review  # noqa: PLC0415 - a question never needs it

        return Review(self._context)

    @cached_property
    def history(self) -> History:
        """The log of everything that happened, and ways back in it."""
        from helix.app.history import History  # noqa: PLC0415 - a question never needs it

        return History(self._context)

    @cached_property
    def upkeep(self) -> Upkeep:
        """Counting, verifying, rebuilding, enriching."""
        from helix.app.upkeep import Upkeep  # noqa: PLC0415 - a question never needs it

        return Upkeep(self._context)

    @cached_property
    def life(self) -> Lifecycle:
        """Use, promotion, sweeps, and how a memory stands."""
        from helix.app.lifecycle import Lifecycle  # noqa: PLC0415

        return Lifecycle(self._context)

    @cached_property
    def look(self) -> Looking:
        """Views of memory that need no question."""
        # Loaded here: a hook that only writes should not wait for it.
        from helix.app.looking import Looking  # noqa: PLC0415

        return Looking(self._context)

    @property
    def scope(self) -> str:
        """The scope that is written to and, with `global`, read from."""
        return self._context.realm.scope

    # What few commands need is imported when it is first asked for.

    @cached_property
    def reviewing(self) -> Reviewing:
        """What waits for a person's eye, and the person's word on it."""
        from helix.app.reviewing import Reviewing  # noqa: PLC0415

        return Reviewing(self._context)

    @cached_property
    def trusting(self) -> Trusting:
        """Which sources may be imported without a look at each memory."""
        from helix.app.trusting import Trusting  # noqa: PLC0415

        return Trusting(self._context)

    @cached_property
    def erasing(self) -> Erasing:
        """Destroying what its owner wants gone."""
        from helix.app.erasing import Erasing  # noqa: PLC0415

        return Erasing(self._context)

    @cached_property
    def retaining(self) -> Retaining:
        """How long the ledger keeps what happened: exporting what is older, and purging it."""
        from helix.app.retaining import Retaining  # noqa: PLC0415

        return Retaining(self._context)

    @cached_property
    def _deciding(self) -> Deciding:
        from helix.app.deciding import Deciding  # noqa: PLC0415

        return Deciding(self._context)

    @cached_property
    def scratch(self) -> Scratching:
        """A scratchpad beside the record, whose notes become episodes by and by."""
        from helix.app.scratching import Scratching  # noqa: PLC0415

        return Scratching(self._context)

    @cached_property
    def scrubbing(self) -> Scrubbing:
        """Taking out secrets that an older version let in."""
        from helix.app.scrubbing import Scrubbing  # noqa: PLC0415

        return Scrubbing(self._context, self.erasing)

    @cached_property
    def attesting(self) -> Attesting:
        """Signing the ledger's head and receipts, and checking them."""
        from helix.app.attesting import Attesting  # noqa: PLC0415

        return Attesting(self._context, self._context.home)

    @property
    def context(self) -> Context:
        """What this memory works with; for doors and diagnostics."""
        return self._context

    def capture(
        self,
        content: str,
        *,
        session: str = "",
        tool: str = "",
        exit_status: int | None = None,
        files: Sequence[str] = (),
        parent_event_id: str = "",
        occurred_at: Moment | None = None,
        importance_hint: float | None = None,
        event_id: str | None = None,
        attributes: Mapping[str, object] | None = None,
        cites: Sequence[str] = (),
    ) -> Kept | Joined | Skipped:
        """Write down something that happened; it can be recalled when this returns.

        The same `event_id` again with the same content is `Joined` and writes nothing;
        with other content it raises `Conflict`. `cites` names memories that helped: they
        count as used.
        """
        context = self._context
        experience = Experience(
            content=content,
            source=context.source,
            event_id=context.name(event_id or context.chance.event_id(), "an event id"),
            session=context.name(session, "a session"),
            tool=tool,
            exit_status=exit_status,
            files=tuple(files),
            parent_event_id=context.name(parent_event_id, "a parent event id"),
            occurred_at=moment_or_none(occurred_at),
            importance_hint=importance_hint,
            attributes=attributes or {},
            waits_for=context.waits_for,
        )
        return taking_in.capture(context, experience, named=bool(event_id), cites=cites)

    def session(self, session_id: str | None = None) -> SessionHandle:
        """Return a session to capture in; as a context manager it starts and ends it."""
        from helix.app.sessions import SessionHandle  # noqa: PLC0415 - a question has none

        name = admitted_id(session_id or self._context.chance.event_id(), "a session")
        return SessionHandle(self._context, name, self)

    def remember(
        self,
        content: str,
        *,
        type: str = FACT,
        everywhere: bool = False,
        importance_hint: float | None = None,
        confidence: float | None = None,
        valid_from: Moment | None = None,
        valid_to: Moment | None = None,
        expires_at: Moment | None = None,
        event_time: EventTime | None = None,
        attributes: Mapping[str, object] | None = None,
        event_id: str | None = None,
        cites: Sequence[str] = (),
    ) -> Kept | Joined | Skipped:
        """Hold something to be so, in this scope or, with `everywhere`, globally.

        The same words already held are `Joined`, and nothing is written. `cites` names
        memories that helped: they count as used.
        """
        context = self._context
        realm = context.realm.in_scope(GLOBAL) if everywhere else context.realm
        statement = Statement(
            content=content,
            source=context.source,
            type=type,
            importance_hint=importance_hint,
            confidence=confidence,
            valid_from=moment_or_none(valid_from),
            valid_to=moment_or_none(valid_to),
            expires_at=moment_or_none(expires_at),
            event_time=event_time,
            attributes=attributes or {},
            waits_for=context.waits_for,
        )
        event_id = event_id and context.name(event_id, "an event id")
        return taking_in.remember(context, statement, realm, event_id=event_id, cites=cites)

    def correct(
        self,
        memory_id: str,
        content: str,
        *,
        since: Moment | None = None,
        always: bool = False,
        valid_to: Moment | None = None,
        expires_at: Moment | None = None,
        importance_hint: float | None = None,
        attributes: Mapping[str, object] | None = None,
    ) -> Kept:
        """Put something else in a memory's place; the old one stays readable for its time.

        It holds from `since`, by default from now. `always` says that the old one was
        never right. Its end and its expiry are those of the old one, unless they are given
        or over. An agent's is noted beside the user's word, and refused where the user pinned
        an agent's.
        """
        return self._deciding.correct(
            memory_id, content, since=since, always=always, valid_to=valid_to,
            expires_at=expires_at, importance_hint=importance_hint, attributes=attributes,
        )  # fmt: skip

    def confirm(self, memory_id: str) -> Kept:
        """Find a memory right: confidence rises, and the confirmation is on record."""
        return self._deciding.confirm(memory_id)

    def forget(self, memory_id: str, reason: str = "") -> Kept:
        """Let a memory step back from every answer. It can be restored."""
        return self._deciding.forget(memory_id, admitted_note(reason, self._context.gates))

    def restore(self, memory_id: str) -> Kept:
        """Bring back what was forgotten or archived; what was held back waits again."""
        return self._deciding.restore(memory_id)

    def pin(self, memory_id: str, *, pinned: bool = True) -> Kept:
        """Make a memory immune to fading, or release it."""
        return self._deciding.pin(memory_id, pinned=pinned)

    def relate(self, from_id: str, relation: str, to_id: str, weight: float = 1.0) -> Edge:
        """Say how two memories hang together; saying it twice changes nothing."""
        return self._deciding.relate(from_id, relation, to_id, weight)

    def recall(
        self,
        question: str,
        *,
        view: View | str = View.CURRENT,
        true_on: Moment | None = None,
        believed_on: Moment | None = None,
        types: Sequence[str] = (),
        limit: int = 10,
        budget: int | None = None,
        explain: bool = False,
        asked_at: Moment | None = None,
        by_session: bool = False,
        tuning: Tuning | None = None,
    ) -> Recollection:
        """Ask memory; returns `Recollected`, best first, or `Abstained` with the reason.

        `true_on` asks what was so on a day, `believed_on` what was held on a day. `budget`
        bounds the answer in tokens: what is too long is cut, and what does not fit is named.
        `explain` also names what fits but holds no more. `asked_at` is when the question was
        asked, if not now: "last week" is counted from there, and what was written down later
        counts for less. `by_session` asks where it was spoken of: one answer for each session.
        `tuning` picks another ranker or switches signals off.
        """
        # Loaded here: a hook that only writes should not wait for what answers.
        from helix.app.answering import answered  # noqa: PLC0415

        as_of = None
        if true_on is not None or believed_on is not None:
            as_of = AsOf(moment_or_none(true_on), moment_or_none(believed_on))
        asked = Question(
            question, one_of(View, view), as_of, self._registered(types), limit, budget, explain,
            moment_or_none(asked_at), by_session,
        )  # fmt: skip
        answer, now = answered(self._context, asked, tuning)
        self.life.note(answer, now)
        return answer

    def list(
        self,
        *,
        types: Sequence[str] = (),
        statuses: Sequence[Status | str] | None = None,
        limit: int = 50,
        before: int | str | None = None,
    ) -> Sequence[Memory]:
        """Return what is held, newest first; to an agent, not what it may not read.

        `before` pages on from a position, or from the last memory of a page by its id,
        which what was concluded needs: it has no position of its own.
        """
        from helix.app.withholding import page_as_seen  # noqa: PLC0415 - a capture never needs it

        chosen = None if statuses is None else each_of(Status, statuses)
        kinds = self._registered(types)
        with self._context.store.reading() as unit:
            realm = self._context.realm
            now = Standpoint(View.CURRENT, self._context.now(unit))

            def read(limit: int, before: int | Memory | None) -> Sequence[Memory]:
                found = unit.projection.listing(
                    realm, now, types=kinds, limit=limit, before=before, statuses=chosen
                )
                return memories_here(unit, realm, found)

            following = self._following(unit, before)
            return page_as_seen(self._context.source, read, bounded(limit), following)

    def every(
        self, types: Sequence[str] = (), statuses: Sequence[Status | str] | None = None
    ) -> Sequence[Memory]:
        """Return all that is held, or stands so, newest first, as of one moment.

        What an agent may not read is there without its words.
        """
        from helix.app.withholding import memory_as_seen  # noqa: PLC0415 - as above

        chosen = None if statuses is None else each_of(Status, statuses)
        kinds = self._registered(types)
        with self._context.store.reading() as unit:
            now = Standpoint(View.CURRENT, self._context.now(unit))
            held = every_one(unit, self._context.realm, now, types=kinds, statuses=chosen)
            here = memories_here(unit, self._context.realm, [*held])
            return [memory_as_seen(self._context.source, each) for each in here]

    def by_event(self, event_id: str) -> Memory | None:
        """Return the memory that an event brought about, if it is visible from here."""
        from helix.app.withholding import memory_as_seen  # noqa: PLC0415 - as above

        realm = self._context.realm
        if self._context.quotes:
            event_id = self._context.name(event_id, "an event id")
        with self._context.store.reading() as unit:
            found = event_seen_from(unit.ledger, realm, event_id)
            held = found and unit.projection.born_at(realm.tenant, found.position)
            here = memories_here(unit, realm, [held]) if held else ()
        return memory_as_seen(self._context.source, here[0]) if here else None

    def why(self, memory_id: str) -> Account:
        """Return a memory with everything that led to it: beliefs, acts, witnesses, edges."""
        from helix.app.account import account_of  # noqa: PLC0415 - a capture never needs it

        return account_of(self._context, memory_id)

    def _following(self, unit: Unit, before: int | str | None) -> int | Memory | None:
        if not isinstance(before, str):
            return paged(before)
        position = position_in(before)
        return self._context.visible(unit, before) if position is None else position

    def _registered(self, types: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._context.schema[name].name for name in types)
