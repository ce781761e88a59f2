"""Stage 8 of 9: reinforcement. Use makes memories last.

Before it: recall, which only shows. After it: the archive.

A use is an act in the ledger, with its quality; folding keeps it beside the memory, and the
laws of `rules.reinforcement` read from all uses how long the memory lasts. What keeps
helping is promoted: a new memory that names its ground. It never strengthens what was
merely shown, and never changes an episode.
"""
