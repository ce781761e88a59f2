"""What Helix should do, in the plainest way: one whole world kept per ledger position.

Nothing is shared with the product but the nouns and the errors. Worlds are compared by
position, so looking back is indexing a list, and undoing is copying from an earlier world.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.scope import EVERYONE, GLOBAL, Realm

ANSWERING = {"active", "superseded"}
UNDONE_BIRTH = 0


@dataclass(frozen=True)
class Held:
    """One memory as it is believed."""

    id: str
    realm: Realm
    type: str
    content: str
    valid_from: datetime
    valid_to: datetime | None
    since: int
    stems_from: int
    status: str = "active"
    confidence: float = 0.9
    confirmations: int = 0
    pinned: bool = False
    superseded_by: str = ""


@dataclass(frozen=True)
class Link:
    """One edge, standing until it was ended."""

    ends: tuple[str, str, str]
    realm: Realm
    drawn_by: int
    ended_by: int | None = None


@dataclass(frozen=True)
class World:
    """Everything as it stands after one act."""

    moment: datetime
    realm: Realm
    kind: str
    memories: dict[str, Held]
    links: tuple[Link, ...]


NOWHERE = Realm("local", "nobody", GLOBAL)
LONG_BEFORE = timedelta(days=40_000)


class PlainModel:
    """A list of worlds. Every act refuses with an error or appends one."""

    def __init__(self, first: datetime) -> None:
        self.worlds = [World(first - LONG_BEFORE, NOWHERE, "nothing", {}, ())]

    @property
    def now(self) -> World:
        return self.worlds[-1]

    @property
    def head(self) -> int:
        return len(self.worlds) - 1

    def ids(self) -> list[str]:
        return list(self.now.memories)

    # What is asked.

    def seen(
        self,
        asker: Realm,
        true_on: datetime | None,
        believed_on: datetime | None = None,
    ) -> dict[str, Held]:
        """Return what answers; without `true_on`, everything that ever held."""
        world = self.now if believed_on is None else self._world_at(believed_on)
        return {
            held.id: held
            for held in world.memories.values()
            if visible(asker, held.realm)
            and held.status in ANSWERING
            and (true_on is None or holds(held, true_on))
        }

    def links(self, asker: Realm, memory_id: str) -> set[tuple[str, str, str]]:
        return {
            link.ends
            for link in self.now.links
            if link.ended_by is None
            and memory_id in (link.ends[0], link.ends[2])
            and visible(asker, link.realm)
            and all(self._visible(asker, end) for end in (link.ends[0], link.ends[2]))
        }

    # What is done. Each returns the position written, or None if nothing had to be.

    def capture(self, moment: datetime, asker: Realm, new_id: str, content: str) -> int:
        position = self.head + 1
        held = Held(new_id, asker, "episode", content, moment, None, position, position)
        return self._write(moment, asker, "captured", [held])

    def remember(
        self,
        moment: datetime,
        realm: Realm,
        new_id: str,
        content: str,
        *,
        valid_from: datetime | None,
        valid_to: datetime | None,
    ) -> int | None:
        check_span(valid_from or moment, valid_to)
        at = nearest(moment, valid_from or moment, valid_to)
        if self._alike(realm, "fact", content, at) is not None:
            return None
        position = self.head + 1
        held = Held(
            new_id, realm, "fact", content, valid_from or moment, valid_to, position, position
        )
        return self._write(moment, realm, "asserted", [held])

    def correct(
        self,
        moment: datetime,
        asker: Realm,
        old_id: str,
        new_id: str,
        content: str,
        *,
        since: datetime | None,
        always: bool,
    ) -> int:
        old = self._found(asker, old_id)
        if old.type == "episode":
            raise BadInput("an episode happened")
        if old.status != "active":
            raise Conflict("only what is held can be corrected")
        start = (old.valid_from if always else since) or moment
        last = old.valid_to
        if last is not None and last <= min(start, moment):
            last = None  # it is over, and says nothing of what came after
        check_span(start, last)
        at = nearest(moment, start, last)
        if self._alike(old.realm, old.type, content, at) is not None:
            raise Conflict("it is held already")
        position = self.head + 1
        new = Held(new_id, old.realm, old.type, content, start, last, position, position)
        end = max(old.valid_from, start)
        if old.valid_to is not None:
            end = min(end, old.valid_to)
        closed = replace(
            old,
            status="superseded", valid_to=end, superseded_by=new_id,
            since=position, stems_from=position,
        )  # fmt: skip
        link = Link((new_id, "supersedes", old_id), old.realm, position)
        behind = self._ended_behind(old_id, start, position)
        return self._write(moment, old.realm, "corrected", [new, closed, *behind], [link])

    def confirm(self, moment: datetime, asker: Realm, memory_id: str) -> int:
        held = self._found(asker, memory_id)
        if held.status != "active":
            raise Conflict("only what is held can be confirmed")
        confidence = round(held.confidence + (1 - held.confidence) * 0.5, 6)
        return self._change(
            moment, held, "confirmed",
            confidence=confidence, confirmations=held.confirmations + 1,
        )  # fmt: skip

    def forget(self, moment: datetime, asker: Realm, memory_id: str) -> int:
        held = self._found(asker, memory_id)
        if held.status != "active":
            raise Conflict("only what is held can be forgotten")
        return self._change(moment, held, "forgotten", status="forgotten")

    def restore(self, moment: datetime, asker: Realm, memory_id: str) -> int:
        held = self._found(asker, memory_id)
        if held.status != "forgotten":
            raise Conflict("only what was forgotten can be restored")
        at = nearest(moment, held.valid_from, held.valid_to)
        if self._alike(held.realm, held.type, held.content, at) is not None:
            raise Conflict("it is held already")
        return self._change(moment, held, "restored", status="active")

    def pin(self, moment: datetime, asker: Realm, memory_id: str, *, pinned: bool) -> int:
        return self._change(moment, self._found(asker, memory_id), "pinned", pinned=pinned)

    def relate(self, moment: datetime, asker: Realm, start_id: str, end_id: str) -> int | None:
        start, end = self._found(asker, start_id), self._found(asker, end_id)
        if start_id == end_id:
            raise BadInput("to itself")
        ends = (start_id, "uses", end_id)
        if ends in self.links(asker, start_id):
            return None
        realm = narrower(start.realm, end.realm)
        return self._write(moment, realm, "related", [], [Link(ends, realm, self.head + 1)])

    def undo_one(self, moment: datetime, asker: Realm, position: int) -> int:
        known = 1 <= position <= self.head
        if not known or not visible(asker, self.worlds[position].realm):
            raise NotFound("no such act here")
        return self._undo(moment, self.worlds[position].realm, [position])

    def undo_to(self, moment: datetime, asker: Realm, to: int, *, with_episodes: bool) -> int:
        if not 0 <= to <= self.head:
            raise NotFound("no such position")
        positions = [
            position
            for position in range(to + 1, self.head + 1)
            if self.worlds[position].realm == asker
            and (with_episodes or self.worlds[position].kind != "captured")
        ]
        if not positions:
            raise Conflict("nothing to undo")
        return self._undo(moment, asker, positions)

    # How a world follows from another.

    def _undo(self, moment: datetime, realm: Realm, positions: list[int]) -> int:
        self._check_nothing_rests_on_others(positions)
        position = self.head + 1
        back = [
            self._as_before(memory_id, first, position)
            for memory_id, first in self._first_touches(positions).items()
        ]
        self._check_alike_after(back, moment)
        links, again = [], []
        for link in self.now.links:
            if link.drawn_by in positions:
                links.append(replace(link, ended_by=link.ended_by or position))
            elif link.ended_by in positions:
                again.append(Link(link.ends, link.realm, position))
                links.append(link)
            else:
                links.append(link)
        memories = {**self.now.memories, **{held.id: held for held in back}}
        self.worlds.append(World(moment, realm, "rolled_back", memories, (*links, *again)))
        return position

    def _first_touches(self, positions: Iterable[int]) -> dict[str, int]:
        first: dict[str, int] = {}
        for position in positions:
            for memory_id in self.touched(position):
                first.setdefault(memory_id, position)
        return first

    def touched(self, position: int) -> list[str]:
        before, after = self.worlds[position - 1].memories, self.worlds[position].memories
        return [each for each, held in after.items() if held != before.get(each)]

    def _as_before(self, memory_id: str, first: int, position: int) -> Held:
        before = self.worlds[first - 1].memories.get(memory_id)
        if before is not None:
            return replace(before, since=position)
        born = self.worlds[first].memories[memory_id]
        return replace(born, status="forgotten", since=position, stems_from=UNDONE_BIRTH)

    def _check_nothing_rests_on_others(self, positions: Collection[int]) -> None:
        for memory_id in self._first_touches(positions):
            held = self.now.memories[memory_id]
            left = [self.worlds[each].memories.get(memory_id) for each in positions]
            anew = [was and replace(was, since=held.since) == held for was in left]
            if held.stems_from not in positions and held.since not in positions and not any(anew):
                raise Conflict("it has gone on since")
        for link in self.now.links:
            ended_elsewhere = link.ended_by is not None and link.ended_by not in positions
            if link.drawn_by in positions and ended_elsewhere:
                raise Conflict("it was ended since")

    def _ended_behind(self, old_id: str, start: datetime, position: int) -> list[Held]:
        """Return everything that led up to a memory, ended where its successor begins."""
        line, ended = {old_id}, []
        while True:
            further = [
                held
                for held in self.now.memories.values()
                if held.status == "superseded"
                and held.superseded_by in line
                and held.id not in line
            ]
            if not further:
                return ended
            line |= {held.id for held in further}
            for held in further:
                assert held.valid_to is not None
                end = min(held.valid_to, max(held.valid_from, start))
                if end != held.valid_to:
                    ended.append(replace(held, valid_to=end, since=position, stems_from=position))

    def _check_alike_after(self, back: list[Held], moment: datetime) -> None:
        after = {**self.now.memories, **{held.id: held for held in back}}
        for held in back:
            was = self.now.memories[held.id]
            same = (was.status, was.valid_from, was.valid_to)
            if held.status != "active" or same == (held.status, held.valid_from, held.valid_to):
                continue
            at = nearest(moment, held.valid_from, held.valid_to)
            for other in after.values():
                if other.id != held.id and says_the_same(other, held) and holds(other, at):
                    raise Conflict("it is held already")

    def _change(self, moment: datetime, held: Held, kind: str, **changes: object) -> int:
        position = self.head + 1
        changed = replace(held, since=position, stems_from=position, **changes)  # type: ignore[arg-type]
        return self._write(moment, held.realm, kind, [changed])

    def _write(
        self,
        moment: datetime,
        realm: Realm,
        kind: str,
        put: list[Held],
        links: Iterable[Link] = (),
    ) -> int:
        memories = {**self.now.memories, **{held.id: held for held in put}}
        self.worlds.append(World(moment, realm, kind, memories, (*self.now.links, *links)))
        return self.head

    def _world_at(self, moment: datetime) -> World:
        known = [world for world in self.worlds if world.moment <= moment]
        return known[-1] if known else self.worlds[0]

    def _visible(self, asker: Realm, memory_id: str) -> bool:
        held = self.now.memories.get(memory_id)
        return held is not None and visible(asker, held.realm)

    def _found(self, asker: Realm, memory_id: str) -> Held:
        if not self._visible(asker, memory_id):
            raise NotFound("no such memory here")
        return self.now.memories[memory_id]

    def _alike(self, realm: Realm, kind: str, content: str, at: datetime) -> Held | None:
        for held in self.now.memories.values():
            same = (held.realm, held.type, held.content) == (realm, kind, content)
            if same and held.status == "active" and kind != "episode" and holds(held, at):
                return held
        return None


def says_the_same(one: Held, other: Held) -> bool:
    """Return whether two that are held say the same in the same words."""
    said = {(each.realm, each.type, each.content) for each in (one, other)}
    return len(said) == 1 and one.status == other.status == "active" and one.type != "episode"


def nearest(now: datetime, start: datetime, end: datetime | None) -> datetime:
    """Return the moment of a span that is nearest to the present."""
    moment = max(now, start)
    if end is not None and moment >= end:
        moment = max(start, end - timedelta(microseconds=1))
    return moment


def visible(asker: Realm, realm: Realm) -> bool:
    return (
        asker.tenant == realm.tenant
        and realm.owner in (asker.owner, EVERYONE)
        and realm.scope in (asker.scope, GLOBAL)
    )


def narrower(first: Realm, second: Realm) -> Realm:
    """Return where both are seen from and nobody else looks in."""
    owner = second.owner if first.owner == EVERYONE else first.owner
    scope = second.scope if first.scope == GLOBAL else first.scope
    return Realm(first.tenant, owner, scope)


def holds(held: Held, moment: datetime) -> bool:
    return held.valid_from <= moment and (held.valid_to is None or moment < held.valid_to)


def check_span(start: datetime, end: datetime | None) -> None:
    if end is not None and end <= start:
        raise BadInput("it would end before it begins")
