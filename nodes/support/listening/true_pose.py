"""The privilege `pose`: where the robot truly is, as the simulator tells it."""

from __future__ import annotations

from typing import Any

from dadu_interfaces.msg import GroundTruth
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.transforms import TransformListener

from dadu.core.geometry import Pose2
from dadu.core.transforms import TransformError


class TruePose:
    """Keeps `map_odom`, the true pose of odom in map; None before the first is told."""

    def __init__(self, node: DaduNode[Any], transforms: TransformListener) -> None:
        self._tree = transforms.tree
        self.map_odom: Pose2 | None = None
        node.create_subscription(GroundTruth, "sim/ground_truth", self._on_truth, qos.STATE)

    def _on_truth(self, message: GroundTruth) -> None:
        try:
            odom = Pose2.from_matrix(self._tree.lookup("odom", "base_link", seconds(message.header.stamp)))
        except TransformError:
            return  # odometry of that moment has not arrived, or is gone already
        self.map_odom = Pose2(message.robot.x, message.robot.y, message.robot.theta) * odom.inverse()
