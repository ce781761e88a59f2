"""The promises of enrichment, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.enrichment import EnrichmentContract


class TestSqliteEnrichment(OnSqlite, EnrichmentContract):
    pass


class TestReferenceEnrichment(OnReference, EnrichmentContract):
    pass
