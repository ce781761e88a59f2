"""Answers for people: the one place that turns what Helix says into words on a screen.

Recalled text is data. It is made neutral, and every line of it stands behind a bar, so
that nothing a memory contains can pass for something Helix says. Styles are click's; its
`echo` drops them where nobody would see them. `documents` tells programs the same things.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from helix.doors.neutral import neutral, one_line
from helix.doors.plain import points
from helix.model.memory import Memory, Status
from helix.model.moment import FIRST_MOMENT
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.recollection import Abstained, LeftOut, Reason, Recollection, Remembered
from helix.model.scope import GLOBAL
from helix.rules.influence import independent

if TYPE_CHECKING:
    from helix.app.history import Undone
    from helix.app.telling import LogEntry
    from helix.model.edge import Edge
    from helix.model.memory import Belief
    from helix.model.provenance import Provenance
    from helix.model.suspicion import Suspicion

BAR = "| "
GIST_LETTERS = 72
SHARE_WIDTH = 40


def outcome(scope: str, turned_out: Kept | Joined | Skipped, verb: str) -> str:
    """Return how a write turned out, with the id and the scope in which it holds."""
    if isinstance(turned_out, Skipped):
        return f"Nothing was written in {one_line(scope)}: {one_line(turned_out.reason)}"
    held = turned_out.memory
    where = f"{one_line(held.type)} in {one_line(held.realm.scope)}"
    if isinstance(turned_out, Joined):
        return f"Already there: {name(held.id)} ({where}, act {turned_out.position})"
    if held.status is Status.QUARANTINED:
        return f"Held back for review: {name(held.id)} ({standing(held, held.realm.scope)})"
    return f"{verb} {name(held.id)} ({where}, act {turned_out.position})"


def recollection(answer: Recollection) -> str:
    """Return an answer, best first, or the honest word that memory does not know."""
    seen = seen_from(answer.scope)
    if isinstance(answer, Abstained):
        text = f"Memory does not know ({seen}): {one_line(answer.reason)}."
        parts = [text + _words_only(answer)]
        if answer.closest is not None:
            parts.append(f"The closest it came: {_remembered(answer.closest, answer)}")
        return "\n\n".join([*parts, *_archived(answer)])
    number = len(answer.remembered)
    head = f"{number} {'memory' if number == 1 else 'memories'} from {seen}"
    found = [
        f"{place}. {_remembered(each, answer)}"
        for place, each in enumerate(answer.remembered, start=1)
    ]
    return "\n\n".join([head + _words_only(answer), *found, *_archived(answer)])


def _words_only(answer: Recollection) -> str:
    """Return a line on what an answer had to go without; empty if nothing."""
    if not answer.words_only:
        return ""
    return f"\nSearched by words alone: {one_line(answer.words_only)}."


def _archived(answer: Recollection) -> Iterable[str]:
    """Yield what an answer points to that has stepped back; `used` brings it back."""
    if answer.archived:
        yield strong("In the archive, and it may fit better; `helix used ID` brings it back:")
        yield from (_remembered(each, answer) for each in answer.archived)


def explanation(answer: Recollection) -> str:
    """Return what an answer left out, and why; empty if nothing was."""
    lines = [f"Looked in {seen_from(answer.scope)}, and nowhere else."]
    lines.append(f"Confidence that the answer is here: {answer.confidence:.2f}")
    if answer.left_out:
        lines.append("Left out:")
        lines += [f"  {_left_out(each)}" for each in answer.left_out]
    return "\n".join(lines)


def _left_out(each: LeftOut) -> str:
    other = f" by {name(each.because_of)}" if each.because_of else ""
    why = {
        Reason.DUPLICATE: f"said already{other}",
        Reason.BUDGET: "no room within the budget",
        Reason.SUPERSEDED: f"superseded{other}",
        Reason.ENDED: "not valid at the moment asked about",
        Reason.ARCHIVED: "archived; --deep finds it",
    }[each.reason]
    return f"{name(each.memory.id)}  {why}\n    {BAR}{gist(each.memory.content)}"


def _remembered(found: Remembered, answer: Recollection) -> str:
    held = found.memory
    lines = [f"{name(held.id)}  {standing(held, answer.scope)}", *behind_bar(found.text)]
    if found.shortened:
        lines.append(faint(f"   in brief; `helix show {name(held.id)}` has all of it"))
    lines.append(faint("   " + ", ".join(_because(found))))
    if answer.question.explain:
        lines += [faint(f"   {line}") for line in _shares(found)]
    return "\n".join(lines)


def _shares(found: Remembered) -> Iterable[str]:
    shares = sorted(found.because.items(), key=lambda pair: -abs(pair[1]))
    for signal, share in shares:
        if share:
            yield f"{signal:<16} {share:+.3f} {'#' * round(abs(share) * SHARE_WIDTH)}"


def _because(found: Remembered) -> Iterable[str]:
    yield from (vouched(each) for each in found.memory.belief.provenance[:1])
    # Who says the same again is no further witness.
    more = independent(each.source for each in found.memory.belief.provenance) - 1
    if more > 0:
        yield f"{more} more to witness it"
    if found.matched:
        yield "matched " + " ".join(one_line(word) for word in found.matched)


def listing(scope: str, held: Sequence[Memory]) -> str:
    """Return memories one a line, newest first."""
    if not held:
        return f"Nothing of that kind is held in {seen_from(scope)}."
    lines = [
        f"{each.position:>5}  {name(each.id)}  {standing(each, scope)}\n"
        f"       {BAR}{gist(each.content)}"
        for each in held
    ]
    return "\n".join([f"Held in {seen_from(scope)}, newest first:", *lines])


def log(scope: str, entries: Sequence[LogEntry]) -> str:
    """Return the log, newest first, one act a line."""
    if not entries:
        return f"Nothing is recorded in {seen_from(scope)}."
    head = f"Recorded in {seen_from(scope)}, newest first:"
    return "\n".join([head, *(act_line(each, scope) for each in entries)])


def act_line(act: LogEntry, scope: str = "") -> str:
    """Return one act on one line; its scope is told where it is not the asker's."""
    elsewhere = f" [{one_line(act.scope)}]" if scope and act.scope != scope else ""
    kind = act.kind.replace("_", " ")
    return (
        f"{act.position:>5}  {faint(when(act.recorded_at))}  {kind:<15}"
        f" {one_line(act.agent) or '-'}{elsewhere}: {one_line(act.says)}"
    )


