"""The `[life]` table of the settings: which policy holds, and the numbers that differ from it.

[life]
policy = "helix"                # or "layers", "ledger"
fading = "huber"                # any number of the bundle can be set on its own
spacing_hours = 2

[life.half_life_days]           # by shape or by type; "never" for what does not fade
episode = 14
decision = "never"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from enum import StrEnum

from helix.model.types import CODING_TYPES, Shape
from helix.rules.policy import BUNDLES, HELIX, NEVER, Policy, with_half_lives

HALF_LIVES = "half_life_days"
_CHOSEN = "policy"
_RANKERS = ("evidence", "three_factor", "four_factor", "nine_factor")
_SHARES = frozenset({
    "use_bonus_cap", "floor", "protected_importance", "archive_retention", "archive_importance",
    "promotion_importance", "edge_floor", "cold_importance", "archived_share",
    "archived_share_now", "brief_below",
})  # fmt: skip
_RISING = ("hot_hours", "warm_days", "cold_days")
_MOST_SWEPT = 100_000
_MOST = 100_000
"""Days, hours or times: beyond that, dates and fractions run out; "never" says it better."""


def policy_of(given: object, types: Iterable[str] = ()) -> tuple[Policy, list[str]]:
    """Return the policy a `[life]` table asks for, and every fault in it.

    `types` names the memory types that are registered beyond those Helix brings.
    """
    if not isinstance(given, Mapping):
        return HELIX, ["'life' must be a table; see `helix.app.life_settings`"]
    name = given.get(_CHOSEN, HELIX.name)
    faults = []
    if name not in tuple(BUNDLES):
        faults.append(f"life.policy must be one of {', '.join(BUNDLES)}, not {name!r}")
        name = HELIX.name
    policy = BUNDLES[str(name)]
    known = {each.name for each in fields(Policy)} - {"name", HALF_LIVES}
    changes: dict[str, object] = {}
    for key, value in given.items():
        if key == HALF_LIVES:
            days, found = _half_lives(value, types)
            policy = with_half_lives(policy, days)
            faults += found
        elif key in known:
            taken, fault = _taken(key, getattr(policy, key), value)
            changes[key] = taken
            faults += [fault] if fault else []
        elif key != _CHOSEN:
            faults.append(f"life.{key} is not a setting")
    if faults:
        return policy, faults
    changed = replace(policy, **changes)  # type: ignore[arg-type]  # checked one by one above
    return changed, _out_of_order(changed)


def _taken(key: str, default: object, value: object) -> tuple[object, str]:
    if isinstance(default, StrEnum):
        kinds = type(default)
        if value in tuple(kinds):
            return kinds(str(value)), ""
        return default, f"life.{key} must be one of {', '.join(kinds)}, not {value!r}"
    if key == "ranker":
        fault = "" if value in _RANKERS else f"life.ranker must be one of {', '.join(_RANKERS)}"
        return value, fault
    if isinstance(default, bool):
        return value, "" if isinstance(value, bool) else f"life.{key} must be true or false"
    return _number(key, default, value)


def _number(key: str, default: object, value: object) -> tuple[object, str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default, f"life.{key} must be a number, not {value!r}"
    if isinstance(default, int) and not isinstance(value, int):
        return default, f"life.{key} must be a whole number, not {value!r}"
    if key in _SHARES and not 0 <= value <= 1:
        return default, f"life.{key} must be between 0 and 1, not {value!r}"
    if not 0 <= value <= _MOST:
        return default, f"life.{key} must be between 0 and {_MOST:,}"
    if key == "sweep_cap" and not 1 <= value <= _MOST_SWEPT:
        return default, f"life.sweep_cap must be between 1 and {_MOST_SWEPT:,}, not {value!r}"
    return (value if isinstance(default, int) else float(value)), ""


def _half_lives(given: object, types: Iterable[str]) -> tuple[dict[str, float], list[str]]:
    if not isinstance(given, Mapping):
        return {}, [f"life.{HALF_LIVES} must be a table of shape or type = days"]
    days: dict[str, float] = {}
    shapes = [shape.value for shape in Shape]
    known = dict.fromkeys((*shapes, *(kind.name for kind in CODING_TYPES), *types))
    faults = [
        f"life.{HALF_LIVES}.{name} is neither a shape nor a type of memory;"
        f" those known here are {', '.join(known)}"
        for name in given
        if name not in known
    ]
    for name, value in given.items():
        if value == "never":
            days[name] = NEVER
        elif (
            isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _MOST
        ):
            faults.append(
                f"life.{HALF_LIVES}.{name} must be days above 0, up to {_MOST:,}, or 'never'"
            )
        else:
            days[name] = float(value)
    # An episode is the one type of its shape, and people say either.
    if "episode" in days and Shape.EPISODIC.value not in days:
        days[Shape.EPISODIC.value] = days["episode"]
    return days, faults


def _out_of_order(policy: Policy) -> list[str]:
    hours = (policy.hot_hours, policy.warm_days * 24, policy.cold_days * 24)
    if list(hours) == sorted(hours):
        return []
    return [f"life: {', '.join(_RISING)} must not fall from one to the next"]
