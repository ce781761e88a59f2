"""The pass that generalises: episodes that tell of the same lesson become one rule.

A cluster is not yet a rule. Its members must agree in every value, few may say the opposite
(`consensus`), enough of them must tell of a lesson (something had to be done, failed without,
always or never holds), and the rule is worded by one who agrees. A rule that is held already
only gains witnesses.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from helix.consolidation.clustering import Cluster, clusters, concepts
from helix.consolidation.consensus import heard, held_against
from helix.consolidation.statements import Statements
from helix.consolidation.wording import Worded, worded
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Findings, Night, Passed
from helix.rules.concluding import added, concluded_by, new_memory, strengthened
from helix.rules.polarity import directive
from helix.rules.relations import Relation, relation
from helix.rules.steps import step_of
from helix.rules.turns import HISTORY, Turn, sentences, turn_of
from helix.rules.values import CODE, COLOUR, FLAG, NAME, NUMBER, PATH, VERSION, Value, lasting

PASS = "distil"

FEWEST_WITNESSES = 4
"""Episodes that must tell of a lesson before it is one: three may be one bad afternoon."""

LESSON_SHARE = 0.4
"""Share of a cluster's members that must sound like a lesson."""

SAME_RULE_SHARE = 0.5
"""Share of a rule's witnesses in a cluster from which the cluster tells of that rule."""

_LESSON = re.compile(
    r"\b(?:had to|have to|has to|needs?|needed|must|require[sd]?|forgot|remember(?:ed)? to"
    r"|only (?:work|pass|run|start)\w*|unless|until|without|before|first|always|never|don't"
    r"|do not|instead of|again"
    r"|every time|flak\w+|intermittent\w*|rerun|re-run|retry|retried|fail\w*|errors?|broke\w*"
    r"|crash\w*|refus\w+|denied|clash\w*|conflict\w*|in use|occupied|taken|died|hung|hangs?"
    r"|timed? ?out|stale|missing|not found|not activ\w+|wrong)\b|\b\w+(?:Error|Exception)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:i|my|me|it|this change)\b", re.IGNORECASE)
_NUMBERED, _NAMED = frozenset((NUMBER, VERSION)), frozenset((NAME, PATH, CODE, FLAG, COLOUR))
_CORE_NAME = 0.6
"""Share of a cluster's members that must name a thing for it to belong to the rule."""


def distil(night: Night) -> Findings:
    """Return the rules that the episodes of a night teach."""
    turns = [turn for turn in map(turn_of, night.credible) if _tells(turn)]
    held = Statements(night.held.values())
    rules = [each for each in night.held.values() if concluded_by(each, PASS)]
    conclusions: list[Conclusion] = []
    passed: list[Passed] = []
    for cluster in clusters([turn.prose for turn in turns], FEWEST_WITNESSES):
        told = [turns[at] for at in cluster.members]
        if sum(map(_teaches, told)) < FEWEST_WITNESSES:
            passed.append(Passed(_named(cluster), "it teaches nothing"))
            continue
        for members in agreeing(told, cluster):
            for made in _made(night, members, cluster, held, rules):
                if isinstance(made, Conclusion):
                    conclusions.append(made)
                elif made is not None:
                    passed.append(made)
    return Findings(len(turns), _distinct(conclusions), tuple(passed))


def agreeing(members: Sequence[Turn], cluster: Cluster) -> list[list[Turn]]:
    """Return the groups of a cluster's members that differ in no value and no direction."""
    slots = _contested(members, cluster.core)
    groups: dict[tuple[object, ...], list[Turn]] = defaultdict(list)
    names = _core_names(members)
    directions = Counter(directive(turn.prose) for turn in members)
    torn = directions[1] and directions[-1]
    for turn in members:
        # A direction is only a value where the cluster holds both.
        pointing = directive(turn.prose) or 1 if torn else 0
        filled = tuple(sorted(_filled(turn, slots)))
        if len(filled) < len({slot for slot, _ in slots}) or _names_another(turn, names):
            continue
        groups[filled, pointing].append(turn)
    return [group for group in groups.values() if len(group) >= FEWEST_WITNESSES]


def _made(
    night: Night, members: list[Turn], cluster: Cluster, held: Statements, rules: list[Memory]
) -> Iterator[Conclusion | Passed | None]:
    """Yield what the members of a cluster teach: those of one name, then those of another."""
    said = heard(members)
    if said.disputed:
        yield Passed(_named(cluster), f"{said.dissenting} of {len(members)} episodes disagree")
        return
    left = said.agreeing
    while len(left) >= FEWEST_WITNESSES:
        made, witnesses = _concluded(night, left, cluster, held, rules)
        yield made
        if not witnesses:
            return
        told = {turn.memory.id for turn in witnesses}
        left = [turn for turn in left if turn.memory.id not in told]


def _concluded(
    night: Night, members: list[Turn], cluster: Cluster, held: Statements, rules: list[Memory]
) -> tuple[Conclusion | Passed | None, list[Turn]]:
    """Return what members teach, and who of them bears it out."""
    what = _named(cluster)
    known = _known_rule([turn.memory for turn in members], rules)
    rule = None if known else _best_wording(night, members, cluster.core)
    content = known.content if known else rule.content if rule else ""
    if not content:
        return Passed(what, "no episode words it as a rule"), []
    said = held_against(content, members)
    if said.disputed:
        return Passed(what, f"{said.dissenting} of {len(members)} episodes disagree"), []
    witnesses = said.agreeing
    lessons = sum(_teaches(turn) for turn in witnesses)
    if lessons < max(FEWEST_WITNESSES, LESSON_SHARE * len(witnesses)):
        why = f"{lessons} of {len(witnesses)} episodes sound like a lesson"
        return Passed(what, why), []
    grounds = [turn.memory for turn in witnesses]
    if known is not None:
        return _borne_out(night, known, grounds), witnesses
    return _ruled(night, content, grounds, cluster, held), witnesses


