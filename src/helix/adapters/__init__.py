"""Drivers: what stands behind the ports. Only `helix.app.wiring` knows them by name."""
