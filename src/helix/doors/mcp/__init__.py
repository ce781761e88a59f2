"""The door for agents: a Model Context Protocol server, over stdio or HTTP.

`tools` is the table of what an agent may call, `calls` what each of them does; `resources`
holds what can be read and the prompts. `server` speaks the protocol with the official SDK,
and with `serving` is all that imports it. `folders` finds the scope from what the client
says of its folders, never from an argument.

The SDK takes longer to import than the rest of Helix together, so nothing else here imports
it, and the store and the embedder are opened after the handshake.
"""
