"""The door for programs: HTTP on this machine, with a token.

`operations` is the table of what can be asked; routes, checks and the OpenAPI document all
follow from it. `guarding` stands before it: who may come in, how much, how fast. `serving`
runs it, one for each store, and leaves word beside the store so that hooks find it. The MCP
server of `helix.doors.mcp` is served at `/mcp`.
"""
