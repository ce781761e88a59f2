"""Writing ONNX files: the dozen protobuf messages that a graph without control flow needs.

The same graph always gives the same bytes, whatever is installed, so a built model can be
checked by its sha256. The `onnx` package would bring 20 MB and promise no such thing.
Field numbers are those of onnx.proto (IR version 8).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FLOAT, UINT8, INT64 = 1, 2, 7
_ELEMENT_TYPES = {"float32": FLOAT, "uint8": UINT8, "int8": 3, "int64": INT64}
_IR_VERSION = 8
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_INTS = 1, 2, 7

Attribute = float | int | Sequence[int]
Dimension = int | str


@dataclass
class Graph:
    """A graph as it is being written; every operation returns the name of its output."""

    nodes: list[bytes] = field(default_factory=list)
    constants: dict[str, bytes] = field(default_factory=dict)

    def constant(self, name: str, value: npt.NDArray[np.generic]) -> str:
        """Add a constant under a name; adding it again changes nothing."""
        if name not in self.constants:
            self.constants[name] = _tensor(name, value)
        return name

    def apply(
        self,
        operation: str,
        *inputs: str,
        outputs: Sequence[str] = (),
        domain: str = "",
        **attributes: Attribute,
    ) -> str:
        """Add an operation and return the name of its first output."""
        names = outputs or (f"{operation}_{len(self.nodes)}",)
        self.nodes.append(_node(operation, inputs, names, domain, attributes))
        return names[0]

    def model(
        self,
        inputs: Mapping[str, tuple[int, Sequence[Dimension]]],
        outputs: Mapping[str, tuple[int, Sequence[Dimension]]],
        operation_sets: Mapping[str, int],
    ) -> bytes:
        """Return the whole file. Inputs and outputs map a name to its element type and shape."""
        graph = b"".join(
            [
                *(_bytes(1, node) for node in self.nodes),
                _bytes(2, b"main"),
                *(_bytes(5, constant) for constant in self.constants.values()),
                *(_bytes(11, _value(name, *kind)) for name, kind in inputs.items()),
                *(_bytes(12, _value(name, *kind)) for name, kind in outputs.items()),
            ]
        )
        sets = [
            _bytes(8, _bytes(1, domain.encode()) + _int(2, version))
            for domain, version in operation_sets.items()
        ]
        return b"".join([_int(1, _IR_VERSION), _bytes(2, b"helix"), _bytes(7, graph), *sets])


def _node(
    operation: str,
    inputs: Iterable[str],
    outputs: Sequence[str],
    domain: str,
    attributes: Mapping[str, Attribute],
) -> bytes:
    return b"".join(
        [
            *(_bytes(1, name.encode()) for name in inputs),
            *(_bytes(2, name.encode()) for name in outputs),
            _bytes(3, outputs[0].encode()),
            _bytes(4, operation.encode()),
            *(_bytes(5, _attribute(*pair)) for pair in attributes.items()),
            _bytes(7, domain.encode()),
        ]
    )


def _attribute(name: str, value: Attribute) -> bytes:
    said = _bytes(1, name.encode())
    match value:
        case float():
            return said + _key(2, 5) + struct.pack("<f", value) + _int(20, _ATTRIBUTE_FLOAT)
        case int():
            return said + _int(3, value) + _int(20, _ATTRIBUTE_INT)
        case _:
            numbers = b"".join(_int(8, number) for number in value)
            return said + numbers + _int(20, _ATTRIBUTE_INTS)


def _tensor(name: str, value: npt.NDArray[np.generic]) -> bytes:
    little = value.astype(value.dtype.newbyteorder("<"), copy=False)
    return b"".join(
        [
            *(_int(1, length) for length in value.shape),
            _int(2, _ELEMENT_TYPES[value.dtype.name]),
            _bytes(8, name.encode()),
            _bytes(9, little.tobytes()),
        ]
    )


def _value(name: str, element_type: int, shape: Sequence[Dimension]) -> bytes:
    dimensions = b"".join(
        _bytes(1, _int(1, d) if isinstance(d, int) else _bytes(2, d.encode())) for d in shape
    )
    tensor_type = _int(1, element_type) + _bytes(2, dimensions)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, tensor_type))


def _bytes(number: int, body: bytes) -> bytes:
    return _key(number, 2) + _varint(len(body)) + body


def _int(number: int, value: int) -> bytes:
    # Negative numbers are written as the 64-bit number with the same bits.
    return _key(number, 0) + _varint(value & 0xFFFF_FFFF_FFFF_FFFF)


def _key(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value >> 7:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
