"""Pairs of statements that differ in exactly one value, and pairs that say the same.

Drawn from frames and slots by a seeded chance: the same seed gives the same pairs. Many
slots hold words that no list in Helix knows (invented names, rare colours), so that the
figure does not only measure the lists.
"""

from __future__ import annotations

import random
from typing import NamedTuple

FRAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "number": (
        ("the API listens on port {}", "retry {} times before giving up", "the pool size is {}",
         "at most {} uploads run at once", "a page holds {} rows", "wait {} seconds for the lock"),
        ("3", "5", "8", "12", "20", "64", "3000", "8080", "8443", "five", "one hundred", "90"),
    ),
    "version": (
        ("we run postgres {}", "the service needs node {}", "CI builds with Python {}",
         "pin pydantic to {}", "the cluster is on kubernetes {}"),
        ("14", "15", "3.11", "3.12", "1.10.2", "2.0", "2.1.0", "v20", "v22", "9"),
    ),
    "name": (
        ("{} owns the billing service", "ask {} before touching the parser",
         "{} reviews database changes", "the release is signed by {}"),
        ("Priya", "Petra", "Anders", "Thandiwe", "Xiulan", "Bartek", "Marisol", "Oona"),
    ),
    "tool": (
        ("install packages with {}", "deployments go to {}", "the queue is {}",
         "we format the code with {}", "the cache lives in {}"),
        ("pnpm", "npm", "yarn", "hetzner", "redis", "rabbitmq", "kafka", "black", "zorbit", "quux"),
    ),
    "path": (
        ("the settings are read from {}", "migrations live in {}", "never edit {} by hand",
         "the entry point is {}"),
        ("src/app/main.py", "src/app/core.py", "config/base.toml", "config/local.toml", "db/schema",
         "db/versions", ".env.test", ".env"),
    ),
    "colour": (
        ("my favourite colour is {}", "error banners are {}", "the primary button is {}"),
        ("purple", "cyan", "teal", "crimson", "mauve", "ochre", "puce", "chartreuse"),
    ),
    "direction": (
        ("{} commit to main", "{} squash before merging", "{} log request bodies",
         "{} run the linter by hand", "{} mock the clock in tests"),
        ("always", "never", "do not", "please"),
    ),
    "date": (
        ("the freeze starts on {}", "the contract ends in {}", "standup is on {}"),
        ("Monday", "Thursday", "2026-03-01", "2026-04-01", "March", "October", "Friday"),
    ),
    "negation": (
        ("the importer is{} idempotent", "the cache is{} shared between workers",
         "the worker does{} retry on timeouts", "the endpoint is{} public"),
        ("", " not", " no longer"),
    ),
    "flag": (
        ("run the tests with {}", "build with {}"),
        ("--release", "--debug", "--no-cov", "-x", "--frozen", "--locked"),
    ),
}  # fmt: skip

SAME = (
    ("{}", "{}."), ("{}", "Note: {}"), ("{}", "{}, please"), ("{}", "  {}  "), ("{}", "{}!"),
)  # fmt: skip
_SAME_SLOTS = {"direction": ("always", "never"), "negation": ("", " not")}


class Pair(NamedTuple):
    """Two statements and the kind of slot they differ in; empty when they say the same."""

    kind: str
    first: str
    second: str


def differing(count: int, seed: int) -> list[Pair]:
    """Return pairs that differ in one value, all kinds in turn."""
    chance = random.Random(seed)
    kinds = list(FRAMES)
    pairs: list[Pair] = []
    while len(pairs) < count:
        kind = kinds[len(pairs) % len(kinds)]
        frames, slots = FRAMES[kind]
        frame = chance.choice(frames)
        one, other = chance.sample(slots, 2)
        if {one, other} & {"please"} and {one, other} & {"always"}:
            continue  # "please mock" and "always mock" do say the same
        if {one, other} == {" not", " no longer"} or {one, other} == {"never", "do not"}:
            continue
        pairs.append(Pair(kind, frame.format(one), frame.format(other)))
    return pairs


def same(count: int, seed: int) -> list[Pair]:
    """Return pairs that say the same in another dress: the control that merging happens at all."""
    chance = random.Random(seed)
    kinds = list(FRAMES)
    pairs: list[Pair] = []
    for index in range(count):
        kind = kinds[index % len(kinds)]
        frames, slots = FRAMES[kind]
        said = chance.choice(frames).format(chance.choice(_SAME_SLOTS.get(kind, slots)))
        one, other = chance.choice(SAME)
        pairs.append(Pair("", one.format(said), other.format(said[0].upper() + said[1:])))
    return pairs
