"""The robot and its memory as whoever chooses skills sees them, over the graph's topics."""

from __future__ import annotations

from collections import deque

from dadu_interfaces.msg import DetectionArray
from dadu_nodes.support import qos
from dadu_nodes.support.listening.robot import RobotListener
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.ros_robot import DRIVER_TIMEOUT
from rclpy.node import Node

from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.robots.hand import holding, presses
from dadu.skills.effects import ROBOT
from dadu.world.graph import WorldGraph

_GRIPS = 3
"""looks at the gripper of which one is enough to count as holding: the effort dips while the robot moves"""


class Surroundings:
    """`look`, `feel` and `touch` are called in the node's thread; `graph` and `holding`, what they left, in any."""

    def __init__(self, node: Node, description: RobotDescription) -> None:
        self.description = description
        self.listener = SceneListener(node, map=True)
        self._robot = RobotListener(node, description)
        self._pictures, self._pictured = PolledSubscriptions(node), False
        self._pictures.add(DetectionArray, "perception/detections", self._on_picture, qos.NEWEST, raw=True)
        self._graph = WorldGraph()
        self._grips: deque[bool] = deque(maxlen=_GRIPS)

    def ready(self) -> bool:
        """True if there is a world graph."""
        self.listener.refresh()
        return self.listener.revision >= 0

    def mapped(self) -> bool:
        """True if there is a map."""
        return not self.listener.lacks_map()

    def graph(self) -> WorldGraph:
        return self._graph

    def holding(self) -> bool | None:
        return any(self._grips) if self._grips else None

    def driver_silent(self) -> bool:
        """True if the robot's driver, once heard, has been silent for so long that no skill would be begun."""
        return self._robot.silence() > DRIVER_TIMEOUT

    def pictured(self) -> bool:
        """True if a picture has come since this was asked last, and was looked at by the detector."""
        self._pictured = False
        self._pictures.poll()
        return self._pictured

    def touch(self) -> None:
        """Takes over what the fingers feel, and nothing else: that costs next to nothing."""
        grip = self._robot.grip()
        if grip is not None:
            self._grips.append(presses(*grip, self.description))

    def feel(self) -> Pose2 | None:
        """Takes over what the fingers feel; returns where the base is in the map, None where that is not known."""
        if not self._robot.ready():
            return None
        observation = self._robot.observe()
        self._grips.append(holding(observation, self.description))
        return observation.base_pose

    def look(self) -> Pose2 | None:
        """The same, and takes over the newest graph with the robot where it is now."""
        graph, pose = self.listener.refresh().graph, self.feel()
        if pose is not None and ROBOT in graph:
            graph = graph.copy()
            graph.change(ROBOT, position=(pose.x, pose.y, 0.0), yaw=pose.yaw)
        self._graph = graph
        return pose

    def _on_picture(self, message: bytes, _: int) -> None:
        """What is in it is for memory: it is not even unpacked here."""
        self._pictured = True
