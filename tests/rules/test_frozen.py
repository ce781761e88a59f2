"""A value made quickly is a dataclass in every respect that Helix relies on."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Mapping
from typing import get_type_hints

import pytest

from helix.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Quick:
    """A value."""

    name: str
    size: int = 3
    marks: Mapping[str, int] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Longer(Quick):
    """One with a further field and a check."""

    note: str = ""

    def __post_init__(self) -> None:
        if self.note == "bad":
            raise ValueError(self.note)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same, made by the standard library."""

    name: str
    size: int = 3
    marks: Mapping[str, int] = dataclasses.field(default_factory=dict)


def test_it_is_made_as_the_standard_one_is() -> None:
    """Signature, fields, hints, matching and slots are equal."""
    assert (
        inspect.signature(Quick).parameters.keys() == inspect.signature(Standard).parameters.keys()
    )
    assert [f.name for f in dataclasses.fields(Quick)] == ["name", "size", "marks"]
    assert get_type_hints(Quick.__init__) == get_type_hints(Standard.__init__)
    assert Quick.__match_args__ == Standard.__match_args__
    assert Quick.__slots__ == Standard.__slots__
    assert Quick.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert repr(Quick("a")) == repr(Standard("a")).replace("Standard", "Quick")
    assert dataclasses.asdict(Quick("a")) == dataclasses.asdict(Standard("a"))


def test_equal_fields_are_equal_values_and_other_classes_are_not() -> None:
    """Equality and hashes are by class and fields."""
    assert Quick("a") == Quick("a")
    assert Quick("a") != Quick("b")
    assert Quick("a") != Standard("a")
    assert Quick("a") != Longer("a")
    pair = (Quick("a", 1, ()), Quick("a", 1, ()))  # type: ignore[arg-type]
    assert hash(pair[0]) == hash(pair[1])


def test_defaults_are_made_anew_and_missing_arguments_are_refused() -> None:
    """A factory is called for each value; a field without a default must be given."""
    assert Quick("a").marks is not Quick("a").marks
    with pytest.raises(TypeError, match="name"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="bad"):
        Longer("a", note="bad")


def test_nothing_can_be_changed() -> None:
    """Setting and deleting fields fail, and there is no room for others."""
    value = Longer("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.name = "b"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.note
    with pytest.raises(dataclasses.FrozenInstanceError):
        Quick("a").other = 1  # type: ignore[attr-defined]


def test_values_are_copied_replaced_and_pickled() -> None:
    """Copies are equal, and a replacement changes one field."""
    value = Longer("a", 5, {"x": 1}, "n")
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value
    assert dataclasses.replace(value, size=6) == Longer("a", 6, {"x": 1}, "n")


def test_what_it_cannot_make_is_refused_or_left_to_the_standard_one() -> None:
    """A field with options would be made wrongly, so it is not made."""
    with pytest.raises(TypeError, match="standard dataclass"):

        @dataclass(frozen=True, slots=True)
        class Optioned:
            name: str = dataclasses.field(compare=False)

    @dataclass
    class Mutable:
        name: str

    changed = Mutable("a")
    changed.name = "b"
    assert changed == Mutable("b")
