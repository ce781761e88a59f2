"""Every command in one table: its name, its module, and what it does in a few words.

`helix --help` is printed from this table alone, so that help does not pay for the store.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A command: the module under `commands` that holds it, and its line in the help."""

    module: str
    says: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Begin": {
        "init": Entry("init", "Create the store; connect agents and take in what is there"),
        "demo": Entry("demo", "Take in a made-up project and ask it questions"),
        "tour": Entry("tour", "Walk through Helix; --guided runs a first session"),
        "completion": Entry("completion", "Print a completion script for your shell"),
    },
    "Bring along": {
        "import": Entry("importing", "Start full: transcripts, notes, git history, other memories"),
        "export": Entry("exporting", "Write what is held as Markdown that can be edited"),
    },
    "Write": {
        "capture": Entry("capture", "Write down something that happened"),
        "session": Entry("session", "Mark where an agent's session starts and ends"),
        "scratch": Entry("scratch", "Note something for now; it becomes an episode by and by"),
        "remember": Entry("remember", "Hold something to be so"),
        "correct": Entry("correct", "Put something else in a memory's place"),
        "confirm": Entry("judging", "Find a memory right"),
        "relate": Entry("relate", "Say how two memories hang together"),
        "forget": Entry("judging", "Let a memory step back; --hard destroys it"),
        "restore": Entry("judging", "Bring a memory back"),
        "pin": Entry("judging", "Keep a memory from fading"),
        "used": Entry("living", "Say that a memory helped, or misled"),
        "promote": Entry("living", "Hold what an episode tells"),
        "demote": Entry("living", "Send a memory to the archive"),
    },
    "Ask": {
        "recall": Entry("recall", "Ask memory a question"),
        "about": Entry("looking", "Show what is held about a person, a file, a command"),
        "around": Entry("looking", "Show what happened around a moment or an episode"),
        "context": Entry("looking", "Brief yourself or an agent before work begins"),
        "show": Entry("showing", "Show all fields of a memory"),
        "why": Entry("showing", "Tell how a memory came to be held"),
        "list": Entry("paging", "List what is held, newest first"),
        "log": Entry("paging", "Show what was recorded, newest first"),
        "curve": Entry("curve", "Draw how a memory fades"),
        "status": Entry("status", "Show what is held here, and where"),
    },
    "Agents": {
        "connect": Entry("connect", "Tell the agents on this machine about this memory"),
        "disconnect": Entry("connect", "Put the agents' files back as they were"),
        "mcp": Entry("mcp", "Serve an agent over the Model Context Protocol"),
        "serve": Entry("serve", "Serve this store over HTTP on this machine"),
        "hook": Entry("hook", "Take in one event of an agent's session"),
    },
    "Look after": {
        "review": Entry("review", "Look at what was held back; approve, reject or edit it"),
        "trust": Entry("trust", "Let what was imported from a source count, or no longer"),
        "subject": Entry("erasing", "Show all that is held about a person, repository or source"),
        "erase": Entry("erasing", "Destroy all that is held about a subject"),
        "scrub": Entry("erasing", "Look again for secrets, and take them out"),
        "retain": Entry("retain", "Write out what is old and faded, then purge it from the ledger"),
        "attest": Entry("attesting", "Sign the ledger's head, or check a copy against a receipt"),
        "rollback": Entry("rollback", "Undo an act, or return to a position"),
        "verify": Entry("upkeep", "Check every seal of the ledger"),
        "rebuild": Entry("upkeep", "Fold everything again and compare"),
        "sleep": Entry("sleep", "Conclude from what was captured; --dry-run shows it first"),
        "flush": Entry("sleep", "Consolidate at once, without waiting for a trigger"),
        "runs": Entry("runs", "Show what sleep concluded, run by run, and take it back"),
        "resolve": Entry("resolve", "Decide between two memories that contradict each other"),
        "sweep": Entry("sweep", "Promote, expire and archive; or take that back"),
        "enrich": Entry("enrich", "Embed what waits, so that it is found by meaning"),
        "models": Entry("models", "Install and choose what finds by meaning"),
        "adopt": Entry("adopt", "Keep a project's memories when its id has changed"),
        "doctor": Entry("doctor", "Look the memory over, with remedies"),
    },
}

COMMANDS: dict[str, Entry] = {
    name: entry for section in SECTIONS.values() for name, entry in section.items()
}
