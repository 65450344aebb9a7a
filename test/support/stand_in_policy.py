"""A policy's server for tests, in openpi's protocol: answers with what it is told to, or badly."""

import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

from dadu.core.msgpack_numpy import pack, unpack


class StandInPolicy:
    """`answer` makes of an observation what is sent: a dict (packed), a text, bytes as they are, or None (the
    connection is cut). `metadata` likewise."""

    def __init__(self, answer, metadata=None):
        self.observations, self.hung_up = [], threading.Event()
        self._answer, self._metadata = answer, {} if metadata is None else metadata
        self._server = serve(self._serve, "127.0.0.1", 0, compression=None, max_size=None)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()

    def _serve(self, socket):
        try:
            if not self._send(socket, self._metadata):
                return
            for frame in socket:
                self.observations.append(unpack(frame))
                if not self._send(socket, self._answer(self.observations[-1])):
                    return
        except ConnectionClosed:
            pass
        finally:
            self.hung_up.set()

    def _send(self, socket, answer):
        if answer is None:
            socket.socket.close()
            return False
        socket.send(pack(answer) if isinstance(answer, dict) else answer)
        return True
