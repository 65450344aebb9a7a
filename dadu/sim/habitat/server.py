"""Runs habitat-sim for another process: its one argument is an inherited socket's number."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dadu.sim.habitat.wire import receive, send

if TYPE_CHECKING:
    from dadu.sim.habitat.adapter import HabitatScene

Head: TypeAlias = dict[str, Any]
Arrays: TypeAlias = dict[str, np.ndarray]
Reply: TypeAlias = tuple[Head, Arrays]
Operation: TypeAlias = Callable[[Head, Arrays], Reply]


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # a signal to the whole group: whoever started this hangs up
        signal.signal(number, signal.SIG_IGN)
    connection = Connection(int(sys.argv[1]))
    try:
        from dadu.sim.habitat.adapter import HabitatScene, SceneSpec
    except ImportError as error:
        send(connection, {"error": f"{sys.executable} cannot import habitat-sim: {error}"})
        return
    head, _ = receive(connection)
    try:
        scene = HabitatScene(SceneSpec(**head))
    except (RuntimeError, ValueError, TypeError, AttributeError, AssertionError) as error:
        send(connection, {"error": f"{type(error).__name__}: {error}"})
        raise
    send(connection, {"objects": scene.objects(), "navigable": scene.navigable}, {"bounds": scene.bounds()})
    serve(connection, operations(scene))
    scene.close()


def serve(connection: Connection, table: dict[str, Operation]) -> None:
    """Answers until the other side hangs up."""
    while True:
        try:
            head, arrays = receive(connection)
        except (EOFError, ConnectionError):
            return
        try:
            reply = table[head["call"]](head, arrays)
        except (KeyError, ValueError) as error:
            reply = ({"error": f"{head['call']}: {type(error).__name__}: {error}"}, {})
        send(connection, *reply)


def operations(scene: HabitatScene) -> dict[str, Operation]:
    """What may be asked, by name."""
    def poses(head: Head, arrays: Arrays) -> Reply:
        ids, values = scene.poses()
        return {}, {"ids": ids, "poses": values}

    def put(head: Head, arrays: Arrays) -> Reply:
        scene.put(head["id"], arrays["position"], arrays["rotation"], head["motion"])
        return {}, {}

    def step(head: Head, arrays: Arrays) -> Reply:
        scene.step(head["dt"])
        return poses(head, arrays)

    def reset(head: Head, arrays: Arrays) -> Reply:
        scene.reset()
        return poses(head, arrays)

    return {
        "poses": poses, "put": put, "step": step, "reset": reset,
        "move": lambda head, a: ({}, {"reached": scene.move(a["start"], a["end"])}),
        "rays": lambda head, a: ({}, {"ranges": scene.rays(a["origin"], a["directions"], head["reach"])}),
        "render": lambda head, a: ({}, scene.render(a["position"], a["rotation"])),
        "floor_plan": lambda head, a: ({}, {"free": scene.floor_plan(head["resolution"])}),
    }


if __name__ == "__main__":
    main()
