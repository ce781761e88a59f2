"""Answers for programs: one document each, the same through every door.

Every document names the scope it was asked from. `plain` says how a memory, an act or an
edge looks inside one; `rendering` says the same things to people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix.doors import lives, plain
from helix.doors.neutral import neutral_json
from helix.doors.plain import Document
from helix.model.moment import text_of
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.recollection import Abstained, Recollected, Recollection, Remembered

if TYPE_CHECKING:
    from helix.app.account import Account
    from helix.app.erasing import About
    from helix.app.history import Undone
    from helix.app.looking import Neighbourhood
    from helix.app.model_listing import Row
    from helix.app.reviewing import Waiting
    from helix.app.scrubbing import Leak
    from helix.app.switching import Standing
    from helix.app.telling import LogEntry
    from helix.app.upkeep import Holdings, Rebuilt
    from helix.ledger.verifying import Broken, Sound
    from helix.model.edge import Edge
    from helix.model.memory import Memory
    from helix.ports.health import Finding
    from helix.recall.briefing import Briefing


def as_json(document: Mapping[str, object], *, spread: bool = False) -> bytes:
    """Return the document as UTF-8 JSON; `spread` over several lines for people."""
    text = json.dumps(document, ensure_ascii=False, indent=2 if spread else None)
    return neutral_json(text).encode("utf-8")


def outcome(scope: str, turned_out: Kept | Joined | Skipped) -> Document:
    """Return how a write turned out: `kept`, `joined` or `skipped`."""
    document: Document = {"scope": scope, "outcome": type(turned_out).__name__.lower()}
    if isinstance(turned_out, Skipped):
        return document | {"reason": turned_out.reason}
    return document | {
        "position": turned_out.position,
        "memory": plain.memory(turned_out.memory),
    }


def recollection(answer: Recollection) -> Document:
    """Return an answer; an abstention has `found` false and a `reason`.

    `words_only` is why words alone were searched for, where a model should have been asked.
    """
    document: Document = {
        "scope": answer.scope,
        "question": plain.question(answer.question),
        "found": isinstance(answer, Recollected),
        "reason": answer.reason if isinstance(answer, Abstained) else None,
        "confidence": round(answer.confidence, 4),
        "words_only": answer.words_only or None,
        "remembered": [],
        "left_out": [
            {
                "reason": each.reason.value,
                "because_of": each.because_of or None,
                "memory": plain.memory(each.memory),
            }
            for each in answer.left_out
        ],
        "archived": [_remembered(each) for each in answer.archived],
    }
    if isinstance(answer, Abstained):
        return document | {"closest": answer.closest and _remembered(answer.closest)}
    return document | {"remembered": [_remembered(each) for each in answer.remembered]}


def _remembered(found: Remembered) -> Document:
    return {
        "fit": round(found.fit, 4),
        "matched": list(found.matched),
        "because": dict(found.because),
        "shortened": found.shortened or None,
        "memory": plain.memory(found.memory),
    }


def neighbourhood(found: Neighbourhood) -> Document:
    """Return what is held about a thing."""
    return {
        "scope": found.scope,
        "about": found.entity,
        "memories": [plain.memory(each) for each in found.memories],
        "beside": [{"entity": thing, "memories": count} for thing, count in found.beside],
        "edges": [plain.edge(each) for each in found.edges],
    }


def briefing(found: Briefing) -> Document:
    """Return a briefing, by section."""
    return {
        "scope": found.scope,
        "tokens": found.tokens,
        "left_out": found.left_out,
        "sections": [
            {
                "title": title,
                "lines": [{"text": each.text, "id": each.memory.id} for each in section],
            }
            for title, section in found.sections
        ],
    }


def memory(scope: str, held: Memory) -> Document:
    """Return one memory."""
    return {"scope": scope, "memory": plain.memory(held)}


def listing(scope: str, held: Sequence[Memory], next_before: int | str | None) -> Document:
    """Return a page of memories; `next_before` leads to the next one."""
    memories = [plain.memory(each) for each in held]
    return {"scope": scope, "memories": memories, "next_before": next_before}


def log(scope: str, entries: Sequence[LogEntry], next_before: int | None) -> Document:
    """Return a page of the log; `next_before` leads to the next one."""
    acts = [plain.entry(each) for each in entries]
    return {"scope": scope, "entries": acts, "next_before": next_before}


def account(scope: str, told: Account) -> Document:
    """Return why a memory is held."""
    beliefs = [
        plain.belief(belief) | {"act": None if act is None else plain.entry(act)}
        for belief, act in told.beliefs
    ]
    return {
        "scope": scope,
        "memory": plain.memory(told.memory),
        "beliefs": beliefs,
        "witnesses": [plain.entry(each) for each in told.witnesses],
        "edges": [plain.edge(each) for each in told.edges],
        "life": lives.standing_document(told.standing),
        "ties": [
            {"from": tie.from_id, "relation": tie.relation, "to": tie.to_id, "weight": tie.weight}
            for tie in told.ties
        ],
    }


def undone(scope: str, done: Undone) -> Document:
    """Return what a rollback undid and changed."""
    return {
        "scope": scope,
        "position": done.position,
        "undone": list(done.undone),
        "memories": [plain.memory(each) for each in done.memories],
    }


def related(scope: str, drawn: Edge) -> Document:
    """Return the edge that stands between two memories."""
    return {"scope": scope, "edge": plain.edge(drawn)}


def status(holdings: Holdings, store: str) -> Document:
    """Return what is visible from here."""
    names = ("scope", "type", "status", "number")
    return {
        "scope": holdings.scope,
        "scope_reason": holdings.scope_reason,
        "store": store,
        "records": holdings.records,
        "newest": text_of(holdings.head.recorded_at) if holdings.records else None,
        "seal": holdings.head.seal.hex(),
        "counts": [dict(zip(names, count, strict=True)) for count in holdings.counts],
        "budget": holdings.budget,
        "budget_due": holdings.budget_due,
        "enrichment": {
            "waiting": holdings.lag.memories,
            "waiting_since": text_of(holdings.lag.since) if holdings.lag.since else None,
            **models(holdings.models),
        },
    }


def model(row: Row) -> Document:
    """Return one model that can be chosen."""
    return {
        "name": row.name,
        "says": row.says,
        "dimension": row.dimension or None,
        "megabytes": row.megabytes or None,
        "licence": row.licence or None,
        "usable": row.usable,
        "role": row.role or None,
        "cost": row.cost,
        "remedy": row.remedy,
    }


def models(found: Standing) -> Document:
    """Return which model serves and, during a switch, how far the next one has come."""
    return {
        "serving": found.serving or None,
        "coming": found.coming or None,
        "come_so_far": found.come_so_far if found.coming else None,
        "memories": found.memories if found.coming else None,
    }


def sound(scope: str, found: Sound) -> Document:
    """Return that every seal holds, with the seal to note and compare later."""
    return {
        "scope": scope,
        "sound": True,
        "records": found.records,
        "conclusions": found.conclusions,
        "purged": found.purged,
        "seal": found.head.seal.hex(),
    }


def broken(scope: str, found: Broken) -> Document:
    """Return the first record that does not match its seal, or the memory that differs from it."""
    where = "journal" if found.conclusion else "ledger"
    return {
        "scope": scope,
        "sound": False,
        "in": "projection" if found.memory else where,
        "position": found.position,
        **({"memory": found.memory} if found.memory else {}),
        "fault": found.fault,
    }


def rebuilt(scope: str, done: Rebuilt) -> Document:
    """Return what folding everything again showed."""
    return {
        "scope": scope,
        "records": done.records,
        "equal": not done.differences,
        "differences": list(done.differences),
        "repaired": done.repaired,
    }


def findings(scope: str | None, found: Sequence[Finding]) -> Document:
    """Return what an examination found; `scope` is null where none could be resolved."""
    return {
        "scope": scope,
        "sound": all(each.state != "fault" for each in found),
        "findings": [
            {"name": each.name, "state": each.state, "says": each.says, "remedy": each.remedy}
            for each in found
        ],
    }


def review(scope: str, waiting: Sequence[Waiting]) -> Document:
    """Return what waits for a person's eye."""
    return {
        "scope": scope,
        "waiting": [
            {
                "why": each.why,
                "reasons": list(each.reasons),
                "contradicts": list(each.contradicts),
                "alongside": list(each.alongside),
                "memory": plain.memory(each.memory),
            }
            for each in waiting
        ],
    }


def about(scope: str, found: About) -> Document:
    """Return everything that names a subject, with the memories it made."""
    return {
        "scope": scope,
        "subject": found.subject,
        "scopes": list(found.scopes),
        "records": [plain.entry(each) for each in found.records],
        "memories": [plain.memory(each) for each in found.memories],
        "notes": [plain.note(each) for each in found.notes],
    }


def scrubbed(scope: str, looked_at: int, leaks: Sequence[Leak], *, taken_out: bool) -> Document:
    """Return what holds secrets, or held them."""
    return {
        "scope": scope,
        "records": looked_at,
        "leaks": [
            {
                "id": each.name,
                "where": each.where,
                "redacted": each.redacted,
                "permanent": each.permanent,
            }
            for each in leaks
        ],
        "taken_out": taken_out,
    }
