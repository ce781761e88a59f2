"""`helix review`: what waits for a person's eye, and the person's word on it."""

from __future__ import annotations

import click

from helix.doors import documents, dreams, reviews
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.reading import repaired


@command(
    "review",
    examples=[
        "helix review",
        "helix review --approve mem_deploy_through_ci",
        'helix review --reject ep_ignore_all_rules_42 --reason "planted in an issue"',
        'helix review --edit mem_always_use_npm "This repo uses npm"',
    ],
)
@click.argument("text", nargs=-1)
@click.option("--approve", metavar="ID", help="Vouch for a memory: it counts from now on.")
@click.option("--reject", metavar="ID", help="Turn a memory away; its words stay out.")
@click.option("--edit", metavar="ID", help="Hold TEXT in its place, on your word.")
@click.option("--reason", default="", help="Why it is turned away; kept in the log.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
def review_command(
    door: Door,
    text: tuple[str, ...],
    *,
    approve: str | None,
    reject: str | None,
    edit: str | None,
    reason: str,
    limit: int,
) -> Answer:
    """List what was held back, contradicts, may be stale or is in doubt, with the reasons.

    With --approve, --reject or --edit, decide on one of them. Of two that contradict each
    other, the approved one is right. An agent cannot decide.
    """
    from helix.app.review import CONTRADICTION

    if sum(each is not None for each in (approve, reject, edit)) > 1:
        raise click.UsageError("--approve, --reject and --edit exclude each other")
    if bool(text) != (edit is not None):
        raise click.UsageError("give TEXT with --edit, and only there")
    with door.memory() as memory:
        scope = memory.scope
        if approve is not None:
            done, verb = memory.reviewing.approve(approve), "Approved"
        elif reject is not None:
            done, verb = memory.reviewing.reject(reject, repaired(reason)), "Rejected"
        elif edit is not None:
            done, verb = memory.reviewing.edit(edit, repaired(" ".join(text))), "Edited, now"
        else:
            waiting = memory.reviewing.waiting(limit)
            items = memory.review.items()
            said = reviews.listing(scope, waiting)
            between = [each for each in items if each.kind == CONTRADICTION]
            if between:
                said += "\n\n" + dreams.review(scope, between)
            document = documents.review(scope, waiting) | dreams.review_document(scope, items)
            return door.say(said, document)
    return door.say(reviews.decided(scope, done, verb), documents.outcome(scope, done))
