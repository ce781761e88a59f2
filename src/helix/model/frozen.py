"""`dataclass`, made quickly: a hook defines a hundred frozen values and uses ten of them.

The standard one compiles seven functions for every frozen class with slots, which was a
third of a hook's time. Here one is compiled, `__init__`; the others are closures. What is
made is a dataclass in every other respect: `fields`, `replace`, `asdict`, matching, copying
and type checkers see no difference (docs/adr/0055). It does what Helix uses: fields with
defaults and factories, and `__post_init__`. Anything else is the standard one's.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - for users of this
else:
    import dataclasses
    from dataclasses import MISSING, FrozenInstanceError
    from operator import attrgetter

    _QUICK = {"frozen": True, "slots": True}
    _create = getattr(dataclasses, "_create_fn", None)
    """What the standard one compiles each function with. Python 3.13 has no such thing, and
    compiles all functions of a class together: there, the standard one is used as it is."""

    def dataclass(cls=None, /, **options):
        """Make a class a dataclass; see above for which are made here."""
        if options == _QUICK and cls is None and _create is not None:
            return _made
        return dataclasses.dataclass(cls, **options)

    def _made(cls):
        if any(map(dataclasses.is_dataclass, cls.__mro__[1:])):
            return dataclasses.dataclass(**_QUICK)(cls)
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
        fields = dataclasses.fields(made)
        if not all(f.init and f.repr and f.compare and f.hash is None for f in fields):
            raise TypeError(f"{cls.__qualname__}: fields with options need the standard dataclass")
        made.__dataclass_params__.frozen = made.__dataclass_params__.eq = True
        for function in (_init(made, fields), *_comparing(made, fields), *_guarding(made, fields)):
            function.__qualname__ = f"{made.__qualname__}.{function.__name__}"
            setattr(made, function.__name__, function)
        return made

    def _init(made, fields):
        """Compile `__init__`: called for every value there is, so no closure would do."""
        given = {"_missing": MISSING}
        heads, steps = [], []
        for number, each in enumerate(fields):
            # Slots are set through their descriptors, past the guard and without a lookup.
            given[f"_set{number}"] = getattr(made, each.name).__set__
            value = each.name
            if each.default_factory is not MISSING:
                given[f"_make{number}"] = each.default_factory
                heads.append(f"{each.name}=_missing")
                value = f"_make{number}() if {each.name} is _missing else {each.name}"
            elif each.default is not MISSING:
                given[f"_default{number}"] = each.default
                heads.append(f"{each.name}=_default{number}")
            else:
                heads.append(each.name)
            steps.append(f"_set{number}(self, {value})")
        if hasattr(made, "__post_init__"):
            steps.append("self.__post_init__()")
        module = sys.modules[made.__module__].__dict__
        init = _create(
            "__init__", ["self", *heads], steps or ["pass"], globals=module, locals=given
        )
        init.__annotations__ = {each.name: each.type for each in fields} | {"return": None}
        return init

    def _comparing(made, fields):
        names = [each.name for each in fields]
        values = attrgetter(*names) if names else lambda _: ()

        def __eq__(self, other):  # noqa: N807
            if other.__class__ is not self.__class__:
                return NotImplemented
            return values(self) == values(other)

        def __hash__(self):  # noqa: N807
            return hash(values(self))

        def __repr__(self):  # noqa: N807
            told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{type(self).__qualname__}({told})"

        return __eq__, __hash__, __repr__

    def _guarding(made, fields):
        names = frozenset(each.name for each in fields)
        order = [each.name for each in fields]

        def __setattr__(self, name, value):  # noqa: N807
            if type(self) is made or name in names:
                raise FrozenInstanceError(f"cannot assign to field {name!r}")
            super(made, self).__setattr__(name, value)

        def __delattr__(self, name):  # noqa: N807
            if type(self) is made or name in names:
                raise FrozenInstanceError(f"cannot delete field {name!r}")
            super(made, self).__delattr__(name)

        def __getstate__(self):  # noqa: N807
            return [getattr(self, name) for name in order]

        def __setstate__(self, state):  # noqa: N807
            for name, value in zip(order, state, strict=True):
                object.__setattr__(self, name, value)

        return __setattr__, __delattr__, __getstate__, __setstate__
