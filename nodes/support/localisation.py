"""Feeds laser and odometry to the localiser and hands on the transform map -> odom."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert import sensors
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.listening.true_pose import TruePose
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.transforms import TransformListener, map_pose_soon
from dadu_nodes.support.wall import LATE, SILENCE
from dadu_nodes.support.work import WorkReporter
from geometry_msgs.msg import PoseWithCovarianceStamped
from numpy.typing import ArrayLike
from sensor_msgs.msg import LaserScan

from dadu.core.geometry import Pose2
from dadu.core.received_pose import PoseRefused
from dadu.core.transforms import TransformError
from dadu.navigation.localisation.localiser import Localiser, load_correction, save_correction
from dadu.navigation.localisation.mapping import MappingLocaliser
from dadu.robots.own_hits import COVERED
from dadu.sim.time_sync import Work

_UNSURE = 0.3
"""standard deviation of where it is that is [m]"""
_SAVE = 1.0
"""[s] between two copies on disk"""


class Localisation:
    """Corrects with every scan; ``/initialpose`` (RViz) sets the pose by hand."""

    def __init__(self, node: DaduNode[Any], transforms: TransformListener, localiser: Localiser | MappingLocaliser,
                 footprint: ArrayLike, publish: Callable[[Pose2, float], None], truth: TruePose | None = None) -> None:
        """`footprint`: (N, 2) [m, base_link], what the laser may see of the robot itself. `publish` gets the pose of
        odom in map and the scan's stamp [s]; `truth`: who knows it, by privilege."""
        self._node, self._transforms, self._publish = node, transforms, publish
        self._localiser, self._truth, self._footprint = localiser, truth, footprint
        self._covered = False
        self._file = node.run_dir / "map_odom.yaml"
        self._localiser.map_odom = load_correction(self._file)
        self._saved = 0.0
        self._work = WorkReporter(node, Work.SCAN)
        self._heard, self._unplaced = time.monotonic(), ""
        node.health.check(self._blind, error=True)
        node.health.check(lambda: self._unplaced, error=True, patience=SILENCE)
        if truth is None:
            node.health.check(self._doubt, error=False, patience=LATE)
        for topic in ("scan", "map"):
            node.intake.single(topic)
        self._scans = SensorSubscription(node, LaserScan, "scan", self._on_scan, qos.SENSOR)
        node.create_subscription(PoseWithCovarianceStamped, "initialpose", self._on_pose, qos.STATE)

    def _blind(self) -> str:
        silence = time.monotonic() - self._heard
        if silence <= SILENCE:
            return ""
        return f"no scan for {silence:.0f} s{self._node.intake.why('scan')}; is the laser's driver running?"

    def _doubt(self) -> str:
        """What is doubtful about where the robot is."""
        if self._localiser.map_odom is None:
            return ""
        if self._covered:
            return COVERED
        if self._localiser.share < self._localiser.settings.lost_below:
            return (f"the map explains {100 * self._localiser.share:.0f} % of what the laser sees: the robot may be "
                    "elsewhere; tell it by /initialpose")
        off = self._localiser.uncertainty
        return f"where the robot is is uncertain by {off:.1f} m; let it drive a little" if off > _UNSURE else ""

    def _on_scan(self, message: LaserScan) -> None:
        self._node.intake.stamped("scan", seconds(message.header.stamp))
        try:
            self._correct(message)
        finally:  # a simulator waits for the others
            self._work.until(seconds(message.header.stamp))
        self._heard = time.monotonic()

    def _correct(self, message: LaserScan) -> None:
        stamp = seconds(message.header.stamp)
        try:
            tree, laser = self._transforms.tree, self._transforms.frames.here(message.header.frame_id)
            odom = Pose2.from_matrix(tree.lookup("odom", "base_link", stamp))
            T_base_laser = tree.lookup("base_link", laser)
        except TransformError as error:  # odometry and the robot's description have not both arrived yet
            self._unplaced = f"scans cannot be placed, and the robot not localised: {error}"
            return
        self._unplaced = ""
        if self._truth is not None and self._truth.map_odom is None:
            return
        known = self._truth.map_odom if self._truth is not None else None
        with self._node.health.timed("localise"):
            scan = sensors.scan(message, T_base_laser, self._footprint)
            map_odom = self._localiser.update(odom, scan, known)
        self._covered = scan.covered
        self._publish(map_odom, stamp)
        self._node.health.set("scan_explained", self._localiser.share)
        if stamp >= self._saved + _SAVE or stamp < self._saved:
            self._saved = stamp
            self._save(map_odom)

    def _save(self, map_odom: Pose2) -> None:
        try:
            save_correction(self._file, map_odom)
        except OSError as error:  # a full disk costs a restart its place, not this node its life
            self._node.get_logger().warning(f"where the robot is cannot be kept: {error}", throttle_duration_sec=60.0)

    def _on_pose(self, message: PoseWithCovarianceStamped) -> None:
        executor = self._node.executor
        if executor is not None:  # a callback that waits would hold up all others
            executor.create_task(self._start_from, message)

    async def _start_from(self, message: PoseWithCovarianceStamped) -> None:
        try:
            pose = await map_pose_soon(self._node, self._transforms, message.header, message.pose.pose)
        except PoseRefused as refused:
            self._node.get_logger().warning(f"/initialpose refused: {refused}")
            return
        self._localiser.set_pose(pose)
