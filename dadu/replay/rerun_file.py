"""A recorded run as a file of the Rerun viewer: what was seen, where the robot was, what it knew, did and said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from dadu.core.errors import MissingExtra, NotUsable
from dadu.core.transforms import TransformError
from dadu.incoming.pictures import color, depth
from dadu.operator.run.pictures import encode_jpeg
from dadu.replay.bag import Bag, Message
from dadu.replay.messages import call, detections, graph, result, seconds
from dadu.replay.transforms import ROLES, Frames
from dadu.world.graph import Entity, Kind

_log = logging.getLogger(__name__)

_PICTURES = 0.5
"""[s] between two pictures of one camera that are kept: a minute then takes some 15 MB"""
_POSES, _PATH = 0.2, 1.0
"""[s] between two poses of the robot, and two ways driven so far"""
_COLORS = {Kind.FURNITURE: (185, 169, 138), Kind.OBJECT: (47, 111, 222)}
_OK, _BAD = "INFO", "WARN"
"""how loud the log is of an outcome"""


def write_rerun(run_dir: Path, file: Path) -> int:
    """Writes `file` (.rrd) from the run's bag, whoever recorded that, and returns how many messages could not be used.
    Errors: UnusableBag, MissingExtra."""
    try:
        import rerun
    except ModuleNotFoundError:
        raise MissingExtra("a file for Rerun needs rerun-sdk: pip install -e '.[rerun]'") from None
    stream = rerun.RecordingStream("dadu", recording_id=run_dir.resolve().name)
    stream.save(file, default_blueprint=_layout(rerun))
    writer = _Writer(rerun, stream)
    with Bag(run_dir) as bag:
        for message in bag.messages(writer.roles):
            writer.take(message)
    stream.flush()
    stream.disconnect()
    return writer.unusable


def _layout(rerun: Any) -> Any:
    views = rerun.blueprint
    pictures = views.Vertical(views.Spatial2DView(origin="world/camera/color", name="Camera"),
                              views.Spatial2DView(origin="world/camera/depth", name="Depth"))
    return views.Blueprint(views.Vertical(
        views.Horizontal(views.Spatial3DView(origin="world", name="World"), pictures, column_shares=[3, 1]),
        views.TextLogView(origin="plan", name="Plan"), row_shares=[3, 1]))


class _Writer:
    """Takes a bag's messages one after the other."""

    def __init__(self, rerun: Any, stream: Any) -> None:
        self._rerun, self._stream = rerun, stream
        self.unusable = 0
        self._frames = Frames()
        self._last: dict[str, float] = {}
        """stamp of what was kept last, by what it is [s]"""
        self._way: list[np.ndarray] = []
        self._instruction = ""
        self._takers: Mapping[str, Callable[[Any], None]] = {
            "color": self._color, "depth": self._depth, "detections": self._camera, "graph": self._graph,
            "plan": self._step}
        self.roles = (*ROLES, *self._takers)
        stream.log("world", rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)

    def take(self, message: Message) -> None:
        """One of `roles`; what cannot be used is counted."""
        try:
            if message.role in ROLES:
                self._transforms(message)
            else:
                self._takers[message.role](message.data)
        except NotUsable as error:
            self.unusable += 1
            _log.debug("%s: %s", message.role, error)

    def _put(self, stamp: float, path: str, *what: Any) -> None:
        self._stream.set_time("time", duration=stamp)
        self._stream.log(path, *what)

    def _due(self, what: str, stamp: float, period: float) -> bool:
        """True, and noted, if the last of it is so long ago; time may begin anew."""
        if abs(stamp - self._last.get(what, -np.inf)) < period:
            return False
        self._last[what] = stamp
        return True

    def _transforms(self, message: Message) -> None:
        self._frames.take(message)
        stamp = max((seconds(t.header.stamp) for t in message.data.transforms), default=0.0)
        if message.role == "tf_static" or not self._due("pose", stamp, _POSES):
            return
        try:
            T = self._frames.base()
        except TransformError:
            return  # not localised yet
        self._put(stamp, "world/robot", self._rerun.Transform3D(translation=T[:3, 3], mat3x3=T[:3, :3]),
                  self._rerun.Boxes3D(centers=[(0, 0, 0.1)], half_sizes=[(0.17, 0.17, 0.1)], labels=["robot"]),
                  self._rerun.Arrows3D(vectors=[(0.4, 0, 0)], origins=[(0, 0, 0.2)]))
        self._way.append(T[:3, 3])
        if self._due("path", stamp, _PATH):
            self._put(stamp, "world/path", self._rerun.LineStrips3D([self._way]))

    def _camera(self, message: Any) -> None:
        seen = detections(message)
        T = seen.T_map_camera
        self._put(seen.stamp, "world/camera", self._rerun.Transform3D(translation=T[:3, 3], mat3x3=T[:3, :3]))
        for kind in ("color", "depth"):
            self._put(seen.stamp, f"world/camera/{kind}", self._rerun.Pinhole(
                image_from_camera=seen.K, resolution=(seen.width, seen.height),
                camera_xyz=self._rerun.ViewCoordinates.RDF, image_plane_distance=0.4))

    def _color(self, message: Any) -> None:
        stamp = seconds(message.header.stamp)
        if self._due("color", stamp, _PICTURES):
            self._put(stamp, "world/camera/color", self._rerun.EncodedImage(
                contents=encode_jpeg(color(message)), media_type="image/jpeg"))

    def _depth(self, message: Any) -> None:
        stamp = seconds(message.header.stamp)
        if self._due("depth", stamp, _PICTURES):
            mm = np.rint(depth(message) * 1e3).clip(0, 65535).astype(np.uint16)
            self._put(stamp, "world/camera/depth", self._rerun.EncodedDepthImage(
                blob=cv2.imencode(".png", mm)[1].tobytes(), media_type="image/png", meter=1000.0))

    def _graph(self, message: Any) -> None:
        known, stamp = graph(message), seconds(message.header.stamp)
        for kind, shade in _COLORS.items():
            things = known.of(kind)
            turns = [(0.0, 0.0, np.sin(e.yaw / 2), np.cos(e.yaw / 2)) for e in things]
            self._put(stamp, f"world/memory/{kind.value}", self._rerun.Boxes3D(
                centers=[_centre(e) for e in things], half_sizes=[np.array(e.size) / 2 for e in things],
                quaternions=turns, labels=[e.id for e in things], colors=[shade] * len(things)))

    def _step(self, message: Any) -> None:
        stamp, name = seconds(message.header.stamp), f"{message.step}  {call(message.call)}"
        if message.instruction != self._instruction:
            self._instruction = message.instruction
            self._say(stamp, _OK, f"\u201c{message.instruction}\u201d")
        if not message.finished:
            self._say(stamp, _OK, f"{name}  {message.reasoning}")
            return
        ended = result(message.outcome)
        why = " ".join(filter(None, (ended.code.name, ended.detail, ended.message)))
        self._say(stamp, _OK if ended.code.ok else _BAD, f"{name}  {why}")

    def _say(self, stamp: float, level: str, words: str) -> None:
        self._put(stamp, "plan", self._rerun.TextLog(words, level=level))


def _centre(e: Entity) -> tuple[float, float, float]:
    """Of its box [m]: furniture is placed by its footprint."""
    x, y, z = e.position
    return (x, y, z + e.size[2] / 2) if e.kind is Kind.FURNITURE else (x, y, z)
