"""What a robot's joints, fingers, laser and transforms tell, whoever moves it."""

from __future__ import annotations

import math
import time

from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert import sensors
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from rclpy.node import Node
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan as LaserScanMsg

from dadu.core.geometry import Pose2
from dadu.core.robot import LaserScan, Observation, RobotDescription
from dadu.core.transforms import TransformError

GRIPPER_JOINT = "gripper_aperture"
"""the joint of /joint_states whose position is the gap between the fingertips [m], its effort the closing force [N]"""


class RobotListener:
    """Hears of one robot, and takes in what has come when it is asked."""

    def __init__(self, node: Node, description: RobotDescription, *, scan: bool = False, newest: bool = True) -> None:
        """Subscribes the laser only where `scan` is wanted. `newest`: transforms are not asked for other times."""
        self.description = description
        self.transforms = TransformListener(node, newest=newest)
        self._joints: dict[str, float] = {}
        self._efforts: dict[str, float] = {}
        self._stamp = 0.0
        self._clock = node.get_clock()
        self._taken_in = 0.0
        """when joint states were last taken in, by the node's clock [s]: another machine's may differ"""
        self._heard = dict.fromkeys(description.arm_joints, time.monotonic())
        self._scan: LaserScan | None = None
        self._unread: LaserScanMsg | None = None
        """the newest scan, until somebody wants it"""
        # The newest counts, when a skill asks for it. Whoever only asks for the hand or for signs of life takes in the
        # joints alone: to unpack transforms and scans would be most of what an idle node costs.
        self._joint_states, self._scans = PolledSubscriptions(node), PolledSubscriptions(node)
        self._joint_states.add(JointState, "joint_states", self._on_joints, qos.SENSOR_NEWEST)
        if scan:
            self._scans.add(LaserScanMsg, "scan", self._on_scan, qos.SENSOR_NEWEST)

    def ready(self) -> bool:
        """True if all joints of the arm and localisation have been heard."""
        self._joint_states.poll()
        return self._heard.keys() <= self._joints.keys() and self._base_pose() is not None

    def silence(self) -> float:
        """Wall seconds since the drivers' last states of arm and gripper, of the one that has been silent longest."""
        self._joint_states.poll()
        return time.monotonic() - min(self._heard.values())

    def grip(self) -> tuple[float, float] | None:
        """Aperture [m] and closing force [N] of the fingers, 0 where nothing tells; None before they are heard."""
        self._joint_states.poll()
        if GRIPPER_JOINT not in self._joints:
            return None
        effort = self._efforts.get(GRIPPER_JOINT, 0.0)
        return self._joints[GRIPPER_JOINT], effort if math.isfinite(effort) else 0.0

    def observe(self) -> Observation:
        """Call only once `ready`. Errors: RuntimeError before."""
        self._joint_states.poll()
        if not self._joints:
            raise RuntimeError("no joint states have been heard yet: `ready` says when there is something to observe")
        efforts = {name: effort for name, effort in self._efforts.items() if math.isfinite(effort)}  # NaN: not known
        return Observation(
            stamp=self._stamp, base_pose=self._base_pose() or Pose2(0.0, 0.0, 0.0), joints=dict(self._joints),
            efforts=efforts, aperture=self._joints.get(GRIPPER_JOINT, 0.0), grip_effort=efforts.get(GRIPPER_JOINT, 0.0),
            scan=self._newest_scan(),
        )

    def _base_pose(self) -> Pose2 | None:
        try:
            return Pose2.from_matrix(self.transforms.tree.lookup("map", "base_link"))
        except TransformError:
            return None

    def _on_joints(self, message: JointState, _: int) -> None:
        """Arm, gripper and wheels may have publishers of their own: what a message leaves out stays as it was."""
        now = time.monotonic()
        self._taken_in = self._clock.now().nanoseconds * 1e-9
        self._stamp = seconds(message.header.stamp)
        self._joints.update(zip(message.name, message.position))
        self._efforts.update(zip(message.name, message.effort))
        self._heard.update((name, now) for name in message.name if name in self._heard or name == GRIPPER_JOINT)

    def _on_scan(self, message: LaserScanMsg, _: int) -> None:
        self._unread = message

    def _newest_scan(self) -> LaserScan | None:
        self._scans.poll()
        if self._unread is None:
            return self._scan
        try:
            T_base_laser = self.transforms.tree.lookup(
                "base_link", self.transforms.frames.here(self._unread.header.frame_id))
        except TransformError:
            return self._scan  # the robot's description has not arrived yet
        self._scan = sensors.scan(self._unread, T_base_laser, self.description.footprint)
        self._unread = None
        return self._scan
