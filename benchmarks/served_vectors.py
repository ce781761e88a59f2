"""An embedding server on this machine that costs next to nothing: words counted, no model.

It speaks the same HTTP as any OpenAI-compatible server, so what is measured with it is
everything about embedding but the model.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from helix.testing.embedders import DIMENSION, WordBags

MODEL = "openai:word-bags"


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = WordBags().embed(asked["input"]).tolist()
        data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
        body = json.dumps({"data": data, "model": asked["model"]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@contextmanager
def served() -> Iterator[str]:
    """Serve on the loopback for as long as the block lasts; give the lines for the settings."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Request) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield f'[embedder]\nurl = "{url}"\ndimension = {DIMENSION}\n'
        server.shutdown()
        thread.join()
