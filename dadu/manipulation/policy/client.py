"""A policy's server, in openpi's protocol: a websocket on which it sends its metadata first, then answers observations
with chunks of actions, all in msgpack; a text is an error in words.

A thread of its own waits for the server, so that whoever asks is never held up longer than they say.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dadu.core.errors import ConfigError, DaduError, NotUsable
from dadu.core.msgpack_numpy import Dialect, pack, unpack

PATIENCE = 10.0
"""wall seconds for an answer"""
FIRST = 60.0
"""wall seconds until the first: models are compiled when they are first asked"""
_OPENING = 5.0
"""wall seconds for a connection, and for the metadata"""
_LARGEST = 1 << 24
"""bytes of an answer: a hundred steps of a hundred joints are 80 kB"""


class PolicyGone(DaduError):
    """No server, or one that does not answer in time."""


class PolicyUnusable(DaduError):
    """An answer that cannot be carried out."""


class PolicyClient:
    """One conversation, from construction to `close`. `ask`, then `answer` until there is one."""

    def __init__(self, url: str) -> None:
        """`url`: ``ws://HOST:PORT``, as `address` takes it. Errors: MissingExtra."""
        self._url, self._dialect = address(url)
        pack({})  # here, and not in the thread, it is told that the library is missing
        self._asked: SimpleQueue[Mapping[str, Any] | None] = SimpleQueue()
        self._answers: SimpleQueue[Mapping[str, Any] | DaduError] = SimpleQueue()
        self._late = time.monotonic() + 2 * _OPENING
        self._first = True
        threading.Thread(target=self._converse, daemon=True, name="policy").start()

    def ask(self, observation: Mapping[str, Any]) -> None:
        """Sends it, without waiting."""
        self._late = time.monotonic() + (FIRST if self._first else PATIENCE)
        self._first = False
        self._asked.put(observation)

    def answer(self, wait: float = 0.0) -> Mapping[str, Any] | None:
        """The metadata, and then what is said to each observation; None where it is not there within `wait` wall
        seconds. Errors: PolicyGone, PolicyUnusable."""
        try:
            found = self._answers.get(timeout=max(0.0, min(wait, self._late - time.monotonic())))
        except Empty:
            if time.monotonic() >= self._late:
                raise PolicyGone(f"the policy at {self._url} does not answer in time") from None
            return None
        if isinstance(found, DaduError):
            raise found
        return found

    def close(self) -> None:
        """Hangs up, without waiting."""
        self._asked.put(None)

    def _converse(self) -> None:
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect
        try:
            with connect(self._url, compression=None, max_size=_LARGEST, open_timeout=_OPENING, close_timeout=1.0,
                         proxy=None, ping_interval=None) as socket:  # a server that computes answers no ping
                self._answers.put(_mapping(socket.recv(_OPENING)))
                patience = FIRST
                while (observation := self._asked.get()) is not None:
                    socket.send(pack(dict(observation), self._dialect))
                    self._answers.put(_mapping(socket.recv(patience)))
                    patience = PATIENCE
        except (PolicyUnusable, NotUsable) as error:
            self._answers.put(PolicyUnusable(f"the policy at {self._url}: {error}"))
        except (OSError, WebSocketException, EOFError, ValueError) as error:  # TimeoutError, and an odd redirection
            why = str(error) or type(error).__name__
            self._answers.put(PolicyGone(f"the policy at {self._url} is not there: {why}"))


def address(url: str) -> tuple[str, Dialect]:
    """The address, and how arrays are written for it: ``?dialect=msgpack_numpy`` for servers that use the package of
    that name. Errors: ConfigError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        port = None
    if port is None or parts.scheme not in ("ws", "wss") or not parts.hostname:
        raise ConfigError(f"{url!r} is no policy's address; valid: ws://HOST:PORT or wss://HOST:PORT")
    match parse_qs(parts.query).get("dialect", ["openpi"]):
        case ["openpi"]:
            return parts._replace(query="").geturl(), "openpi"
        case ["msgpack_numpy"]:
            return parts._replace(query="").geturl(), "msgpack_numpy"
    raise ConfigError(f"{url!r}: valid dialects: msgpack_numpy, openpi")


def _mapping(frame: str | bytes) -> Mapping[str, Any]:
    """Errors: PolicyUnusable, NotUsable."""
    if isinstance(frame, str):
        last = next(reversed(frame.strip().splitlines()), "")[:300]
        raise PolicyUnusable(f"it reports an error: {''.join(filter(str.isprintable, last))}")
    found = unpack(frame)
    if not isinstance(found, dict):
        raise PolicyUnusable(f"it sends a {type(found).__name__} where a dict is due")
    return {name.decode(errors="replace") if isinstance(name, bytes) else str(name): value
            for name, value in found.items()}
