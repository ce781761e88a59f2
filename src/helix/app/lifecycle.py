"""A memory's life, for those who ask and act: use, promotion, sweeps, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from helix.app.context import Context
from helix.app.recording import check_not_entombed, record
from helix.app.whose import is_pinned, users_decision
from helix.app.withholding import memory_as_seen, outcome_as_seen
from helix.capture import acting, judging
from helix.capture.admission import admitted_note
from helix.model.act import Act
from helix.model.errors import BadInput, StoreUnavailable
from helix.model.experience import Statement
from helix.model.frozen import dataclass
from helix.model.life import Life, Surfacing, life_of
from helix.model.memory import Memory
from helix.model.outcome import Kept
from helix.model.recollection import Recollected, Recollection
from helix.model.scope import may_read, visible_from
from helix.model.types import FACT, Shape
from helix.ports.enrichment import Novelty
from helix.ports.lives import START
from helix.ports.store import Unit
from helix.rules.decay import idle_since, reaches, retained, standing
from helix.rules.effective_importance import Appraisal, centrality, composite, factors
from helix.rules.naming import fingerprint
from helix.rules.policy import Policy
from helix.rules.reinforcement import Strength
from helix.rules.stepping_back import reason_to_archive
from helix.rules.tiers import Tier, tier
from helix.rules.valence import valence
from helix.rules.validity import nearest_moment

if TYPE_CHECKING:
    from helix.app.compression import Compressed
    from helix.app.concluding import Concluded
    from helix.app.sweeping import Progress, Swept

CITED_QUALITY = 4
"""What it is worth to be cited by a later write: it helped, and nobody said how much."""

SHOWN_TOGETHER = 32
"""Answers whose memories are counted as shown in one go."""

FADING_WITHIN = timedelta(days=7)
LOOKED_AT_FOR_FADING = 50_000
"""Of the oldest memories; a glance at the state of things must not take minutes."""

_PAGE = 1_000
UNSURPRISED = 0.5
"""What counts for a memory that was never compared with others: neither new nor old."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one memory stands at a moment: its signals, and what the policy makes of them."""

    memory: Memory
    life: Life
    policy: Policy
    now: datetime
    strength: Strength
    idle_since: datetime
    retention: float
    salience: float
    tier: Tier
    reaches_floor_at: datetime | None
    factors: dict[str, float]
    centrality: float
    effective_importance: float
    novelty: Novelty | None
    surfaced: Surfacing


@dataclass(frozen=True, slots=True)
class Ages:
    """How many memories stand in each tier, and which of them are fading."""

    tiers: tuple[tuple[str, str, str, str, int], ...]
    fading: tuple[tuple[str, datetime], ...]
    proposed: int
    looked_at: int


