"""A project's life by chance: one-off observations, lessons that recur, talk, sessions of work."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.texts import Author

_ACTIONS = ("start", "stop", "clear", "rebuild", "refresh", "unlock", "sync", "reload")
_LESSONS = (
    "Had to {act} the {thing} before running the {task}",
    "{task} failed until I did {act} the {thing}",
    "Forgot to {act} the {thing}, the {task} broke",
    "The {task} only works after {act} of the {thing}",
    "Without {act} the {thing} the {task} fails",
    "Again the {task} needed {act} on the {thing} first",
)
_TALK = (
    "We use {thing} for the {task}",
    "From now on, {act} the {thing} before every {task}",
    "The {thing} listens on port {number}",
    "We moved the {task} from {thing} to {other}",
    "can you look at the {task} again?",
    "ok, now fix the {thing}",
)
SHARE_OF_LESSONS, SHARE_OF_TALK, SHARE_OF_COMMANDS = 0.1, 0.05, 0.1
EPISODES_PER_LESSON = 40
EPISODES_PER_SESSION = 50


def episodes(count: int, seed: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield texts with their circumstances; lessons grow in number with the history."""
    chance = random.Random(seed)
    author = Author(seed)
    names = [f"{a}{b}" for a in ("ora", "vel", "kit", "num", "sil", "dra", "pex", "tor")
             for b in ("vex", "lin", "bard", "mont", "quill", "stack", "forge")]  # fmt: skip
    lessons = max(1, count // 10 // EPISODES_PER_LESSON)
    for number in range(count):
        session = f"s{number // EPISODES_PER_SESSION}"
        drawn = chance.random()
        if drawn < SHARE_OF_LESSONS:
            which = random.Random(seed * 7919 + chance.randrange(lessons))
            thing, task = (f"{which.choice(names)}{which.randrange(400)}" for _ in range(2))
            parts = {"act": which.choice(_ACTIONS), "thing": thing, "task": f"job {task}"}
            yield chance.choice(_LESSONS).format(**parts), {"session": session}
        elif drawn < SHARE_OF_LESSONS + SHARE_OF_TALK:
            parts = {"act": chance.choice(_ACTIONS), "thing": chance.choice(names),
                     "task": chance.choice(names), "other": chance.choice(names),
                     "number": str(chance.randrange(1024, 9999))}  # fmt: skip
            text = chance.choice(_TALK).format(**parts)
            yield text, {"session": session, "attributes": {"role": "user"}}
        elif drawn < SHARE_OF_LESSONS + SHARE_OF_TALK + SHARE_OF_COMMANDS:
            command = f"make {chance.choice(names)}\nok"
            yield command, {"session": session, "tool": "bash", "exit_status": 0}
        else:
            yield author.episode(), {"session": session}
