"""Generated realms, texts, acts and histories, for Hypothesis."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from hypothesis import strategies as st

from helix.model import act as acts
from helix.model.act import Act
from helix.model.memory import Circumstances, EventTime
from helix.model.provenance import Origin, Source
from helix.model.scope import EVERYONE, GLOBAL, Realm
from helix.model.suspicion import Suspicion
from helix.testing.histories import KINDS, REALMS, Move

PLAIN_WORDS = (
    "postgres", "kafka", "deploy", "branch", "token", "timeout", "retry", "cache", "lint",
    "docker", "queue", "schema", "index", "proxy", "cluster", "secret",
)  # fmt: skip
"""Words that no tokenizer cuts, stems into each other or leaves out."""

AWKWARD = (
    "🦉", "👩‍👩‍👧", "「日本語」", "数据库", "데이터베이스", "naïve", "Ünïcode",
    "İstanbul", "ß", "ﬁ", '"', "''", "`", "“quoted”", "«»", "(", ")]", "{}", "<b>", "&amp;",
    "*", "?", "-", "--", "^", "~", "NEAR(", "AND", "OR", "NOT", "col:", "mark:", "_all_",
    "\\", "/", "//", "%", "_", "__", ";", "DROP TABLE memories", "\x00", "\x1f", "\t",
    "\r\n", "\u200b", "\u202e", "\ufeff", "\ud800", "\udfff", "getUserById", "user_by_id",
    "src/app/main.py", "C++", "C#", ".NET", "foo.bar()", "v1.2.3", "--dry-run", "#42",
    "@me", "a\u0301", "हिन्दी", "עברית", "ไทย", "\U000e0001", "\U0001d518", "9",
)  # fmt: skip
"""Pieces of text that have broken somebody's index, parser or terminal."""


def plain_text(words: int = 6) -> st.SearchStrategy[str]:
    """Return sentences of plain words."""
    drawn = st.lists(st.sampled_from(PLAIN_WORDS), min_size=1, max_size=words)
    return drawn.map(" ".join)


@cache
def free_text() -> st.SearchStrategy[str]:
    """Return anything that anyone may type or paste, half characters included."""
    pieces = st.one_of(
        st.sampled_from(PLAIN_WORDS),
        st.sampled_from(AWKWARD),
        st.text(st.characters(), max_size=8),  # `characters()` draws surrogates as well
    )
    glue = st.sampled_from(["", " ", "\n"])
    return st.tuples(glue, st.lists(pieces, max_size=10)).map(lambda drawn: drawn[0].join(drawn[1]))


def realms(tenants: tuple[str, ...] = ("acme", "other")) -> st.SearchStrategy[Realm]:
    """Return realms of a few tenants, owners and scopes, so that they meet."""
    return st.builds(
        Realm,
        st.sampled_from(tenants),
        st.sampled_from(["ann", "bob", EVERYONE]),
        st.sampled_from([GLOBAL, "project:a", "project:b"]),
    )


def moments() -> st.SearchStrategy[datetime]:
    """Return aware moments in UTC, over all the years there are."""
    return st.datetimes(timezones=st.just(UTC))


def shares() -> st.SearchStrategy[float]:
    """Return numbers in [0, 1]."""
    return st.floats(0.0, 1.0)


@cache
def attributes() -> st.SearchStrategy[dict[str, Any]]:
    """Return attributes that may be kept: plain values, lists and objects of these."""
    numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    plain = st.none() | st.booleans() | numbers | st.text(max_size=8)
    nested = st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=6,
    )
    return st.dictionaries(st.text(max_size=8), nested, max_size=3)


def sources() -> st.SearchStrategy[Source]:
    """Return who may speak."""
    return st.builds(Source, st.text(max_size=8), st.sampled_from(Origin), st.text(max_size=8))


def suspicions() -> st.SearchStrategy[Suspicion | None]:
    """Return what may speak against a text, mostly nothing."""
    reasons = st.lists(st.text(max_size=8), max_size=3).map(tuple)
    return st.none() | st.builds(Suspicion, shares(), reasons, st.booleans())


