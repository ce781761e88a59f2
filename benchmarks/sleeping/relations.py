"""`python -m benchmarks relations`: is anything merged that differs, and is a denial noticed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.recalling.sets.reading import found, records
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import table, verdicts
from benchmarks.sleeping.pairs import Pair, differing, same
from helix.rules.relations import Relation, relation

MERGING = frozenset({Relation.DUPLICATE})


def run(pairs: int, seed: int, data: Path) -> tuple[dict[str, object], list[str]]:
    """Return the findings and the lines that tell them."""
    slots, controls = differing(pairs, seed), same(pairs, seed)
    wrong = [pair for pair in slots if _either(pair, MERGING)]
    flagged = Counter(pair.kind for pair in slots if _either(pair, {Relation.CONTRADICTS}))
    asked = Counter(pair.kind for pair in slots)
    merged = sum(_either(pair, MERGING) for pair in controls)
    checks = [Check("0 wrong merges among pairs that differ in a value", len(wrong), not wrong)]
    lines = [f"{pairs} pairs that differ in one value, seed {seed}:"]
    lines += table(
        ("slot", "pairs", "merged", "flagged"),
        [(kind, asked[kind], sum(p.kind == kind for p in wrong), flagged[kind]) for kind in asked],
    )
    lines.append(f"{merged} of {pairs} pairs that say the same in another dress are merged.")
    findings: dict[str, object] = {
        "pairs": pairs, "wrong_merges": len(wrong), "examples": [list(p) for p in wrong[:10]],
        "flagged": dict(flagged), "same_merged": merged,
    }  # fmt: skip
    try:
        findings["sick"], told = _sick(data)
        lines += told
    except Unavailable as missing:
        lines.append(f"SICK was not measured: {missing}")
    return findings | {"checks": [check.plain() for check in checks]}, [*lines, *verdicts(checks)]


def _either(pair: Pair, relations: frozenset[Relation] | set[Relation]) -> bool:
    return bool({relation(pair.first, pair.second), relation(pair.second, pair.first)} & relations)


def _sick(data: Path) -> tuple[dict[str, float], list[str]]:
    (path,) = found(data / "nli_sts", "sick*")
    counts: Counter[tuple[bool, bool]] = Counter()
    merged: Counter[str] = Counter()
    for each in records(path):
        verdict = relation(each["b"], each["a"])
        counts[each["nli"] == "CONTRADICTION", verdict is Relation.CONTRADICTS] += 1
        merged[each["nli"]] += verdict is Relation.DUPLICATE
    right, missed, invented = counts[True, True], counts[True, False], counts[False, True]
    precision, recall = right / max(right + invented, 1), right / max(right + missed, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    figures = {
        "contradiction_precision": precision, "contradiction_recall": recall,
        "contradiction_f1": f1, "pairs": float(counts.total()),
        "merged_contradictions": float(merged["CONTRADICTION"]),
        "merged_neutral": float(merged["NEUTRAL"]), "merged_entailed": float(merged["ENTAILMENT"]),
    }  # fmt: skip
    return figures, _sick_lines(figures)


def _sick_lines(figures: dict[str, float]) -> list[str]:
    names = ("contradiction_precision", "contradiction_recall", "contradiction_f1")
    return [
        f"SICK (dev), {figures['pairs']:,.0f} pairs: "
        + ", ".join(f"{name.partition('_')[2]} {figures[name]:.3f}" for name in names)
        + f"; merged: {figures['merged_contradictions']:.0f} contradictions,"
        f" {figures['merged_neutral']:.0f} neutral, {figures['merged_entailed']:.0f} entailed",
    ]
