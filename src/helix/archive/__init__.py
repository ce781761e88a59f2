"""Stage 9 of 9: the archive. What fades steps back, and can come out again.

Before it: reinforcement. After it: nothing; a use leads back to recall.

Sweeps look at the signals of many memories and propose steps: below the floor, past the
expiry, cold with a summary in its place, a likeness too faint to keep. What is proposed is
applied as one change set that can be reverted. Vectors of faded memories are kept coarsely.
It never deletes a memory and never touches the ledger.
"""
