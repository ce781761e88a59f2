"""Loading a model folder (`model.onnx`, `tokenizer.json`) into onnxruntime, on one thread each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helix.adapters.models.recipes import MODEL, TOKENIZER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_QUIET = 3
"""onnxruntime's level for errors: it would write warnings about the machine to stderr."""


def loaded(folder: Path, tokens: int) -> tuple[Tokenizer, Any]:
    """Return the tokenizer, cutting after so many tokens, and the session.

    Raises `ImportError` if a package is missing, and whatever the libraries raise for a
    damaged file; neither has anything narrower than `Exception`.
    """
    # From 1.29 on it reports on its use unless told not to before it is imported. The
    # lock holds an earlier one; this holds for whatever else is installed.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime
    from tokenizers import Tokenizer

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    session = onnxruntime.InferenceSession(
        str(folder / MODEL), options, providers=["CPUExecutionProvider"]
    )
    tokenizer.no_padding()
    tokenizer.enable_truncation(tokens)
    return tokenizer, session
