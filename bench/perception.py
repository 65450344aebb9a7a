# ruff: noqa: T201 - a bench prints
"""Speed of perception and memory on this machine. Run: python bench/perception.py

Baseline of back-projection: the plain way, one pass over the whole picture for every instance. Pictures: a table with
15 things, ray-traced; the messages are timed where the interfaces are built.
"""

from __future__ import annotations

import importlib.util
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dadu.core import geometry
from dadu.core.geometry import Pose2
from dadu.core.robot import CameraFrame
from dadu.memory.memory import Memory
from dadu.perception.boxworld import SceneBox, look, render
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.perception.states import StateReader
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph


def milliseconds(run: Callable[[], object], repeat: int = 30) -> float:
    """Median of `repeat` calls [ms]."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times))


def scene() -> tuple[CameraFrame, InstanceDetector]:
    """640x480, a wall, a table, a shelf and 15 things."""
    rng = np.random.default_rng(0)
    boxes = [SceneBox("wall_0", (4, 0, 1.2), (0.1, 8, 2.4)), SceneBox("table_0", (2, 0, 0.72), (0.9, 2.0, 0.04)),
             SceneBox("shelf_0", (3.5, 1.5, 0.9), (0.4, 1, 1.8))]
    for i in range(15):
        size = rng.uniform(0.06, 0.2, 3)
        boxes.append(SceneBox(f"mug_{i}", (1.7 + 0.3 * (i % 3), -0.9 + 0.13 * i, 0.74 + size[2] / 2), tuple(size),
                              tuple(rng.integers(0, 255, 3))))
    names = [box.name for box in boxes]
    return (render(boxes, look((0, 0, 1.3), (2, 0, 0.8))),
            InstanceDetector(names, {name: name.rsplit("_", 1)[0] for name in names}))


def instance_by_instance(frame: CameraFrame) -> list[tuple[np.ndarray, np.ndarray]]:
    """The plain way: a mask, its points and their box for every instance; no sampling, no filters, no colours."""
    boxes = []
    for instance in range(1, int(frame.instances.max()) + 1):
        v, u = np.nonzero((frame.instances == instance) & (frame.depth > 0.2) & (frame.depth < 8))
        if len(v) < 25:
            continue
        z = frame.depth[v, u]
        camera = np.linalg.inv(frame.K) @ np.stack([u * z, v * z, z])
        points = geometry.apply(frame.T_map_camera, camera.T)
        boxes.append((points.min(axis=0), points.max(axis=0)))
    return boxes


def bench_messages(seen: DetectionFrame) -> None:
    if not importlib.util.find_spec("dadu_interfaces"):
        return
    from dadu_nodes.support.convert.encode import encode

    from dadu.replay import messages
    message = encode.detections(seen)
    print(f"to message            {milliseconds(lambda: encode.detections(seen)):8.2f} ms")
    print(f"from message          {milliseconds(lambda: messages.detections(message)):8.2f} ms")


def main() -> None:
    frame, detector = scene()
    seen = perceive(frame, detector)
    print(f"{len(seen.detections)} detections, {sum(len(d.points) for d in seen.detections)} points")
    print(f"perceive              {milliseconds(lambda: perceive(frame, detector)):8.2f} ms")
    reader = StateReader()
    print(f"  with their states   {milliseconds(lambda: perceive(frame, detector, states=reader)):8.2f} ms "
          f"({reader.settings.most} mugs)")
    print(f"  instance by instance{milliseconds(lambda: instance_by_instance(frame)):8.2f} ms (points and boxes only)")
    bench_messages(seen)
    prior = WorldGraph([Entity("bench", Kind.HOUSE, "house"), Entity("robot", Kind.AGENT, "robot")])
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory(prior, Path(folder) / "memory.sqlite")
        print(f"memory.see            {milliseconds(lambda: memory.see(seen, Pose2(0, 0, 0))):8.2f} ms")
        memory.recall("mug", 5)
        print(f"memory.recall         {milliseconds(lambda: memory.recall('red mug', 5)):8.2f} ms")
        print(f"memory.describe       {milliseconds(memory.describe):8.2f} ms")
        memory.close()


if __name__ == "__main__":
    main()
