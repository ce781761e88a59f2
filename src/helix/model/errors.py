"""What can go wrong, in one small tree.

    HelixError
    ├── BadInput            the caller's words cannot be taken as they are
    ├── NotFound            no such thing, or not visible from here
    ├── Conflict            a promise of the record would be broken
    ├── StoreUnavailable    the file cannot be used right now, or not like this
    └── IntegrityBroken     the record does not match its own seals

Every error carries a stable `code` for programs and a `remedy` for people: what to
do next. Doors map the five families to exit codes and statuses in one place.
Outcomes that are expected (an abstention, a repeated event) are values, not errors.
"""

from __future__ import annotations


class HelixError(Exception):
    """A broken promise, with a stable `code` and a `remedy`."""

    family = "helix_error"

    def __init__(self, message: str, *, code: str | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.family
        self.remedy = remedy


class BadInput(HelixError):
    """The input cannot be taken; nothing was written."""

    family = "bad_input"


class NotFound(HelixError):
    """There is no such thing in the asker's scope.

    What exists in another scope is reported in the same words, so that an id cannot
    be probed from outside.
    """

    family = "not_found"


class Conflict(HelixError):
    """Carrying this out would contradict what is already recorded."""

    family = "conflict"


class StoreUnavailable(HelixError):
    """The store cannot be used: busy, full, read-only, damaged, foreign or too new."""

    family = "store_unavailable"


class IntegrityBroken(HelixError):
    """The ledger does not match its seals, or the projection does not match the ledger."""

    family = "integrity_broken"


def unknown_memory(memory_id: str, scope: str) -> NotFound:
    """Return the error for an id that is absent or not visible from `scope`."""
    return NotFound(
        f"no memory {memory_id!r} is visible from {scope}",
        code="unknown_memory",
        remedy="`helix list` shows what is here; another project's memory is not visible from here",
    )