def undone(scope: str, done: Undone) -> str:
    """Return what a rollback undid, and how the memories it touched stand now."""
    acts = ", ".join(str(each) for each in done.undone[:10])
    more = len(done.undone) - 10
    acts += f" and {more} more" if more > 0 else ""
    head = f"Undid act {acts} in {one_line(scope)}; the record keeps both (act {done.position})."
    changed = [f"  {name(each.id)}  {standing(each, scope)}" for each in done.memories]
    return "\n".join([head, *changed])


def edge(drawn: Edge) -> str:
    """Return an edge as a sentence."""
    relation = one_line(drawn.relation)
    return f"{name(drawn.from_id)} {relation} {name(drawn.to_id)} (act {drawn.provenance.position})"


# --- the parts ----------------------------------------------------------------------------


def name(memory_id: str) -> str:
    """Return an id as it stands out on a screen."""
    return click.style(one_line(memory_id), fg="cyan")


def faint(text: str) -> str:
    """Return what may be overlooked."""
    return click.style(text, dim=True)


def strong(text: str) -> str:
    """Return a heading."""
    return click.style(text, bold=True)


def when(moment: datetime) -> str:
    """Return a moment to the minute, in UTC; a day if it is a day's first instant."""
    if moment <= FIRST_MOMENT:
        return "always"
    return moment.strftime("%Y-%m-%d" if moment.time() == datetime.min.time() else "%Y-%m-%d %H:%M")


def span(belief: Belief) -> str:
    """Return over which time a memory holds."""
    start = when(belief.valid_from)
    if belief.valid_to is None:
        return start if start == "always" else f"since {start}"
    if belief.valid_to <= belief.valid_from:
        return "never"
    end = when(belief.valid_to)
    return f"only within {start}" if start == end else f"from {start} to {end}"


def standing(held: Memory, scope: str = "") -> str:
    """Return type, status and time of a memory in a few words."""
    parts = [one_line(held.type)]
    if held.status is not Status.ACTIVE:
        parts.append(click.style(held.status.value, fg="yellow"))
    if held.belief.suspicion is not None:
        parts.append(click.style(doubted(held.belief.suspicion), fg="red"))
    if held.belief.pinned:
        parts.append("pinned")
    parts.append(span(held.belief))
    if held.expires_at is not None:
        parts.append(f"expires {when(held.expires_at)}")
    if held.realm.scope != scope:
        parts.append(one_line(held.realm.scope))
    return ", ".join(parts)


def doubted(doubt: Suspicion) -> str:
    """Return that a text looks like an order to its reader, or who must be trusted first."""
    if not doubt.reasons and doubt.waits_for:
        return f"nobody trusts {one_line(doubt.waits_for)} yet"
    reasons = ", ".join(one_line(each) for each in doubt.reasons[:3])
    return f"suspected {doubt.score:.2f}" + (f" ({reasons})" if reasons else "")


def vouched(witness: Provenance) -> str:
    """Return who vouches for a belief, and where in the ledger."""
    source = witness.source
    return f"{source.origin.value} by {one_line(source.agent)} (act {witness.position})"


def behind_bar(text: str) -> list[str]:
    """Return recalled text, neutral and with a bar before every line of it."""
    return [f"   {BAR}{line}" for line in neutral(text).split("\n")]


def gist(text: str) -> str:
    """Return recalled text on one line, shortened."""
    line = one_line(text)
    return line if len(line) <= GIST_LETTERS else line[: GIST_LETTERS - 1].rstrip() + "…"


def seen_from(scope: str) -> str:
    """Return which scopes an asker sees."""
    return scope if scope == GLOBAL else f"{one_line(scope)} and {GLOBAL}"


def importance(held: Memory) -> str:
    """Return how much a memory weighs, of ten, and where that comes from."""
    base = f"{points(held.importance_base):g} of 10 as rated at write"
    if held.importance_hint is None:
        return base
    return f"{points(held.importance_hint):g} of 10 as the caller said ({base})"
