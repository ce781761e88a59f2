"""A chat server on loopback that a test tells how to answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[dict], object]


class ChatServer:
    """Answers POSTs; `answer` gets what was asked and returns conclusions, text, or a deed."""

    def __init__(self) -> None:
        self.requests: list[dict] = []
        self.headers: list[dict] = []
        self.answer: Answer = lambda _: []
        self.tokens = 100
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                chat.requests.append(asked)
                chat.headers.append(dict(self.headers))
                chat._reply(self, asked)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _reply(self, handler: BaseHTTPRequestHandler, asked: dict) -> None:
        anthropic = "tools" in asked
        material = json.loads(asked["messages"][-1]["content"])
        said = self.answer(material)
        if isinstance(said, int):
            return _send(handler, said, {"error": {"message": "out of order"}})
        if said is DROP:
            handler.connection.close()
            return None
        if isinstance(said, float):
            time.sleep(said)
            said = []
        if anthropic:
            content = [{"type": "tool_use", "name": "conclude", "input": {"conclusions": said}}]
            usage = {"input_tokens": self.tokens - 10, "output_tokens": 10}
            return _send(handler, 200, {"content": content, "usage": usage})
        text = said if isinstance(said, str) else json.dumps({"conclusions": said})
        document = {
            "choices": [{"message": {"content": text}}],
            "usage": {"total_tokens": self.tokens},
        }
        return _send(handler, 200, document)


DROP = object()
"""An answer that breaks the connection off."""


def _send(handler: BaseHTTPRequestHandler, status: int, document: object) -> None:
    body = json.dumps(document).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