def captures() -> st.SearchStrategy[acts.Captured]:
    """Return experiences."""
    around = st.builds(
        Circumstances,
        event_id=st.text(min_size=1, max_size=8),
        session=st.text(max_size=4),
        exit_status=st.none() | st.integers(-255, 255),
        files=st.lists(st.text(max_size=8), max_size=3).map(tuple),
        parent_event_id=st.text(max_size=4),
    )
    return st.builds(
        acts.Captured,
        content=st.text(min_size=1),
        source=sources(),
        circumstances=around,
        importance_base=shares(),
        importance_hint=st.none() | shares(),
        occurred_at=st.none() | moments(),
        attributes=attributes(),
        suspicion=suspicions(),
    )


def assertions() -> st.SearchStrategy[acts.Asserted]:
    """Return statements."""
    event_time = st.builds(
        EventTime,
        start=st.none() | moments(),
        end=st.none() | moments(),
        text=st.text(max_size=8),
        timezone=st.sampled_from(["", "Europe/Berlin"]),
    )
    return st.builds(
        acts.Asserted,
        memory_id=st.text(min_size=1, max_size=12),
        type=st.sampled_from(["fact", "decision", "invented"]),
        shape=st.sampled_from(["semantic", "procedural", "entity"]),
        content=st.text(min_size=1),
        source=sources(),
        importance_base=shares(),
        confidence=shares(),
        importance_hint=st.none() | shares(),
        valid_from=st.none() | moments(),
        valid_to=st.none() | moments(),
        expires_at=st.none() | moments(),
        event_time=st.none() | event_time,
        attributes=attributes(),
        suspicion=suspicions(),
    )


@cache
def any_act() -> st.SearchStrategy[Act]:
    """Return acts of every kind."""
    ids, who = st.text(min_size=1, max_size=12), sources()
    positions = st.lists(st.integers(1, 2**53), min_size=1, max_size=5).map(tuple)
    span = st.tuples(st.integers(1, 2**53), st.integers(1, 2**53))
    spans = st.lists(span, min_size=1, max_size=5).map(tuple)
    return st.one_of(
        captures(),
        st.builds(acts.SessionStarted, ids, who),
        st.builds(acts.SessionEnded, ids, who),
        assertions(),
        st.builds(acts.Corrected, ids, assertions()),
        st.builds(acts.Confirmed, ids, who),
        st.builds(acts.Related, ids, ids, st.just("uses"), shares(), who),
        st.builds(
            acts.Resolved,
            ids,
            ids,
            st.sampled_from(["first", "second", "both", "compatible", "neither"]),
            who,
        ),
        st.builds(acts.Forgotten, ids, who, st.text(max_size=8)),
        st.builds(acts.Restored, ids, who),
        st.builds(acts.Pinned, ids, st.booleans(), who),
        st.builds(acts.Used, ids, st.integers(0, 5), who, st.text(max_size=8)),
        st.builds(acts.Promoted, ids, assertions()),
        st.builds(acts.Demoted, ids, who, st.text(max_size=8)),
        st.builds(acts.Approved, ids, who),
        st.builds(acts.Rejected, ids, who, st.text(max_size=8), st.text(max_size=8)),
        st.builds(acts.Trusted, ids, who, st.booleans(), positions),
        st.builds(acts.RolledBack, positions, who, st.text(max_size=8)),
        st.builds(acts.Erased, st.integers(1, 2**53), who, st.text(max_size=8)),
        st.builds(acts.Purged, spans, who, moments(), st.text(max_size=8)),
    )


def histories(longest: int = 30) -> st.SearchStrategy[list[Move]]:
    """Return lists of moves that `histories.Player` can play."""
    move = st.builds(
        Move,
        kind=st.sampled_from(KINDS),
        realm=st.sampled_from(REALMS),
        content=plain_text(),
        picks=st.tuples(*[st.integers(0, 100)] * 3),
    )
    return st.lists(move, min_size=1, max_size=longest)
