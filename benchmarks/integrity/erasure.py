"""Erasure: random erasures over a store that was lived in, and every byte searched after each.

Each erased text holds a word of its own that stands nowhere else. After the erasure the raw
bytes of every file in the store's folder are searched for the word, the text and the id.
"""

from __future__ import annotations

import random
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.figures import Check, spread
from benchmarks.integrity.texts import commits
from benchmarks.showing import progress, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.ledger.verifying import Sound
from helix.model.errors import Conflict
from helix.model.memory import Memory
from helix.model.outcome import Skipped
from helix.model.provenance import Origin, Source
from helix.testing.builders import HERE, USER, open_memory
from helix.testing.invariants import projection_equals_rebuild

AGENT = Source("agent", Origin.AGENT_INGESTED)


def run(
    folder: Path | None, erasures: int, lived: int, seed: int
) -> tuple[dict[str, object], list[str]]:
    """Return what was left after `erasures` random erasures, and the lines that tell it."""
    chance = random.Random(seed)
    left: list[str] = []
    seconds: list[float] = []
    kinds: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as place:
        path = Path(place)
        with closing(SqliteStore(path / "memory.db")) as store:
            user = open_memory(store, HERE, source=USER)
            agent = open_memory(store, HERE, source=AGENT)
            _live(user, agent, _texts(folder, lived), chance)
            for number in range(erasures):
                if number % 10 == 0:
                    progress(f"erasing {number:,} of {erasures:,}")
                word = f"zq{chance.getrandbits(64):016x}"
                kind, needles, took = _erased_once(user, agent, word, chance)
                kinds[kind] = kinds.get(kind, 0) + 1
                seconds.append(took)
                left += _residue(path, [word, *needles])
            sound = isinstance(user.upkeep.verify(), Sound)
            projection_equals_rebuild(store, HERE.tenant)
            records = user.upkeep.status().records
    checks = [
        Check("files that still hold an erased text", len(left), not left),
        Check("the ledger's seals hold afterwards", float(sound), sound),
    ]
    times = spread(seconds)
    findings: dict[str, object] = {
        "benchmark": "erasure",
        "residue": len(left),
        "files": sorted(set(left)),
        "erasures": erasures,
        "by_source": kinds,
        "records": records,
        "milliseconds": {"p50": times.p50, "p95": times.p95, "max": times.max},
        "checks": [each.plain() for each in checks],
    }
    lines = [
        f"{erasures:,} erasures ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))})"
        f" over a ledger that grew to {records:,} records",
        f"files with residue: {len(left)}",
        f"an erasure takes {times.p50:,.0f} ms (p50), {times.p95:,.0f} ms (p95)",
        "",
    ]
    return findings, lines + verdicts(checks)


def _live(user: Helix, agent: Helix, texts: list[str], chance: random.Random) -> None:
    held: list[str] = []
    for index, text in enumerate(texts):
        speaker = agent if chance.random() < 0.7 else user
        if chance.random() < 0.7:
            speaker.capture(text, session=f"s{index // 20}", tool="git")
            continue
        outcome = speaker.remember(text[:2_000], type=chance.choice(["fact", "decision"]))
        memory = getattr(outcome, "memory", None)
        if isinstance(memory, Memory):
            held.append(memory.id)
        if held and chance.random() < 0.3:
            _touched(user, chance.choice(held), f"{text[:60]} (revised {index})", chance)


def _touched(user: Helix, memory_id: str, text: str, chance: random.Random) -> None:
    try:
        match chance.randrange(4):
            case 0:
                user.confirm(memory_id)
            case 1:
                user.pin(memory_id)
            case 2:
                user.correct(memory_id, text)
            case _:
                user.forget(memory_id)
    except Conflict:
        return


def _erased_once(
    user: Helix, agent: Helix, word: str, chance: random.Random
) -> tuple[str, list[str], float]:
    text = f"{word} was seen in the rack by the window, said {word}"
    kind = chance.choice(["episode", "statement", "corrected", "subject"])
    if kind == "episode":
        outcome = agent.capture(text, session="s1", attributes={"of": word})
    else:
        outcome = user.remember(text, attributes={"of": word})
    assert not isinstance(outcome, Skipped)  # it was never said before
    held = outcome.memory
    if chance.random() < 0.5:
        user.confirm(held.id)
    if kind == "corrected":
        user.correct(held.id, f"what stood in rack {chance.randrange(10**9)} is gone")
    if chance.random() < 0.3:
        others = [each.id for each in user.list(limit=3) if each.id != held.id]
        user.relate(held.id, "related_to", others[0])
    started = time.perf_counter()
    if kind == "subject":
        user.erasing.about(word)
    else:
        user.erasing.memory(held.id)
    return kind, [held.id], time.perf_counter() - started


def _residue(folder: Path, needles: list[str]) -> list[str]:
    found = []
    for each in sorted(folder.rglob("*")):
        if each.is_file():
            raw = each.read_bytes()
            found += [each.name for needle in needles if needle.encode() in raw]
    return found


def _texts(folder: Path | None, count: int) -> list[str]:
    if folder is not None:
        return [text for _, text in zip(range(count), commits(folder), strict=False) if text]
    return [
        f"Change {number} moves module {number % 97} behind the gate" for number in range(count)
    ]