def _ruled(
    night: Night, rule: str, grounds: list[Memory], cluster: Cluster, held: Statements
) -> Conclusion | Passed | None:
    same = _same_statement(rule, held)
    if same is not None:
        return strengthened(night, same, grounds, PASS, f"borne out by {len(grounds)} episodes")
    memory = new_memory(
        night, PASS, "fact", rule, grounds,
        attributes={"support": len(grounds), "core": sorted(cluster.core)[:8]},
    )  # fmt: skip
    if memory.id in night.refused:
        return Passed(memory.id, "a person reverted it")
    return added(night, memory, grounds, PASS, f"{len(grounds)} episodes tell of it")


def _named(cluster: Cluster) -> str:
    return " ".join(sorted(cluster.core)[:6])


def _borne_out(
    night: Night, known: Memory, grounds: Sequence[Memory]
) -> Conclusion | Passed | None:
    if known.status is not Status.ACTIVE:
        return Passed(known.id, f"it is {known.status.value}")
    return strengthened(night, known, grounds, PASS, f"seen {len(grounds)} times")


def _tells(turn: Turn) -> bool:
    # Commands are the business of procedures, talk that of extraction, and a history is read
    # subject by subject; what is left is what somebody noted about their work.
    noted = not turn.spoken and turn.role != HISTORY
    return noted and bool(turn.prose) and step_of(turn) is None


def _teaches(turn: Turn) -> bool:
    around = turn.memory.circumstances
    failed = bool(around and around.exit_status)
    return failed or _LESSON.search(turn.prose) is not None


def _best_wording(night: Night, members: Sequence[Turn], core: frozenset[str]) -> Worded | None:
    """Return the wording that covers the core best; of equal ones the best form, then the first."""
    best: tuple[float, int, int] | None = None
    chosen: Worded | None = None
    for turn in members:
        for each in worded(sentences(turn.prose), night.place):
            said = set(concepts(each.content))
            covered = len(said & core) / max(len(core), 1)
            if covered < 0.5:  # noqa: PLR2004 - half of what the rule is about
                continue
            rank = (_goodness(each, covered, core), -len(said - core), -len(each.content))
            if best is None or rank > best:
                best, chosen = rank, each
    return chosen


def _goodness(rule: Worded, covered: float, core: frozenset[str]) -> float:
    """Return how well a wording serves as a rule: its form, what it covers, whom it speaks of."""
    words = rule.content.removeprefix("Recurring: ").split()
    opens_with_it = any(each in core for each in concepts(words[0]))
    personal = _PERSONAL.search(rule.content) is not None
    return rule.form + 2 * covered + 0.5 * opens_with_it - 0.5 * personal


def _known_rule(grounds: Sequence[Memory], rules: Sequence[Memory]) -> Memory | None:
    positions = {ground.position for ground in grounds}
    best: tuple[float, str, Memory] | None = None
    for rule in rules:
        cited = {each.position for each in rule.belief.provenance}
        share = len(cited & positions) / min(len(cited), len(positions))
        if share >= SAME_RULE_SHARE and (best is None or share > best[0]):
            best = (share, rule.id, rule)
    return best[2] if best else None


def _same_statement(content: str, held: Statements) -> Memory | None:
    for other in held.near(content):
        if relation(content, other.content) is Relation.DUPLICATE:
            return other
    return None


def _contested(members: Sequence[Turn], core: frozenset[str]) -> set[tuple[tuple[str, str], str]]:
    """Return the slots (kind and head) in which members hold different numbers."""
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for turn in members:
        for value in _numbers(turn):
            if value.head in core or value.head == "port":
                seen[NUMBER, value.head][value.key] += 1
    return {(slot, key) for slot, keys in seen.items() if len(keys) > 1 for key in keys}


def _filled(turn: Turn, slots: set[tuple[tuple[str, str], str]]) -> set[tuple[str, str, str]]:
    return {
        (NUMBER, value.head, value.key)
        for value in _numbers(turn)
        if ((NUMBER, value.head), value.key) in slots
    }


def _numbers(turn: Turn) -> list[Value]:
    return [value for value in lasting(turn.prose) if value.kind in _NUMBERED]


def _core_names(members: Sequence[Turn]) -> dict[str, set[str]]:
    """Return, by kind, the names that most members share."""
    counts: Counter[tuple[str, str]] = Counter()
    for turn in members:
        counts.update({(v.kind, v.key) for v in lasting(turn.prose) if v.kind in _NAMED})
    names: dict[str, set[str]] = defaultdict(set)
    for (kind, key), count in counts.items():
        if count >= _CORE_NAME * len(members):
            names[kind].add(key)
    return names


def _names_another(turn: Turn, names: dict[str, set[str]]) -> bool:
    """Tell whether a member names another thing where the others name the one they share."""
    own: dict[str, set[str]] = defaultdict(set)
    for value in lasting(turn.prose):
        if value.kind in _NAMED:
            own[value.kind].add(value.key)
    return any(own[kind] and not own[kind] & shared for kind, shared in names.items())


def _distinct(conclusions: Sequence[Conclusion]) -> tuple[Conclusion, ...]:
    found: dict[str, Conclusion] = {}
    for number, each in enumerate(conclusions):
        found.setdefault(each.key or f"#{number}", each)
    return tuple(found.values())
