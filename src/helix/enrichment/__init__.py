"""Stage 4 of 9: enrichment. Episodes gain vectors and the names of what they speak of.

Before it: the projection. After it: consolidation, which works on what was enriched; recall
uses it at once.

In batches, in the background of an open memory, on request, or by a recall while few wait,
whatever has been captured is read for entities and references, embedded and compared with
what was there before it. It never blocks capture, never changes a memory, and loses nothing
when it is killed: what was not enriched yet is still found by words, and is enriched next
time. Changing the model is the same work for another model, beside the one that serves.
"""
