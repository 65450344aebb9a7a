"""What a robot's joints, fingers, laser and transforms tell, whoever moves it."""

from __future__ import annotations

import time

from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert import sensors
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.transforms import TransformListener
from rclpy.node import Node
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan as LaserScanMsg

from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.robot import LaserScan, Observation, RobotDescription
from dadu.core.transforms import TransformError
from dadu.incoming.numbers import joint_states
from dadu.robots.set_points import APERTURE

GRIPPER_JOINT = APERTURE
"""the joint of /joint_states whose position is the gap between the fingertips [m], its effort the closing force [N]"""


class RobotListener:
    """Hears of one robot, and takes in what has come when it is asked."""

    def __init__(self, node: Node, description: RobotDescription, *, scan: bool = False, newest: bool = True) -> None:
        """Subscribes the laser only where `scan` is wanted. `newest`: transforms are not asked for other times."""
        self.description = description
        self.transforms = TransformListener(node, newest=newest)
        self._joints: dict[str, float] = {}
        self._efforts: dict[str, float] = {}
        self._intake = Intake.of(node)
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
        return self._joints[GRIPPER_JOINT], self._efforts.get(GRIPPER_JOINT, 0.0)

    def observe(self) -> Observation:
        """Call only once `ready`. Errors: RuntimeError before."""
        self._joint_states.poll()
        if not self._joints:
            raise RuntimeError("no joint states have been heard yet: `ready` says when there is something to observe")
        return Observation(
            stamp=self._now(), base_pose=self._base_pose() or Pose2(0.0, 0.0, 0.0), joints=dict(self._joints),
            efforts=dict(self._efforts), aperture=self._joints.get(GRIPPER_JOINT, 0.0),
            grip_effort=self._efforts.get(GRIPPER_JOINT, 0.0), scan=self._newest_scan(),
        )

    def silent(self) -> str:
        """Since when, and why, nothing usable is heard of the joints, in a sentence for whoever waits."""
        return f"the robot's driver has been silent for {self.silence():.0f} s{self._intake.why('joint_states')}"

    def doubts(self) -> str:
        """What came of joints and transforms and was of no use: empty, or in brackets."""
        lacking = [name for name in self.description.arm_joints if name not in self._joints]
        unheard = f" (not heard of: {', '.join(lacking)})" if lacking else ""
        return f"{unheard}{self._intake.why('joint_states')}{self._intake.why('/tf')}{self._intake.why('/tf_static')}"

    def _now(self) -> float:
        """[s] by the node's clock: what is waited for must not depend on whoever stamps what comes in."""
        return self._clock.now().nanoseconds * 1e-9

    def _base_pose(self) -> Pose2 | None:
        try:
            return Pose2.from_matrix(self.transforms.tree.lookup("map", "base_link"))
        except TransformError:
            return None

    def _on_joints(self, message: JointState, received: int) -> None:
        """Arm, gripper and wheels may have publishers of their own: what a message leaves out stays as it was. A joint
        without a number is as one that is not heard of; an effort without one is not known."""
        positions, efforts, left_out = joint_states(message.name, message.position, message.effort,
                                                    self.description.joints)
        self._intake.stamped("joint_states", seconds(message.header.stamp), received)
        if left_out:
            self._intake.refuse("joint_states", left_out)
        now, self._taken_in = time.monotonic(), self._now()
        self._joints.update(positions)
        for name in message.name[:len(message.effort)]:
            self._efforts.pop(name, None)
        self._efforts.update(efforts)
        ours = (*self.description.joints, GRIPPER_JOINT)
        self._heard.update((name, now) for name in positions if name in ours)

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
        unread, self._unread = self._unread, None
        try:
            self._scan = sensors.scan(unread, T_base_laser, self.description.footprint)
        except NotUsable as unusable:
            self._intake.refuse("scan", str(unusable))
        return self._scan
