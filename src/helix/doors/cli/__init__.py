"""The command line: `helix`, one small module per command or per group that belongs together.

`main` is where it begins, `table` lists every command, `lazy` imports one only when it is
called, and `door` is what all of them share. `helix --help` imports these and click, and
nothing of the store, the facade or the commands.
"""
