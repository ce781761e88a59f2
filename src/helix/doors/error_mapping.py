"""Errors as doors report them: one place that knows exit codes.

    2    bad_input           5    store_, embedder_, reranker_, model_unavailable
    3    not_found           6    integrity_broken
    4    conflict           70    unexpected: a fault in Helix itself
                           130    interrupted by the user
                           141    nobody was reading the output any more

0 and 1 are answers, not errors: 1 is an honest "no", such as memory not knowing.
"""

from __future__ import annotations

from helix.model import errors
from helix.model.frozen import dataclass
from helix.ports.embedder import EmbedderUnavailable
from helix.ports.language_model import ModelUnavailable
from helix.ports.reranker import RerankerUnavailable

NO = 1
UNEXPECTED = 70
INTERRUPTED = 130
BROKEN_PIPE = 141

EXIT_CODES = {
    errors.BadInput.family: 2,
    errors.NotFound.family: 3,
    errors.Conflict.family: 4,
    errors.StoreUnavailable.family: 5,
    EmbedderUnavailable.family: 5,
    RerankerUnavailable.family: 5,
    ModelUnavailable.family: 5,
    errors.IntegrityBroken.family: 6,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, for programs (`code`, `family`) and for people (`message`, `remedy`)."""

    code: str
    family: str
    message: str
    remedy: str

    def __post_init__(self) -> None:
        """Take secrets out: an error may quote what was given, whoever words it."""
        from helix.rules.secrets.redacting import redacted

        for part in ("message", "remedy"):
            object.__setattr__(self, part, redacted(getattr(self, part)))

    @property
    def exit_code(self) -> int:
        """The exit code of the family."""
        return EXIT_CODES.get(self.family, UNEXPECTED)

    @property
    def document(self) -> dict[str, object]:
        """The form in which programs get it."""
        parts = ("code", "family", "message", "remedy")
        return {"error": {part: getattr(self, part) for part in parts}}


def fault_of(error: Exception) -> Fault:
    """Return how an exception is reported, whatever it is."""
    match error:
        case errors.HelixError():
            return Fault(error.code, error.family, error.message, error.remedy)
        case OSError():
            return Fault(
                "system_refused",
                errors.StoreUnavailable.family,
                _what_the_system_said(error),
                "check that the path is right, that you may use it, and that the disk has room",
            )
        case UnicodeEncodeError():
            return Fault(
                "not_unicode",
                errors.BadInput.family,
                "the input holds bytes that are not UTF-8 text",
                "write it in UTF-8",
            )
        case _:
            return Fault(
                "unexpected",
                "unexpected",
                f"something unexpected happened: {type(error).__name__}: {error}",
                "this is a fault in Helix; with HELIX_TRACEBACK=1 it shows where",
            )


def _what_the_system_said(error: OSError) -> str:
    said = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {said}" if error.filename else said
