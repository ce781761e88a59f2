"""Episodes and questions as coding agents produce them, written by chance from a seed.

Words follow Zipf's law over a vocabulary of some hundred terms of the trade and a long
tail of invented names, so that a few words are in nearly every text and most are rare.
Identifiers, paths and error codes are composed of the same words, so new ones keep
appearing as a store grows, as they do in real projects.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import accumulate

TERMS = """
test build error file function request token cache config service user session module query index
path server client branch commit deploy table column value response timeout retry queue worker lock
thread process memory store record schema migration endpoint route handler parser import package
version release pipeline container image volume cluster node secret key header cookie login payment
invoice order customer account balance report export upload download stream buffer socket proxy
gateway balancer certificate domain address port host region zone bucket object array string number
boolean null pointer reference struct class method property argument parameter return loop
recursion iterator generator callback promise future event listener trigger hook filter mapper
reducer selector component widget layout style theme button form input label menu dialog page
template fragment render viewport canvas shader texture vertex mesh camera audio video codec frame
packet checksum digest signature cipher salt nonce seed random sample batch epoch gradient tensor
matrix vector embedding model weight bias metric accuracy precision threshold baseline benchmark
profile trace span log logger warning alert dashboard incident rollback backup restore snapshot
archive replica shard partition leader follower quorum election heartbeat lease expiry window
bucketing throttle quota limit budget cost price discount coupon tax currency rounding decimal
locale translation encoding charset newline whitespace indentation formatter linter compiler linker
loader runtime interpreter sandbox permission role policy audit consent privacy redaction fixture
mock stub assertion coverage mutation property fuzz regression flake suite runner matrix artifact
registry mirror lockfile dependency conflict upgrade downgrade patch hotfix changelog tag semver
monorepo workspace submodule rebase merge squash bisect blame diff hunk review comment approval
ticket sprint estimate milestone roadmap onboarding handbook runbook playbook glossary diagram
scheduler cron daemon signal interrupt exit status stdout stderr pipe shell terminal prompt alias
environment variable default override flag toggle experiment cohort funnel retention churn webhook
callback payload envelope serializer deserializer validator sanitizer normalizer tokenizer stemmer
ranker scorer fusion recall latency throughput jitter backpressure deadlock livelock starvation
race barrier semaphore mutex atomic fence ordering visibility eviction prefetch warmup cold start
"""

_OPENINGS = "ba be bi bo bra da de do dra fa fe fi fo ga ge go gra ha he ka ke ki ko kra la le li"
_CLOSINGS = "lan lex lik lor mar mel min mon nar nel nix nor pan per pix pol ran rel rin ron san"

VOCABULARY = 30_000
"""Distinct plain words. Names composed of them make the real vocabulary open-ended."""

STEEPNESS, OFFSET = 1.05, 2.7
"""Zipf and Mandelbrot's law of word frequencies: 1 / (rank + offset) ^ steepness."""

COMMON_RANKS = 60
RARE_RANKS = 3_000
NAMES_KEPT = 2_000

SENTENCES = """
The {w} in {path} fails with {code}: {w} {w} is not {w}.
Ran `{command}` and {n} of {n} {w} checks passed after {n} s.
Found that {name} holds the {w} {w} while {name} waits for the {w}.
Fixed it by moving the {w} out of {name} and adding a {w} around the {w}.
{path} line {n} calls {name} before the {w} is ready.
The user prefers {w} over {w} for every {w} that touches the {w}.
Upgraded {w} to {version}; the {w} {w} now needs `{flag}`.
Commit {hash} brought the {w} back; bisecting pointed at {name}.
Decided to keep the {w} in the {w} because the {w} would double the {w} {w}.
{code} came up again in the {w} job, this time from {path}.
Reading {path}: {name} retries {n} times, then hands the {w} to the {w}.
The {w} {w} took {n} ms before and {n} ms after {name} stopped copying the {w}.
Wrote a {w} test for {name}; it failed first with "{w} {w} {w}".
No {w} was found for {name}, so the {w} falls back to the {w} in {path}.
"""

_COMMANDS = ("make test", "pytest -k {w}", "cargo build", "npm run {w}", "go test ./{w}", "git log")
_CODES = ("E{:04}", "TS{:04}", "HTTP {}", "ERR-{:04}", "SQLSTATE {:05}")
_SUFFIXES = ("py", "ts", "rs", "go", "sql", "toml", "tsx", "md")
_ROOTS = ("src", "lib", "app", "tests", "packages", "internal", "cmd")
_FRAMES = ("why did the", "how does the", "what about", "where is the", "which", "when did", "")

KINDS = ("rare", "common", "mixed", "names")
"""Questions of rare words, of common words, of both, and of exact identifiers."""


def vocabulary(size: int = VOCABULARY) -> list[str]:
    """Return distinct words, most frequent first: the trade's terms, then invented names."""
    words = dict.fromkeys(TERMS.split())
    openings, closings = _OPENINGS.split(), _CLOSINGS.split()
    for word in _invented(openings, closings):
        if len(words) >= size:
            break
        words[word] = None
    return list(words)


