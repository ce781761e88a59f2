"""Stage 2 of 9: the ledger. It is written down once, in order.

Before it: capture, which admits what comes in. After it: the projection, which folds
records into memories.

Acts are encoded into payloads, payloads are digested with a salt, and every record is
sealed over the record before it, so that a changed, missing or swapped record is found
and named. It never changes a record, never reads the clock behind a caller's back, and
knows nothing of memories or search.
"""
