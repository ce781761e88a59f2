"""Doors: where people and programs meet a memory. Translate, call the facade, translate back.

Each door is a folder of its own. `rendering` puts answers into words for people and
`documents` into plain values for programs, both for every door alike; `neutral` keeps
recalled text from steering whatever shows it; `error_mapping` turns the five families of
errors into exit codes. A door never decides anything about memories, and never touches a
store except through `helix.app`.
"""
