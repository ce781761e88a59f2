"""Helix: long-term memory for coding agents, in one file, without a model or a cloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Helix", "__version__"]

if TYPE_CHECKING:
    from helix.app.facade import Helix


def __getattr__(name: str) -> object:
    # Loaded on first use: `helix --help` must not pay for the store.
    if name == "Helix":
        from helix.app.facade import Helix  # noqa: PLC0415 - see above

        return Helix
    raise AttributeError(name)
