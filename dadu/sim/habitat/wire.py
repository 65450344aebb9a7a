"""Messages between the node and the process that runs habitat-sim: JSON with arrays behind it, over a socket pair."""

from __future__ import annotations

import json
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

import numpy as np


def send(connection: Connection, head: Mapping[str, Any], arrays: Mapping[str, np.ndarray] | None = None) -> None:
    """`head` must be JSON; `arrays` of any plain type and shape."""
    arrays = {name: np.ascontiguousarray(a) for name, a in (arrays or {}).items()}
    shapes = {name: [a.dtype.str, list(a.shape)] for name, a in arrays.items()}
    connection.send_bytes(json.dumps({"head": dict(head), "arrays": shapes}).encode())
    for array in arrays.values():
        connection.send_bytes(array.tobytes())


def receive(connection: Connection) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Errors: EOFError when the other side is gone."""
    message = json.loads(connection.recv_bytes())
    arrays = {name: np.frombuffer(connection.recv_bytes(), np.dtype(dtype)).reshape(shape).copy()
              for name, (dtype, shape) in message["arrays"].items()}
    return message["head"], arrays
