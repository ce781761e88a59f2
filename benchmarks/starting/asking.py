"""Ten questions to this project's own history, each answered with the commit it rests on.

The history of the checkout is imported by the real command into a store of its own and
embedded; then `helix recall` is asked. An answer counts if the commit that was meant, or the
summary that was, is among the three shown.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.figures import Check
from benchmarks.processes import environment, helix
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import progress, verdicts

HERE = Path(__file__).resolve().parents[2]
SHOWN = 3


class Asked(NamedTuple):
    """A question, and how the memory begins that answers it."""

    question: str
    meant: str


QUESTIONS = (
    Asked("which change lets erasing reach the reports of sleep?",
          "Erasing takes the words out of reports"),
    Asked("what made a capture cheaper, something about cursors?",
          "Keep the cursors that every capture writes with"),
    Asked("why was the lease made longer?", "A lease long enough for a busy machine"),
    Asked("since when are secrets taken out before anything is stored?",
          "Redact secrets before anything is written down"),
    Asked("do twenty servers all embed the same memories?",
          "One process embeds for all the servers"),
    Asked("which embedders were there first?", "Embedders: MiniLM in int8"),
    Asked("how many bits a component does search by meaning use?",
          "Find by meaning through two bits a component"),
    Asked("how are agents' configuration files put back when they are disconnected?",
          "Connect ten agents"),
    Asked("where do new words wait before they are indexed?",
          "Let words wait and enter the index together"),
    Asked("which files change most often?", "The files that change most often here"),
)  # fmt: skip


def run() -> tuple[dict[str, object], list[str]]:
    """Import, ask, and return findings and lines."""
    if not (HERE / ".git").exists():
        raise Unavailable("this checkout has no git history")
    with tempfile.TemporaryDirectory(prefix="helix-asking-") as place:
        home = Path(place)
        taken = _told(home, "import", "git")
        progress("embedding")
        _told(home, "enrich")
        answers = [_answered(home, each) for each in QUESTIONS]
    right = sum(each["rank"] > 0 for each in answers)
    first = sum(each["rank"] == 1 for each in answers)
    cited = sum(bool(each["citation"]) for each in answers)
    checks = [
        Check("answered among three", right, right == len(QUESTIONS)),
        Check("every answer names its source", cited, cited == len(QUESTIONS)),
    ]
    findings: dict[str, object] = {
        "memories": taken["kept"], "first": first, "among_three": right, "answers": answers,
        "checks": [each.plain() for each in checks],
    }  # fmt: skip
    lines = [f"{taken['kept']:,} memories out of this project's own history", ""]
    for each in answers:
        lines += [f"? {each['question']}", f"  {each['rank'] or '-'}. {each['answer']}",
                  f"     {each['citation']}"]  # fmt: skip
    return findings, [*lines, "", *verdicts(checks)]


def _answered(home: Path, asked: Asked) -> dict[str, Any]:
    told = _told(home, "recall", "--limit", str(SHOWN), asked.question)
    shown = [each["memory"] for each in told.get("remembered", ())]
    ranks = [n for n, each in enumerate(shown, 1) if each["content"].startswith(asked.meant)]
    rank = ranks[0] if ranks else 0
    if not shown:
        return {"question": asked.question, "rank": 0, "answer": "", "id": "", "citation": ""}
    memory = shown[max(rank, 1) - 1]
    return {
        "question": asked.question, "rank": rank, "answer": memory["content"].splitlines()[0],
        "id": memory["id"], "citation": memory["provenance"][0]["ref"],
    }  # fmt: skip


def _told(home: Path, *args: str) -> dict[str, Any]:
    done = subprocess.run(
        helix(*args, "--json"), env=environment(home), cwd=HERE, capture_output=True,
        check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode())
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
