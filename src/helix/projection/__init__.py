"""Stage 3 of 9: the projection. Records become memories, edges and words one can ask.

Before it: the ledger. After it: enrichment, and recall, which asks.

One pure function folds one act into changes; a follower applies them together with the
position it has read, so that a crash can neither skip nor repeat one. Any split of the
same ledger folds to the same projection. It never invents, judges or ranks.
"""
