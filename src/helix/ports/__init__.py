"""What Helix needs from outside: one small protocol a file, its promise written on it.

Nothing above the ports knows which backend it talks to. `helix.testing.contracts`
holds one suite per port; every backend passes it unchanged.
"""
