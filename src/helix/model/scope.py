"""Whose a memory is and where it holds: tenant, owner, scope.

The three always travel together, as a `Realm`. Every row carries one; every read is
asked from one and sees `visible_from` it and nothing else.
"""

from __future__ import annotations

import re
from functools import lru_cache

from helix.model.errors import BadInput
from helix.model.frozen import dataclass

GLOBAL = "global"
PROJECT_PREFIX = "project:"

EVERYONE = "*"
"""The owner of what is explicitly shared with the whole tenant."""

LOCAL_TENANT = "local"
LOCAL_OWNER = "me"

_SAFE = re.compile(r"[^\s\x00-\x1f\x7f]{1,200}")


@dataclass(frozen=True, slots=True)
class Realm:
    """Where a memory lives, or where a question is asked from."""

    tenant: str
    owner: str
    scope: str

    def __post_init__(self) -> None:
        """Refuse names that could not be told apart or printed safely."""
        for name in (self.tenant, self.owner, self.scope):
            if not _SAFE.fullmatch(name):
                raise _unusable(name)
        if self.scope != GLOBAL and not (
            self.scope.startswith(PROJECT_PREFIX) and len(self.scope) > len(PROJECT_PREFIX)
        ):
            raise _unusable(self.scope)

    def in_scope(self, scope: str) -> Realm:
        """Return the same tenant and owner in another scope."""
        return Realm(self.tenant, self.owner, scope)


def local_realm(scope: str = GLOBAL) -> Realm:
    """Return the realm of a single user on their own machine."""
    return Realm(LOCAL_TENANT, LOCAL_OWNER, scope)


@lru_cache(maxsize=256)
def visible_from(asker: Realm) -> tuple[Realm, ...]:
    """Return every realm the asker may read: own and shared, in this scope and global.

    Never another tenant, another owner or another project.
    """
    owners = dict.fromkeys((asker.owner, EVERYONE))
    scopes = dict.fromkeys((asker.scope, GLOBAL))
    return tuple(Realm(asker.tenant, owner, scope) for owner in owners for scope in scopes)


def may_read(asker: Realm, realm: Realm) -> bool:
    """Return whether a thing in `realm` is visible to the asker."""
    return (
        realm.tenant == asker.tenant
        and realm.owner in (asker.owner, EVERYONE)
        and realm.scope in (asker.scope, GLOBAL)
    )


def narrower(first: Realm, second: Realm) -> Realm:
    """Return where something about two realms belongs: seen only by those who see both.

    Both must be visible from one place, as the ends of a relation are.
    """
    owner = second.owner if first.owner == EVERYONE else first.owner
    scope = second.scope if first.scope == GLOBAL else first.scope
    return Realm(first.tenant, owner, scope)


def _unusable(name: str) -> BadInput:
    return BadInput(
        f"{name!r} cannot name a tenant, an owner or a scope",
        code="unusable_name",
        remedy="use up to 200 characters without spaces; a scope is `global` or `project:<id>`",
    )
