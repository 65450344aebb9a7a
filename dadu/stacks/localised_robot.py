"""The simulated robot as it knows itself: where it is it gets from laser and wheel odometry, as over ROS."""

from __future__ import annotations

from dataclasses import replace

from dadu.core.geometry import Pose2
from dadu.core.robot import CameraFrame, Command, LaserScan, Observation, Robot
from dadu.navigation.localisation.localiser import Localiser
from dadu.navigation.localisation.mapping import MappingLocaliser
from dadu.robots.own_hits import mask_own_hits
from dadu.sim.odometry import Odometry


class LocalisedRobot:
    """Takes a simulated `Robot`'s place. Of the true pose only its increments go in, as wheels count them."""

    def __init__(self, robot: Robot, odometry: Odometry, localiser: Localiser | MappingLocaliser,
                 told: bool = False) -> None:
        """`told`: privilege: the robot knows where it truly is, and maps, where it does, from there."""
        self.description = robot.description
        self._robot, self._odometry, self._localiser, self._told = robot, odometry, localiser, told
        self._scanned = float("-inf")
        self._frame: CameraFrame | None = None
        self._scan: LaserScan | None = None

    def observe(self) -> Observation:
        """The newest observation, the base and the camera where they are taken to be. Call it in every tick: odometry
        counts from one call to the next."""
        sensed = self._robot.observe()
        odom = self._odometry.update(sensed.base_pose)
        known = sensed.base_pose * odom.inverse() if self._told else None
        if sensed.scan is not None and sensed.scan.stamp > self._scanned:
            self._scanned = sensed.scan.stamp
            self._scan = mask_own_hits(sensed.scan, self.description.footprint)
            self._localiser.update(odom, self._scan, known)
        base = sensed.base_pose if self._told else self._estimate(odom)
        return replace(sensed, base_pose=base, scan=self._scan, camera=self._placed(sensed, base))

    def act(self, command: Command) -> None:
        self._robot.act(command)

    def _estimate(self, odom: Pose2) -> Pose2:
        """Before the first scan: where odometry starts."""
        return odom if self._localiser.map_odom is None else self._localiser.map_odom * odom

    def _placed(self, sensed: Observation, base: Pose2) -> CameraFrame | None:
        """The newest picture, from where the camera is taken to have been; each is placed once, when it is taken."""
        taken = sensed.camera
        if taken is not None and (self._frame is None or taken.stamp != self._frame.stamp):
            T_base_camera = sensed.base_pose.inverse().matrix() @ taken.T_map_camera
            self._frame = replace(taken, T_map_camera=base.matrix() @ T_base_camera)
        return self._frame if taken is not None else None