class Lifecycle:
    """Using, promoting, demoting, sweeping, and looking at it."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context
        self._shown: list[tuple[tuple[str, ...], datetime]] = []

    def used(self, memory_id: str, quality: int = CITED_QUALITY) -> Kept:
        """Say that a memory was worked with, and how well it served, 0 to 5.

        From 3 on it lasts longer and, if it was archived, answers again. Below, it grows no
        stronger; at 0 and 1 it is doubted.
        """
        with self._context.store.writing() as unit:
            return outcome_as_seen(self._context.source, self._use(unit, memory_id, quality))

    def cited(self, unit: Unit, memory_ids: Sequence[str], by: Memory) -> None:
        """Use what a write cites, in the same transaction."""
        for memory_id in dict.fromkeys(memory_ids):
            self._use(unit, memory_id, CITED_QUALITY, by)

    def promote(self, memory_id: str, content: str = "", type: str = FACT) -> Kept:
        """Hold what an episode tells, in its words or in better ones; the episode stays.

        Better words are for the user: an agent's own are vouched for by nobody else.
        """
        context = self._context
        with context.store.writing() as unit:
            episode = self._context.visible(unit, memory_id)
            statement = Statement(
                content=content or episode.content,
                source=context.source,
                type=type,
                importance_hint=episode.importance_hint,
                valid_from=episode.belief.valid_from,
                event_time=episode.event_time,
            )
            tenant = context.realm.tenant
            by = acting.asserted(
                statement,
                context.schema,
                lambda taken: unit.projection.taken(tenant, taken),
                context.gates,
            )
            check_not_entombed(unit, context.realm, context.source, by.content)
            at = nearest_moment(self.now(unit), by.valid_from)
            alike = unit.projection.alike(episode.realm, fingerprint(by.type, by.content), at)
            if alike is not None:
                raise judging.already_held(episode, alike)
            return self._recorded(unit, judging.promoted(episode, by), episode)

    def demote(self, memory_id: str, reason: str = "") -> Kept:
        """Send a memory to the archive; deep recall finds it, and using it brings it back."""
        with self._context.store.writing() as unit:
            memory = self._context.visible(unit, memory_id)
            users_pin = users_decision(unit, self._context, memory, is_pinned)
            said = admitted_note(reason, self._context.gates)
            act = judging.demoted(memory, self._context.source, said, users_pin=users_pin)
            return outcome_as_seen(self._context.source, self._recorded(unit, act, memory))

    def standing(self, memory_id: str) -> Standing:
        """Return how a memory stands now, with everything that was counted."""
        with self._context.store.reading() as unit:
            memory = self._context.visible(unit, memory_id)
            held = standing_of(unit, self._context, memory, self.now(unit))
        return replace(held, memory=memory_as_seen(self._context.source, memory))

    def sweep(
        self,
        kinds: Sequence[str] = (),
        *,
        dry_run: bool = False,
        everything: bool = False,
        cap: int | None = None,
        progress: Progress = lambda _: None,
    ) -> list[Swept]:
        """Promote what is ready and let step back what has faded; see `Sweeper.run`."""
        from helix.app.sweeping import Sweeper  # noqa: PLC0415 - most who open never sweep

        return Sweeper(self._context, self.now).run(
            kinds, dry_run=dry_run, everything=everything, cap=cap, progress=progress
        )

    def compress(
        self, *, dry_run: bool = False, progress: Progress = lambda _: None
    ) -> Compressed | None:
        """Keep vectors as finely as their memories call for; None without an embedder."""
        from helix.app.compression import compress  # noqa: PLC0415 - numpy, only when needed

        embedder = self._context.embedder()
        if embedder is None:
            return None
        return compress(self._context, embedder, self.now, dry_run=dry_run, progress=progress)

    def conclusions(self, limit: int = 20) -> list[Concluded]:
        """Return what Helix concluded here, newest first, each with what took it back, if any."""
        if limit < 0:
            raise BadInput(f"{limit} cannot be listed", code="out_of_range", remedy="ask for more")
        from helix.app.concluding import conclusions  # noqa: PLC0415 - a question never needs it

        with self._context.store.reading() as unit:
            return conclusions(unit, self._context.realm, limit)

    def revert(self, number: int) -> Concluded:
        """Take back what one sweep changed, as one; any of its numbers names it."""
        from helix.app.concluding import revert  # noqa: PLC0415 - as above

        return revert(self._context.store, self._context.realm, number, self.now)

    def ages(self) -> Ages:
        """Return what stands in which tier, and what will reach the floor within a week."""
        context = self._context
        policy = context.policy
        with context.store.reading() as unit:
            now = self.now(unit)
            spans = (
                timedelta(hours=policy.hot_hours),
                timedelta(days=policy.warm_days),
                timedelta(days=policy.cold_days),
            )
            # A tier's far end belongs to the next one, so the bound is a moment later.
            bounds = [now - span + timedelta(microseconds=1) for span in spans]
            tiers = tuple(
                (each.type, each.shape, each.status, _tier_name(each.status, each.stretch),
                 each.number)
                for each in unit.lives.aged(context.realm, bounds)
            )  # fmt: skip
            fading, proposed, looked_at = self._fading(unit, now)
        return Ages(tiers, tuple(fading), proposed, looked_at)

    def note(self, answer: Recollection, at: datetime) -> None:
        """Count, some time after it was given, what an answer showed. It strengthens nothing."""
        if isinstance(answer, Recollected) and not self._context.store.read_only:
            shown = (*answer.remembered, *answer.archived)
            self._shown.append((tuple(each.memory.id for each in shown), at))
            if len(self._shown) >= SHOWN_TOGETHER:
                self.write_down_shown()

    def write_down_shown(self) -> None:
        """Write down what was shown since the last time; given up if the store is busy."""
        shown, self._shown = self._shown, []
        if shown:
            # A statistic is not worth an error to somebody who only asked.
            with suppress(StoreUnavailable), self._context.store.writing() as unit:
                for memory_ids, at in shown:
                    unit.lives.note_surfaced(self._context.realm, memory_ids, at)

    def now(self, unit: Unit) -> datetime:
        """Return the present, which is never before what is recorded."""
        return self._context.now(unit)

    def _use(self, unit: Unit, memory_id: str, quality: int, by: Memory | None = None) -> Kept:
        memory = self._context.visible(unit, memory_id)
        # It is written where the memory stands; not everybody there may see what cites it.
        because = by.id if by is not None and may_read(memory.realm, by.realm) else ""
        act = judging.used(memory, quality, self._context.source, because)
        return self._recorded(unit, act, memory)

    def _recorded(self, unit: Unit, act: Act, memory: Memory) -> Kept:
        context = self._context
        written = record(
            unit, act, memory.realm, context.chance.event_id(),
            clock=context.clock, chance=context.chance,
        )  # fmt: skip
        changed = written.first_memory or memory
        return Kept(memory_as_seen(context.source, changed), written.position)

    def _fading(self, unit: Unit, now: datetime) -> tuple[list[tuple[str, datetime]], int, int]:
        policy = self._context.policy
        fading: list[tuple[str, datetime]] = []
        proposed = looked_at = 0
        for realm in visible_from(self._context.realm):
            after = START
            while page := unit.lives.page(realm, after, _PAGE):
                after = page[-1][0]
                looked_at += len(page)
                leaving: list[str] = []
                for _, life in page:
                    if reason_to_archive(life, now, policy):
                        leaving.append(life.memory_id)
                        continue
                    due = _reaches_floor_at(life, policy)
                    if due is not None and now < due <= now + FADING_WITHIN:
                        fading.append((life.memory_id, due))
                # A sweep from here leaves `global` alone, and what something else rests on.
                if realm == self._context.realm:
                    proposed += len(leaving) - len(unit.lives.causes(realm, leaving))
                if looked_at >= LOOKED_AT_FOR_FADING:
                    break
        return sorted(fading, key=lambda each: each[1]), proposed, looked_at


def standing_of(unit: Unit, context: Context, memory: Memory, now: datetime) -> Standing:
    """Return how a visible memory stands at a moment under the policy in force."""
    policy = context.policy
    uses = unit.lives.uses_of(context.realm, [memory.id]).get(memory.id, ())
    life = life_of(memory, uses)
    held = standing(life, policy)
    kept = retained(life, held, now, policy)
    novelty = _novelty(unit, context, memory)
    surprised = UNSURPRISED if novelty is None else novelty.surprise
    degree = unit.lives.degrees(context.realm, [memory.id]).get(memory.id, 0)
    counted = factors(life, now, policy, Appraisal(valence(memory.content), surprised))
    central = centrality(degree)
    return Standing(
        memory=memory_as_seen(context.source, memory),
        life=life,
        policy=policy,
        now=now,
        strength=held,
        idle_since=idle_since(life, held),
        retention=kept,
        salience=life.importance * kept,
        tier=tier(life, now, policy),
        reaches_floor_at=_reaches_floor_at(life, policy),
        factors=counted,
        centrality=central,
        effective_importance=composite(counted, central),
        novelty=novelty,
        surfaced=unit.lives.surfaced(context.realm, [memory.id]).get(memory.id, Surfacing()),
    )


def _novelty(unit: Unit, context: Context, memory: Memory) -> Novelty | None:
    return unit.enrichment.novelty_of(context.realm, [memory.id]).get(memory.id)


def _reaches_floor_at(life: Life, policy: Policy) -> datetime | None:
    if life.shape in (Shape.SEMANTIC, Shape.ENTITY):
        return None
    due = reaches(life, policy.floor, policy)
    return due and max(due, life.recorded_at + timedelta(days=policy.floor_age_days))


def _tier_name(status: str, stretch: int) -> str:
    return Tier.ARCHIVE.value if status == "archived" else list(Tier)[stretch].value
