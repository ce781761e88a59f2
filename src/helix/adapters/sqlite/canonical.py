"""The whole projection in a canonical form: equal projections have equal lines."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from helix.adapters.sqlite.known import BUDGET, TOMBS, TRUSTS
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import (
    EDGE_COLUMNS,
    EDGE_ROWS,
    MEMORY_COLUMNS,
    edge_of,
    encode,
    memory_of,
)
from helix.adapters.sqlite.words import WordIndex

ALL_MEMORIES = (
    f"SELECT {MEMORY_COLUMNS}, m.belief, m.status, m.valid_from, m.valid_to, m.parent_event_id"
    " FROM memories m WHERE m.tenant = ? ORDER BY m.id"
)
PAST_BELIEFS = (
    "SELECT until_at, until_position, belief FROM past_beliefs WHERE memory = ? ORDER BY until_at"
)
ALL_EDGES = f"SELECT {EDGE_COLUMNS} FROM {EDGE_ROWS} WHERE e.tenant = ? ORDER BY e.id"
ALL_USES = (
    "SELECT m.id, u.position, u.at, u.quality, u.origin FROM uses u"
    " JOIN memories m ON m.key = u.memory WHERE u.tenant = ? ORDER BY m.id, u.position"
)
SESSIONS = (
    "SELECT id, started_at, ended_at, agent, episodes, last_episode FROM sessions"
    " WHERE place = ? ORDER BY id"
)


def contents(
    connection: apsw.Connection, places: Places, words: WordIndex, tenant: int
) -> Iterator[str]:
    """Yield everything that was folded for a tenant, but how far."""
    for row in connection.execute(ALL_MEMORIES, (tenant,)):
        memory = memory_of(row, places)
        # Questions filter by columns that repeat what is believed.
        yield f"memories {encode(memory).decode()} {encode(row[14:]).decode()}"
        for until_at, until_position, belief in connection.execute(PAST_BELIEFS, (row[0],)):
            yield f"beliefs {memory.id} {until_at} {until_position} {belief.decode()}"
    for row in connection.execute(ALL_EDGES, (tenant,)):
        yield f"edges {encode(edge_of(row, places)).decode()}"
    for row in connection.execute(ALL_USES, (tenant,)):
        yield f"uses {encode(row).decode()}"
    for place in places.of_tenant(tenant):
        yield from _of_place(connection, places, words, place)
    for (name,) in connection.execute(TOMBS + " ORDER BY name", (tenant,)):
        yield f"tombs {name}"


def _of_place(
    connection: apsw.Connection, places: Places, words: WordIndex, place: int
) -> Iterator[str]:
    name = encode(places.realm(place)).decode()
    for row in connection.execute(TRUSTS, (place,)):
        yield f"trusts {name} {encode(row).decode()}"
    for row in connection.execute(SESSIONS, (place,)):
        yield f"sessions {name} {encode(row).decode()}"
    for row in connection.execute(BUDGET, (place,)):
        yield f"budgets {name} {row[0]}"
    for line in words.vocabulary_lines(place):
        yield f"words {name} {encode(line).decode()}"
