"""Starting full: what agents, notes, git and other memories left behind becomes memory.

Each reader turns one kind of source into pieces, one after the other, and decides nothing
about a store: `transcripts`, `swe_agent`, `specstory`, `instructions`, `notes`, `git`,
`memories`. `detecting` tells which reader a file needs, and `looking` where agents keep
things. `workflow` is the only module here that writes.

Everything passes capture's gates, is marked as ingested, and says where it comes from. The
same source again adds nothing to a project: every piece has an id that follows from its source
and the project (`knowing`).
"""
