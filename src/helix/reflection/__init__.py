"""Stage 6 of 9: reflection. Memories become insight.

Before it: consolidation. After it: recall, which finds insights like any other memory.

Questions are put to what happened (what keeps failing, what changes together, what keeps
changing), evidence is gathered, and what it shows is kept with its citations. Old beliefs
are probed and claims about files are compared with the working tree: both only lower
confidence and ask a person. It never deletes, and never asserts without evidence.
"""
