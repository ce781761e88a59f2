"""The test kit: what a backend or a plug-in needs to prove that it keeps Helix's promises.

- `contracts`: one suite per port. Subclass it, override the `store` fixture, run pytest.
- `reference_store`: the ports in plain dicts and lists, written to be obviously right.
- `clock`: time and chance that a test decides.
- `builders`: acts, memories and open memories with everything unimportant filled in.
- `histories`: ledgers and journals full of everything that can happen, played into a store.
- `invariants`: what holds at every moment, by name.
- `strategies`: generated realms, texts, acts and histories; the only module that needs
  Hypothesis.

Nothing in the package itself imports it.
"""
