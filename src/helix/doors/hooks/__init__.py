"""The door for agents' hooks: `helix hook EVENT`, a fresh process at every step of an agent.

It never gets in the way. It has a hard deadline, exits 0 whatever happens, prints nothing
but what the agent should know, uses no network and no model, and tells faults to a log.

`events` knows what agents call their events; `transcripts` reads the end of one; `workflow`
is the only module here that opens a store, and `once` keeps what no import has brought. What
a tool did is distilled by `helix.connect.observing`, as importers do it. Nothing imports
click: half of a hook's time is spent on imports.
"""
