"""How finely each memory's vector should be kept, by what is left of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from helix.model.life import Life
from helix.rules.decay import retention
from helix.rules.policy import Policy
from helix.rules.tiers import FULL_BITS, bits_for, tier

AS_IT_CAME = 16
"""Half precision is what embedders' vectors are kept in, and stands for 32 bits here."""


def wanted_bits(lives: Iterable[Life], now: datetime, policy: Policy) -> dict[str, int]:
    """Return, by id, with how many bits a dimension each vector should be kept."""
    wanted = {}
    for life in lives:
        bits = bits_for(retention(life, now, policy), tier(life, now, policy))
        wanted[life.memory_id] = AS_IT_CAME if bits == FULL_BITS else bits
    return wanted
