"""Stage 1 of 9: capture. Experience comes in.

Before it: an agent, a hook, a person or an importer, through a door. After it: the ledger.

What comes in passes a row of gates, each of which returns it, changed if need be, or
refuses it with a reason; what passes becomes an act. It never embeds, calls a model or
waits for background work: it stands in an agent's turn.
"""
