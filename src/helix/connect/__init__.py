"""What other tools use: the configuration of agents, and what agents, notes and git left behind.

`agents` lists the agents Helix knows and where each keeps its configuration; `jsonc`,
`tables` and `listings` add to files of people without touching another byte of them;
`connecting` is the only module that writes such files. `importing/` reads transcripts,
notes, histories and other memories into captures and statements.

Formats that are not known are refused, never guessed.
"""