def _invented(openings: list[str], closings: list[str]) -> Iterator[str]:
    for closing in closings:
        yield from (opening + closing for opening in openings)
    for middle in openings:
        for closing in closings:
            yield from (opening + middle + closing for opening in openings)
    for first in openings:
        for second in openings:
            for closing in closings:
                yield from (opening + first + second + closing for opening in openings)


class Author:
    """Writes episodes, and questions about what it has written so far."""

    def __init__(self, seed: int | str) -> None:
        """Take the seed: the same one writes the same texts in the same order."""
        self._chance = random.Random(seed)
        # Of its own: which names are remembered must not change what is written next.
        self._keeping = random.Random(seed)
        self._words = vocabulary()
        weights = (1 / (rank + OFFSET) ** STEEPNESS for rank in range(len(self._words)))
        self._weights = list(accumulate(weights))
        self._drawn: list[str] = []
        self._sentences = [line for line in SENTENCES.splitlines() if line]
        self._written = 0
        self._names: list[str] = []
        self._slots: dict[str, Callable[[], str]] = {
            "w": self._word, "name": self._name, "path": self._path, "code": self._code,
            "command": self._command, "version": self._version, "flag": self._flag,
            "hash": self._hash, "n": self._number,
        }  # fmt: skip
        self._cut = {line: _cut(line) for line in (*self._sentences, *_COMMANDS)}

    def begin_anew(self, seed: str) -> None:
        """Go on from another seed, so that a text can be written again without those before it."""
        self._chance.seed(seed)
        self._drawn.clear()

    def episode(self) -> str:
        """Return two to five sentences, some 300 letters."""
        count = self._chance.randint(2, 5)
        lines = self._chance.choices(self._sentences, k=count)
        return " ".join(self._filled(line) for line in lines)

    def question(self, kind: str) -> str:
        """Return a question of three to eight words of one of `KINDS`."""
        frame = self._chance.choice(_FRAMES)
        count = self._chance.randint(max(1, 3 - len(frame.split())), 8 - len(frame.split()))
        asked = [self._asked(kind, place) for place in range(min(count, 6))]
        return f"{frame} {' '.join(asked)}".strip() + "?"

    def questions(self, count: int) -> list[tuple[str, str]]:
        """Return pairs of kind and question, the kinds in turn."""
        kinds = [KINDS[place % len(KINDS)] for place in range(count)]
        return [(kind, self.question(kind)) for kind in kinds]

    def _asked(self, kind: str, place: int) -> str:
        if kind == "names" and place == 0 and self._names:
            return self._chance.choice(self._names)
        if kind == "common" or (kind == "mixed" and place % 2):
            return self._words[self._chance.randrange(COMMON_RANKS)]
        if kind == "names":
            return self._word()
        return self._words[self._chance.randrange(RARE_RANKS, len(self._words))]

    def _filled(self, line: str) -> str:
        return "".join(self._slots[piece]() if slot else piece for slot, piece in self._cut[line])

    def _word(self) -> str:
        if not self._drawn:
            self._drawn = self._chance.choices(self._words, cum_weights=self._weights, k=64)
        return self._drawn.pop()

    def _name(self) -> str:
        pieces = [self._word() for _ in range(self._chance.randint(2, 3))]
        style = self._chance.random()
        if style < 0.5:
            return self._remembered("_".join(pieces))
        camel = "".join(piece.capitalize() for piece in pieces)
        return self._remembered(camel if style < 0.75 else camel[0].lower() + camel[1:])

    def _path(self) -> str:
        folders = "/".join(self._word() for _ in range(self._chance.randint(1, 3)))
        suffix = self._chance.choice(_SUFFIXES)
        root = self._chance.choice(_ROOTS)
        return self._remembered(f"{root}/{folders}/{self._word()}_{self._word()}.{suffix}")

    def _code(self) -> str:
        form = self._chance.choice(_CODES)
        return form.format(int(self._chance.paretovariate(0.6)) % 10_000)

    def _command(self) -> str:
        return self._filled(self._chance.choice(_COMMANDS))

    def _version(self) -> str:
        return ".".join(str(self._chance.randrange(20)) for _ in range(3))

    def _flag(self) -> str:
        return f"--{self._word()}-{self._word()}"

    def _hash(self) -> str:
        return f"{self._chance.getrandbits(40):010x}"

    def _number(self) -> str:
        return str(self._chance.randrange(2, 900))

    def _remembered(self, name: str) -> str:
        # A reservoir: every name written so far is equally likely to be asked for, and the
        # list stays short however many there were.
        self._written += 1
        if len(self._names) < NAMES_KEPT:
            self._names.append(name)
        else:
            place = self._keeping.randrange(self._written)
            if place < NAMES_KEPT:
                self._names[place] = name
        return name


def _cut(line: str) -> list[tuple[bool, str]]:
    """Return a line as (is a slot, text) pieces."""
    pieces = []
    for place, piece in enumerate(line.replace("}", "{").split("{")):
        if piece:
            pieces.append((place % 2 == 1, piece))
    return pieces
