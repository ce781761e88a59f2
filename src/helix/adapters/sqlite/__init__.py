"""The default store: one SQLite file, in WAL mode, through apsw.

`store` hands out transactions; `ledger`, `projection`, `jobs` and `journal` implement the
ports inside one; `schema` is the file's layout and `opening` decides whether a file may be
touched at all.
"""
