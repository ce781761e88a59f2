"""Stage 5 of 9: consolidation. Many become fewer and better.

Before it: enrichment. After it: reflection, which asks what follows.

Episodes are read as talk and as work: what was decided or corrected becomes a statement of
its own, what recurs in other words becomes one rule, steps that recur become a procedure.
Each conclusion cites the episodes it rests on and passes the gates before it is applied. It
never edits an episode, never deletes, and never merges what differs in a value.
"""
