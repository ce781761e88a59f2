"""`helix recall`: ask memory a question."""

from __future__ import annotations

from datetime import datetime

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.moments import moment
from helix.doors.cli.reading import said
from helix.doors.error_mapping import NO
from helix.model.question import View
from helix.model.recollection import Abstained, Recollection
from helix.recall.scoring import Tuning

BY_WORDS = Tuning(switched_off=frozenset({"meaning"}))


@command(
    "recall",
    examples=[
        "helix recall which package manager do we use",
        "helix recall where do we deploy --on 2026-03-01",
        "helix recall how do we deploy --explain",
        'echo "how do we deploy?" | helix recall --budget 800 --json',
    ],
)
@click.argument("question", nargs=-1)
@click.option("--deep", is_flag=True, help="Look into the archive too.")
@click.option("--history", is_flag=True, help="Show what was replaced too.")
@click.option("--on", "true_on", type=moment, help="What was true then?")
@click.option("--believed-on", type=moment, help="What was held to be true then?")
@click.option("--asked-at", type=moment, help="When it was asked, if not now: `last week` is then.")
@click.option("--sessions", is_flag=True, help="Where was it spoken of? One answer per session.")
@click.option("--type", "types", multiple=True, metavar="TYPE", help="Only this type; repeat.")
@click.option("--words-only", is_flag=True, help="Find by words alone; loads no model.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, metavar="N", show_default=True)
@click.option("--budget", type=click.IntRange(min=46), metavar="TOKENS", help="Fit the answer.")
@click.option("--explain", is_flag=True, help="Show what spoke for each, and what was left out.")
@click.pass_context
def recall_command(
    ctx: click.Context,
    door: Door,
    question: tuple[str, ...],
    *,
    deep: bool,
    history: bool,
    true_on: datetime | None,
    believed_on: datetime | None,
    asked_at: datetime | None,
    sessions: bool,
    types: tuple[str, ...],
    words_only: bool,
    limit: int,
    budget: int | None,
    explain: bool,
) -> Answer:
    """Ask memory a question; the best answer comes first, with who vouches for it.

    A moment is an ISO date or time, or yesterday, `2 weeks ago`. A bare date means
    its first instant, in UTC. QUESTION is read from a pipe if it is left out or `-`.

    With --budget, memories that are too long are cut and what does not fit is left out.

    Where a model is installed, memory is searched by words and by meaning. Loading the
    model takes a moment; `--words-only` answers without it.

    Exit status: 0 if memory knows something, 1 if it does not.
    """
    asked = said(question, "question")
    with door.memory() as memory:
        answer = memory.recall(
            asked,
            view=_view(deep=deep, history=history),
            true_on=true_on,
            believed_on=believed_on,
            asked_at=asked_at,
            by_session=sessions,
            types=types,
            limit=limit,
            budget=budget,
            explain=explain,
            tuning=BY_WORDS if words_only else None,
        )
    document = door.say(_text(answer, history=history), documents.recollection(answer))
    if isinstance(answer, Abstained):
        ctx.exit(NO)
    return document


def _view(*, deep: bool, history: bool) -> View:
    # History holds everything that deep recall finds.
    if history:
        return View.HISTORY
    return View.DEEP if deep else View.CURRENT


def _text(answer: Recollection, *, history: bool) -> str:
    text = rendering.recollection(answer)
    if isinstance(answer, Abstained):
        further = "`helix list`" if history else "`--history`, or `helix list`"
        text += f"\nTry other words, {further}."
    if answer.question.explain:
        text += f"\n\n{rendering.explanation(answer)}"
    return text
