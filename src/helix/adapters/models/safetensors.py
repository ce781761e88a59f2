"""Reading weights: a length, a JSON table of contents, then the numbers themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mmap import mmap

    import numpy.typing as npt

_LENGTH_BYTES = 8
_DTYPES = {"F16": "<f2", "F32": "<f4"}


def tensors(body: bytes | mmap) -> dict[str, npt.NDArray[Any]]:
    """Return the floating-point tensors of a file by name, as views into `body`."""
    import numpy as np

    start = _LENGTH_BYTES + int.from_bytes(body[:_LENGTH_BYTES], "little")
    found = {}
    for name, entry in json.loads(body[_LENGTH_BYTES:start]).items():
        if entry.get("dtype") in _DTYPES:
            begin, end = entry["data_offsets"]
            numbers = memoryview(body)[start + begin : start + end]
            found[name] = np.frombuffer(numbers, _DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return found
