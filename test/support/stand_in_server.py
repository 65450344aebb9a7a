"""An OpenAI-compatible server for tests: answers with what it is told to, or badly."""

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {"prompt_tokens": 400, "completion_tokens": 20, "total_tokens": 420}


class StandInServer:
    """`replies` are used up one a request; the last one stays. A reply is a text, a dict (sent as JSON), a number
    (an HTTP status), a tuple (status, JSON, headers), bytes (the whole body), None (the connection is cut), or a
    function of the request's body that returns one of these. `finish_reason` is that of all replies, or a list that is
    used up as they are. `delay` [s] comes first, `dribble` [s] before every byte. `usage` is what the server says of
    tokens; None: nothing."""

    def __init__(self, *replies, delay=0.0, finish_reason="stop", dribble=0.0, usage=USAGE):
        self.replies, self.delay = list(replies), delay
        self.reasons = [finish_reason] if isinstance(finish_reason, str) else list(finish_reason)
        self.dribble, self.usage = dribble, usage
        self.requests, self.headers, self.model, self.others = [], [], "tiny", []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                if not self.path.startswith("/v1/"):
                    self.answer(404, {"detail": "Not Found"})
                    return
                self.answer(200, {"object": "list", "data": [
                    {"id": server.model, "object": "model"}, *server.others]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body)
                server.headers.append(self.headers)
                time.sleep(server.delay)
                reply, reason = _next(server.replies), _next(server.reasons)
                reply = reply(body) if callable(reply) else reply
                if reply is None:
                    self.close_connection = True
                    return
                if isinstance(reply, int):
                    self.answer(reply, {"error": {"message": "no"}})
                    return
                if isinstance(reply, tuple):
                    self.answer(*reply)
                    return
                if isinstance(reply, bytes):
                    self.send(200, reply)
                    return
                text = reply if isinstance(reply, str) else json.dumps(reply)
                self.answer(200, {
                    "id": "1", "object": "chat.completion", "created": 0, "model": "tiny",
                    "choices": [{"index": 0, "finish_reason": reason,
                                 "message": {"role": "assistant", "content": text}}],
                    "usage": server.usage})

            def answer(self, status, body, headers=None):
                self.send(status, json.dumps(body).encode(), headers)

            def send(self, status, data, headers=None):
                with suppress(BrokenPipeError, ConnectionResetError):  # who hung up waits for nothing; what is said of
                    self._send(status, data, headers or {})  # it by this thread may break another's `ast.parse` (3.11)

            def _send(self, status, data, headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if not server.dribble:
                    self.wfile.write(data)
                    return
                for i in range(len(data)):
                    time.sleep(server.dribble)
                    self.wfile.write(data[i:i + 1])
                    self.wfile.flush()

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()


def _next(items):
    return items.pop(0) if len(items) > 1 else items[0]


def action(name, **arguments):
    """A reply as the schema asks for."""
    return {"reasoning": "because", "action": name, "arguments": arguments}
