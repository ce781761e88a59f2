"""Tenants and realms as the small numbers that rows carry."""

from __future__ import annotations

from typing import cast

import apsw

from helix.adapters.sqlite import schema
from helix.adapters.sqlite.faults import UNREADABLE, damaged
from helix.model.scope import Realm, visible_from


class Places:
    """Looks up and numbers realms; remembers what is committed, forgets on a rollback."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Take the connection whose transactions these numbers live in."""
        self._connection = connection
        self._tenants: dict[str, int] = {}
        self._places: dict[Realm, int] = {}
        self._realms: dict[int, Realm] = {}
        self._visible: dict[Realm, list[int]] = {}

    def look_again(self) -> None:
        """Drop what another writer may have changed: which realms have a number by now."""
        self._visible.clear()

    def forget(self) -> None:
        """Drop what may have been numbered in a transaction that did not come about."""
        self._tenants.clear()
        self._places.clear()
        self._realms.clear()
        self._visible.clear()

    def tenant(self, name: str) -> int | None:
        """Return a tenant's number, if it has one."""
        number = self._tenants.get(name)
        if number is None:
            row = self._connection.execute(
                "SELECT key FROM tenants WHERE name = ?", (name,)
            ).fetchone()
            if row is None:
                return None
            number = self._tenants[name] = row[0]
        return number

    def place(self, realm: Realm) -> int | None:
        """Return a realm's number, if it has one."""
        number = self._places.get(realm)
        if number is None:
            tenant = self.tenant(realm.tenant)
            row = self._connection.execute(
                "SELECT key FROM places WHERE tenant = ? AND owner = ? AND scope = ?",
                (tenant, realm.owner, realm.scope),
            ).fetchone()
            if row is None:
                return None
            number = self._places[realm] = row[0]
        return number

    def ensure(self, realm: Realm) -> tuple[int, int]:
        """Return the numbers of a realm's tenant and of the realm, giving them if need be."""
        place = self.place(realm)
        if place is not None:
            return self._tenants[realm.tenant], place
        tenant = self.ensure_tenant(realm.tenant)
        self._connection.execute(
            "INSERT INTO places (tenant, owner, scope) VALUES (?, ?, ?)",
            (tenant, realm.owner, realm.scope),
        )
        place = self._connection.last_insert_rowid()
        self._visible.clear()
        self._connection.execute(schema.words_ddl(place))
        return tenant, place

    def ensure_tenant(self, name: str) -> int:
        """Return a tenant's number, giving it one if need be."""
        number = self.tenant(name)
        if number is None:
            self._connection.execute("INSERT INTO tenants (name) VALUES (?)", (name,))
            number = self._tenants[name] = self._connection.last_insert_rowid()
        return number

    def visible(self, asker: Realm) -> list[int]:
        """Return the numbers of the realms an asker may read."""
        known = self._visible.get(asker)
        if known is None:
            found = (self.place(realm) for realm in visible_from(asker))
            known = self._visible[asker] = [place for place in found if place is not None]
        return known

    def of_tenant(self, tenant: int) -> list[int]:
        """Return the numbers of all realms of a tenant, in an order that any store gives them."""
        rows = self._connection.execute(
            "SELECT key FROM places WHERE tenant = ? ORDER BY owner, scope", (tenant,)
        )
        return [row[0] for row in rows]

    def every(self) -> list[int]:
        """Return the numbers of all realms."""
        return [row[0] for row in self._connection.execute("SELECT key FROM places")]

    def realm(self, place: int) -> Realm:
        """Return the realm that bears a number.

        Rows only carry numbers that were given; for any other the file was changed.
        """
        realm = self._realms.get(place)
        if realm is None:
            try:
                realm = self._realms[place] = Realm(*self._names(place))
            except UNREADABLE as error:
                raise damaged(f"realm {place!r}") from error
        return realm

    def _names(self, place: int) -> tuple[str, str, str]:
        return cast(
            "tuple[str, str, str]",
            self._connection.execute(
                "SELECT t.name, p.owner, p.scope FROM places p JOIN tenants t ON t.key = p.tenant"
                " WHERE p.key = ?",
                (place,),
            ).fetchone(),
        )
