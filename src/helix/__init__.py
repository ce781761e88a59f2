"""Helix: long-term memory for coding agents, in one file, without a model or a cloud."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["Helix", "__version__"]

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes a tenth of a hook
    from helix.app.facade import Helix


def __getattr__(name: str) -> object:
    # Loaded on first use: `helix --help` must not pay for the store.
    if name == "Helix":
        from helix.app.facade import Helix  # noqa: PLC0415 - see above

        return Helix
    raise AttributeError(name)
