"""What tells most in what happened: the few sentences that stand for many, in its own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from helix.model.memory import Memory
from helix.rules.relations import telling
from helix.rules.steps import Step, step_of
from helix.rules.turns import ASSISTANT, Turn, sentences, turn_of

MOST_SENTENCES = 3
LONGEST_SENTENCE = 160
FEWEST_WORDS = 3
MOST_READ = 60
"""Sentences of one text that are weighed; what matters in a longer one stands before that."""


def most_telling(episodes: Sequence[Memory]) -> dict[str, int]:
    """Return the first sentences of what weighed most, in their order, and where each is from."""
    ranked = sorted(episodes, key=lambda each: (-each.importance, each.position))
    found: dict[str, int] = {}
    for episode in ranked:
        first = next(iter(_readable(episode)), "")
        if first:
            found.setdefault(first, episode.position)
        if len(found) == MOST_SENTENCES:
            break
    return dict(sorted(found.items(), key=lambda each: each[1]))


def in_brief(episode: Memory) -> list[str]:
    """Return the few sentences that hold most of what a long text speaks of, in their order."""
    turn = turn_of(episode)
    step = step_of(turn)
    if step is not None:
        return [_outcome(step)]
    said = list(dict.fromkeys(_readable(episode)))[:MOST_READ]
    words = [set(telling(each)) for each in said]
    often = Counter(word for each in words for word in each)
    # What the text keeps coming back to; a long sentence is not better for being long.
    ranked = sorted(
        range(len(said)),
        key=lambda at: (-sum(often[word] for word in words[at]) / (len(words[at]) + 4), at),
    )
    chosen = {0, *ranked[: MOST_SENTENCES - 1]} if said else set()
    return [said[at] for at in sorted(chosen)]


def _readable(episode: Memory) -> list[str]:
    """Return the whole sentences of an episode that may be quoted."""
    turn: Turn = turn_of(episode)
    # What an assistant said is no news, and what may be an order must not get about.
    if turn.role == ASSISTANT or episode.belief.suspicion is not None:
        return []
    return [
        each if each[-1] in ".!?" else f"{each}."
        for each in sentences(turn.prose)
        if len(each.split()) >= FEWEST_WORDS and len(each) <= LONGEST_SENTENCE
    ]


def _outcome(step: Step) -> str:
    if not step.failed:
        return f"`{step.words}` was run."
    return f"`{step.words}` failed" + (f" with {step.complaint}." if step.complaint else ".")
