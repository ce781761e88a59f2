"""Asking the connected agent's own model to think, where its client can and the user allowed it.

What it is asked is what any model is asked, and its answer goes the same way: read strictly,
kept, and concluded from during sleep, through every gate. A client that says no is not asked
again while it is connected.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import mcp_types as types

from helix.doors.budget import tokens
from helix.doors.neutral import neutral

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from helix.ports.language_model import Asked

PATIENCE = 300.0
"""Seconds for an answer: a person may have to allow it first."""

MOST_AT_ONCE = 3
"""Questions asked in one idle moment; the rest waits for the next."""


def able(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Return whether the client offers sampling."""
    can = ctx.session.client_capabilities
    return can is not None and can.sampling is not None


async def sampled(ctx: ServerRequestContext[Any, Any], asked: Asked) -> tuple[str, int]:
    """Return what the client's model replied, and about how many tokens it took.

    Raises whatever the client or the connection says instead.
    """
    form = json.dumps(asked.schema, ensure_ascii=False, separators=(",", ":"))
    system = f"{asked.instructions}\n\nReply with that JSON object alone. Its schema: {form}"
    # The client shows it to a person, who may have to allow it.
    material = neutral(asked.material)
    request = types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(
            messages=[types.SamplingMessage(role="user", content=types.TextContent(text=material))],
            system_prompt=system,
            max_tokens=asked.most_tokens,
            temperature=0.0,
        )
    )
    answer = await ctx.session.send_request(request, types.CreateMessageResult, PATIENCE)
    text = answer.content.text if isinstance(answer.content, types.TextContent) else ""
    return _bare(text), tokens(system) + tokens(material) + tokens(text)


def _bare(text: str) -> str:
    """Return the object in a reply: models like to put a fence or a greeting around it."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
