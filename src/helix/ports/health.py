"""A store that can be examined says what it finds in these words."""

from __future__ import annotations

from typing import Literal

from helix.model.frozen import dataclass

State = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, how it is, and what to do about it."""

    name: str
    state: State
    says: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether a server could be asked, as far as that shows without asking it."""

    ready: bool
    says: str
    remedy: str = ""
