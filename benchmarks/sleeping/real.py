"""`python -m benchmarks sleep`: what sleep makes of real histories, without a model."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter

from benchmarks.figures import Check
from benchmarks.showing import progress, table, verdicts
from benchmarks.sleeping.histories import Episode, commits, sessions
from helix import Helix
from helix.model.memory import Memory, Status
from helix.rules.naming import fingerprint
from helix.rules.relations import Relation, relation
from helix.sleep.queue import Slept

MOST_ALIKE = 0.02
BATCHES = 4
"""Sleeps over one history: as a user would have slept, and not once at its end."""


def run(data: Path, seed: int, sample: Path | None) -> tuple[dict[str, object], list[str]]:
    """Return the findings and the lines that tell them."""
    rows: list[tuple[object, ...]] = []
    everything: list[tuple[str, Memory]] = []
    echoes = 0
    histories = [("specstory", list(sessions(data))), *commits(data)]
    for name, episodes in histories:
        progress(f"sleeping over {name}")
        with tempfile.TemporaryDirectory() as folder:
            memories, seconds, second = _slept(Path(folder) / "memory.db", name, episodes)
        everything += [(name, each) for each in memories]
        echoes += _echoes(memories, episodes)
        kinds = Counter(each.type for each in memories if each.status is Status.ACTIVE)
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        rows.append((name, len(episodes), len(memories), kinds.total(), seconds, second, told))
    active = [(name, each) for name, each in everything if each.status is Status.ACTIVE]
    alike = _alike(active)
    share = alike / max(len(active), 1)
    checks = [
        Check("near-duplicates among conclusions at most 2 %", share, share <= MOST_ALIKE),
        Check("nothing an assistant said or Helix injected is concluded", echoes, echoes == 0),
        Check("a second sleep changes nothing", sum(int(str(row[5])) for row in rows),
              not any(row[5] for row in rows)),
    ]  # fmt: skip
    if sample is not None:
        _write_sample(sample, active, seed)
    head = ("history", "episodes", "concluded", "active", "seconds", "2nd run", "by type")
    findings: dict[str, object] = {
        "histories": [dict(zip(head, row, strict=True)) for row in rows],
        "near_duplicates": alike, "echoes": echoes,
        "checks": [check.plain() for check in checks],
    }  # fmt: skip
    return findings, [*table(head, rows), *verdicts(checks)]


def _slept(path: Path, name: str, episodes: list[Episode]) -> tuple[list[Memory], float, int]:
    taken = 0.0
    size = -(-len(episodes) // BATCHES)
    agent = "importer" if name == "specstory" else ""
    with Helix.open(path, scope=f"project:{name}", agent=agent) as memory:
        for start in range(0, len(episodes), size):
            for each in episodes[start : start + size]:
                # What a person said there came through a door that heard it, as a hook does.
                taking = memory.hearing() if each.role == "user" else memory
                taking.capture(
                    each.content, session=each.session, tool=each.tool, occurred_at=each.at,
                    exit_status=each.exit_status,
                    attributes={"role": each.role} if each.role else {},
                )  # fmt: skip
            began = perf_counter()
            done = memory.sleeping.sleep()
            assert isinstance(done, Slept), done
            taken += perf_counter() - began
        again = memory.sleeping.sleep()
        assert isinstance(again, Slept)
        held = memory.list(limit=1_000_000, statuses=list(Status))
    return [each for each in held if each.position == 0], taken, again.run.applied


def _echoes(memories: Iterable[Memory], episodes: Iterable[Episode]) -> int:
    """Return how many conclusions say what only an assistant's turn says."""
    spoken = {fingerprint("", each.content) for each in episodes if each.role == "assistant"}
    return sum(fingerprint("", each.content) in spoken for each in memories)


def _alike(active: list[tuple[str, Memory]]) -> int:
    count = 0
    by_history: dict[str, list[Memory]] = {}
    for name, memory in active:
        others = by_history.setdefault(name, [])
        if any(relation(memory.content, each.content) is Relation.DUPLICATE for each in others):
            count += 1
        others.append(memory)
    return count


def _write_sample(path: Path, active: list[tuple[str, Memory]], seed: int) -> None:
    # As many of each kind of history as there are, drawn by chance.
    drawn = random.Random(seed).sample(active, min(100, len(active)))
    lines = [
        json.dumps({"history": name, "type": each.type, "content": each.content, "id": each.id,
                    "witnesses": len(each.belief.provenance)}, ensure_ascii=False)
        for name, each in drawn
    ]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
