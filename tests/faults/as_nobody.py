"""A process of a user without rights: `python -m tests.faults.as_nobody STORE QUESTION`.

It does everything once on a throw-away store, so that all is imported while the files can
still be read, gives up root's rights, then prints what it could read and the
code with which writing was refused (`written` if it was not), as one JSON document; with what
an examination and folding a private copy again found wrong, if anything.
"""

from __future__ import annotations

import json
import os
import sys

from tests.faults.looking import SCOPE, tell

from helix import Helix
from helix.model.errors import HelixError
from helix.model.recollection import Recollected

NOBODY = 65534


def main() -> None:
    store, question = sys.argv[1:]
    with Helix.open(":demo:", scope=SCOPE) as throw_away:
        _wrote(throw_away)
        _read(throw_away, question)
        _faults(throw_away)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    try:
        with Helix.open(store, scope=SCOPE) as memory:
            read, wrote = _read(memory, question), _wrote(memory)
            found = {"read": read, "wrote": wrote} | _faults(memory)
            tell(json.dumps(found))
    except HelixError as error:
        tell(json.dumps({"unopenable": error.code}))


def _read(memory: Helix, question: str) -> str:
    answer = memory.recall(question)
    return answer.remembered[0].memory.content if isinstance(answer, Recollected) else "nothing"


def _faults(memory: Helix) -> dict[str, list[str]]:
    found = [each.says for each in memory.context.store.examine() if each.state == "fault"]
    found += memory.upkeep.rebuild(check_only=True).differences
    return {"faults": found} if found else {}


def _wrote(memory: Helix) -> str:
    try:
        memory.capture("a write by somebody who may not")
    except HelixError as error:
        return error.code if error.remedy else "no remedy"
    return "written"


if __name__ == "__main__":
    main()
