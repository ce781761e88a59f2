"""The network of all-MiniLM-L6-v2: six layers of attention, the mean of the tokens, unit length.

It takes the token ids of one text, without padding, and gives one vector. Written with
onnxruntime's fused operations, so that nothing is left to optimise when it is loaded.

At 8 bits, weights are scaled per output channel and activations per token, while they pass.
The usual quantisation scales activations per batch: one odd token blurs all others, and a
text gets another vector in other company. docs/adr/0009 has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from helix.adapters.models.onnx_format import FLOAT, INT64, UINT8, Graph

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]

LAYERS, HEADS, WIDTH = 6, 12, 384
_EPSILON = 1e-12
_FUSED = "com.microsoft"
_OPERATION_SETS = {"": 17, _FUSED: 1}
_LARGEST = 127
"""Signed 8-bit numbers run to 127 either way."""
_ZERO_POINT = 128
"""Activations are unsigned with 128 for zero: the fast instructions multiply unsigned by signed."""


def minilm(weights: Mapping[str, Array], *, eight_bit: bool) -> bytes:
    """Return the ONNX file of the network with these weights, in 8 or in 32 bits."""
    writer = _Writer(weights, eight_bit)
    writer.write()
    return writer.graph.model(
        {"input_ids": (INT64, [1, "tokens"])},
        {"embedding": (FLOAT, [1, WIDTH]), "pieces": (FLOAT, [1, "tokens", WIDTH])},
        _OPERATION_SETS,
    )


class _Writer:
    def __init__(self, weights: Mapping[str, Array], eight_bit: bool) -> None:
        self.graph = Graph()
        self._weights = weights
        self._eight_bit = eight_bit

    def write(self) -> None:
        states = self._token_states()
        for layer in range(LAYERS):
            states = self._layer(states, f"encoder.layer.{layer}.")
        self.graph.apply("Identity", states, outputs=["pieces"])
        mean = self.graph.apply("ReduceMean", states, axes=[1], keepdims=0)
        self.graph.apply("LpNormalization", mean, outputs=["embedding"], axis=-1, p=2)

    def _token_states(self) -> str:
        apply = self.graph.apply
        count = apply("Shape", "input_ids", start=1, end=2)
        first = self._numbers("first", [0], "int64")
        places = apply("Slice", self._places(), first, count, first)
        return self._norm(apply("Add", self._words(), places), "embeddings.LayerNorm")

    def _places(self) -> str:
        # There is only ever one segment, so its vector is part of every place.
        places = self._weights["embeddings.position_embeddings.weight"]
        segment = self._weights["embeddings.token_type_embeddings.weight"][0]
        return self.graph.constant("places", places + segment)

    def _words(self) -> str:
        apply, words = self.graph.apply, self._weights["embeddings.word_embeddings.weight"]
        if not self._eight_bit:
            return apply("Gather", self.graph.constant("words", words), "input_ids")
        numbers, scales = _eight_bits(words, axis=1)
        gathered = apply("Gather", self.graph.constant("words", numbers), "input_ids")
        scale = apply("Gather", self.graph.constant("word_scales", scales), "input_ids")
        return apply("Mul", apply("Cast", gathered, to=FLOAT), scale)

    def _layer(self, states: str, layer: str) -> str:
        attended = self._attention(states, layer + "attention.self.")
        states = self._add_and_norm(attended, states, layer + "attention.output.")
        wide = self._times(states, layer + "intermediate.dense")
        bias = self._weight(layer + "intermediate.dense.bias")
        bent = self.graph.apply("BiasGelu", wide, bias, domain=_FUSED)
        return self._add_and_norm(bent, states, layer + "output.")

    def _attention(self, states: str, prefix: str) -> str:
        import numpy as np

        parts = [prefix + part for part in ("query", "key", "value")]
        together = np.concatenate([self._weights[part + ".weight"] for part in parts])
        bias = np.concatenate([self._weights[part + ".bias"] for part in parts])
        product = self._times(states, prefix + "all", together)
        self.graph.apply(
            "Split",
            product,
            self._numbers("thirds", [WIDTH] * 3, "int64"),
            outputs=parts,
            axis=-1,
        )
        return self.graph.apply(
            "MultiHeadAttention",
            *parts,
            self.graph.constant(prefix + "bias", bias),
            domain=_FUSED,
            num_heads=HEADS,
        )

    def _add_and_norm(self, states: str, before: str, prefix: str) -> str:
        return self.graph.apply(
            "SkipLayerNormalization",
            self._times(states, prefix + "dense"),
            before,
            self._weight(prefix + "LayerNorm.weight"),
            self._weight(prefix + "LayerNorm.bias"),
            self._weight(prefix + "dense.bias"),
            domain=_FUSED,
            epsilon=_EPSILON,
        )

    def _norm(self, states: str, prefix: str) -> str:
        scale, bias = self._weight(prefix + ".weight"), self._weight(prefix + ".bias")
        return self.graph.apply(
            "LayerNormalization", states, scale, bias, axis=-1, epsilon=_EPSILON
        )

    def _times(self, states: str, name: str, weight: Array | None = None) -> str:
        """Multiply by a weight, kept as (outputs, inputs); the bias is added by what follows."""
        given = self._weights[name + ".weight"] if weight is None else weight
        if self._eight_bit:
            return self._eight_bit_times(states, name, given)
        return self.graph.apply("MatMul", states, self.graph.constant(name, given.T))

    def _eight_bit_times(self, states: str, name: str, weight: Array) -> str:
        apply = self.graph.apply
        numbers, scales = _eight_bits(weight.T, axis=0)
        largest = apply("ReduceMax", apply("Abs", states), axes=[-1], keepdims=1)
        scale = apply("Mul", largest, self._numbers("step", 1 / _LARGEST))
        whole = apply("Round", apply("Div", states, scale))
        shifted = apply("Add", whole, self._numbers("shift", _ZERO_POINT))
        product = apply(
            "MatMulInteger",
            apply("Cast", shifted, to=UINT8),
            self.graph.constant(name, numbers),
            self._numbers("zero_point", _ZERO_POINT, "uint8"),
        )
        by_token = apply("Mul", apply("Cast", product, to=FLOAT), scale)
        return apply("Mul", by_token, self.graph.constant(name + ".scales", scales))

    def _weight(self, name: str) -> str:
        return self.graph.constant(name, self._weights[name])

    def _numbers(self, name: str, value: float | list[int], dtype: str = "float32") -> str:
        import numpy as np

        return self.graph.constant(name, np.array(value, dtype=dtype))


def _eight_bits(weights: Array, axis: int) -> tuple[npt.NDArray[np.int8], Array]:
    """Return whole numbers and the scales that turn them back, one for each row or column."""
    import numpy as np

    scales = np.maximum(np.abs(weights).max(axis=axis, keepdims=True), _EPSILON) / _LARGEST
    return np.rint(weights / scales).astype(np.int8), scales.astype(np.float32)
