"""The ports in plain dicts and lists, one module a port; `reference_store` puts them together.

Written to be obviously right, not fast: other backends are compared with it.
"""
