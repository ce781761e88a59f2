"""Attesting: the head of the ledger signed, and a later copy checked against it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from helix.app.context import Context
from helix.app.erasing import Receipt
from helix.app.signing import KEYED, Signer, signed, signer
from helix.ledger.verifying import Broken, Sound
from helix.ledger.workflow import verify
from helix.model.errors import BadInput
from helix.model.moment import text_of
from helix.model.record import Head
from helix.ports.store import Unit

LAST = 2**63 - 1
"""Beyond it the store knows no positions, and would stumble over one."""


class Attesting:
    """Signs heads and receipts, and checks them."""

    def __init__(self, context: Context, home: Path) -> None:
        """Take what the facade works with, and where the user's keys lie."""
        self._context = context
        self._home = home

    def head(self) -> dict[str, object]:
        """Return the ledger's head, signed: keep it, and check a later copy against it."""
        with self._context.store.reading() as unit:
            head = unit.ledger.head(self._context.realm.tenant)
            number, seal = unit.journal.head(self._context.realm.tenant)
        journal = {"number": number, "seal": seal.hex()}
        return signed(
            {"kind": "head", **_told(head, self._context), "journal": journal}, self._home
        )

    def receipt(self, receipt: Receipt) -> dict[str, object]:
        """Return a receipt as a signed document."""
        document: dict[str, object] = {
            "kind": "erasure",
            "scope": receipt.scope,
            "erased_at": text_of(receipt.erased_at),
            "records": [
                {"position": each.position, "kind": each.kind, "digest": each.digest}
                for each in receipt.records
            ],
            "memories": receipt.memories,
            "notes": receipt.notes,
            "carried_over": receipt.carried_over,
            "journal_entries": receipt.journal_entries,
            "copies_removed": list(receipt.copies_removed),
            "residue": list(receipt.residue),
            "still_mentioned": list(receipt.still_mentioned),
            "stands_again": [each.position for each in receipt.stands_again],
            "kept_closed": [each.position for each in receipt.kept_closed],
            **_told(receipt.head, self._context),
        }
        return signed(document, self._home)

    def signer(self, document: Mapping[str, object]) -> Signer:
        """Return who signed a document; raises `BadInput` if it is not as it was signed."""
        found = signer(document, self._home)
        if found is None:
            raise _not_genuine(document)
        return found

    def check(self, document: Mapping[str, object]) -> Sound | Broken:
        """Return whether this store continues what was signed, and erased is still erased.

        Whoever signed it: `signer` tells whether that was this home.
        """
        self.signer(document)
        position = _position(document.get("position"))
        if position is None:
            raise _not_genuine(document)
        tenant = self._context.realm.tenant
        with self._context.store.reading() as unit:
            found = verify(unit.ledger, tenant)
            if isinstance(found, Broken):
                return found
            concluded = self._concluded(unit, document)
            at = unit.ledger.at(tenant, position)
            back = [
                gone
                for gone in _erased(document)
                if (record := unit.ledger.at(tenant, gone)) and record.payload is not None
            ]
        if position and (at is None or at.seal.hex() != document.get("seal")):
            return Broken(position, "it is not the record that was signed")
        if back:
            return Broken(back[0], "it was erased, and its payload is back")
        return concluded or found

    def _concluded(self, unit: Unit, document: Mapping[str, object]) -> Broken | None:
        """Return what is wrong with the conclusions that were signed, if anything."""
        tenant = self._context.realm.tenant
        broken = unit.journal.first_broken(tenant)
        if broken is not None:
            return Broken(*broken, conclusion=True)
        signed_head = document.get("journal")
        if not isinstance(signed_head, dict) or not signed_head.get("number"):
            return None
        number, seal = _position(signed_head["number"]), signed_head.get("seal")
        held = None if number is None else unit.journal.seal_at(tenant, number)
        if held is not None and held.hex() == seal:
            return None
        if _erased_since(unit, tenant, document.get("position")):
            # Erasing and purging take words out of conclusions and seal them again; the
            # ledger tells of it.
            return None
        why = "it is not the conclusion that was signed; `rebuild --rederive` draws them anew"
        return Broken(number or 0, why, conclusion=True)


def _not_genuine(document: Mapping[str, object]) -> BadInput:
    if document.get("scheme") == KEYED:
        return BadInput(
            "this was not signed with the key of this home, or was changed since",
            code="not_genuine",
            remedy="check that HELIX_HOME is the one it was signed in",
        )
    return BadInput(
        "this was changed since it was signed, or never signed",
        code="not_genuine",
        remedy="give the file as `helix attest --out` or `--receipt` wrote it",
    )


def _erased_since(unit: Unit, tenant: str, position: object) -> bool:
    return unit.ledger.destroyed_since(tenant, _position(position) or 0)


def _position(found: object) -> int | None:
    """Return a place in the ledger or the journal, if a stranger's document names one."""
    return found if isinstance(found, int) and 0 <= found <= LAST else None


def _told(head: Head, context: Context) -> dict[str, object]:
    return {
        "tenant": context.realm.tenant,
        "position": head.position,
        "recorded_at": text_of(head.recorded_at),
        "seal": head.seal.hex(),
    }


def _erased(document: Mapping[str, object]) -> list[int]:
    records = document.get("records", ())
    if not isinstance(records, list):
        return []
    found = [_position(each.get("position")) for each in records if isinstance(each, dict)]
    return [each for each in found if each is not None]
