"""Listens to ``/tf`` and ``/tf_static`` (tf2_ros has no wheel) and looks transforms up."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert.frames_wire import read_frames
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.waiting import sleep
from dadu_nodes.support.wall import LATE, LOOK
from geometry_msgs.msg import Pose
from rclpy.node import Node
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.received_pose import PoseNotYet, PoseRefused, received_pose
from dadu.core.transforms import TransformTree


class TransformListener:
    """Keeps `tree` up to date, in which frames have our own names; `frames` translates those of messages."""

    def __init__(self, node: Node, history: float = 10.0, *, newest: bool = False) -> None:
        """`newest`: nobody asks for how it was at a given time."""
        self._subscriptions = PolledSubscriptions(node)
        self._subscriptions.add(TFMessage, "/tf", self._moving, qos.TF_NEWEST if newest else qos.TF,
                                raw=True)
        self._subscriptions.add(TFMessage, "/tf_static", self._fixed, qos.TF_STATIC, raw=True)
        self._intake = Intake.of(node)
        self.tree = _LiveTree(history, self._subscriptions.poll)
        self.frames = FrameNames.from_node(node)

    def close(self) -> None:
        self._subscriptions.close()

    def _moving(self, message: bytes, _: int) -> None:
        here = self.frames.here
        for (parent, child, translation, rotation), stamp in read_frames(message):
            try:
                self.tree.set(here(parent), here(child), translation, rotation, stamp)
            except NotUsable as unusable:  # the others of the message are as good as before
                self._intake.refuse("/tf", str(unusable))

    def _fixed(self, message: bytes, _: int) -> None:
        here = self.frames.here
        for (parent, child, translation, rotation), _stamp in read_frames(message):
            try:
                self.tree.set_static(here(parent), here(child), translation, rotation)
            except NotUsable as unusable:
                self._intake.refuse("/tf_static", str(unusable))


def map_pose(transforms: TransformListener, header: Header, pose: Pose) -> Pose2:
    """A stamped pose of a message in map; a stamp of zero means now. Errors: PoseRefused."""
    p, q, stamp = pose.position, pose.orientation, seconds(header.stamp)
    return received_pose(transforms.tree, "map", transforms.frames.here(header.frame_id), (p.x, p.y, p.z),
                         (q.x, q.y, q.z, q.w), stamp or None)


async def map_pose_soon(node: Node, transforms: TransformListener, header: Header, pose: Pose) -> Pose2:
    """`map_pose`; where the stamp lies after the newest transforms they are waited for a while, as tf2's timeout would.
    Errors: PoseRefused."""
    end = time.monotonic() + LATE
    while True:
        try:
            return map_pose(transforms, header, pose)
        except PoseNotYet as early:
            if time.monotonic() > end:
                raise PoseRefused(f"{early}, and {LATE:g} s have brought nothing newer") from None
        await sleep(node, LOOK)


class _LiveTree(TransformTree):
    """Takes in what has arrived before it answers: nobody is woken by transforms that nobody asks for."""

    def __init__(self, history: float, refresh: Callable[[], None]) -> None:
        super().__init__(history)
        self._refresh = refresh

    def lookup(self, target: str, source: str, stamp: float | None = None) -> np.ndarray:
        self._refresh()
        return super().lookup(target, source, stamp)
