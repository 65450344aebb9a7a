"""What stands in the arm's way beside what the camera sees."""

import numpy as np
import pytest

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import LaserScan, Observation
from dadu.manipulation.room import NEAR, WALL, ceiling, walls
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.world.graph import Entity, Kind, Surface, WorldGraph

TIP = 0.03
"""from the grasp centre to the fingertips [m]"""
BODY = Manipulator.from_description(load_robot("stretch"))


def seen_by_laser(*distances):
    """At 0, 90, 180... degrees from straight ahead; None: nothing."""
    ranges = np.array([np.inf if d is None else d for d in distances], np.float32)
    return Observation(1.0, Pose2(2.0, 1.0, np.pi / 2), scan=LaserScan(1.0, ranges, 0.0, np.pi / 2, 10.0, np.eye(4)))


def test_a_wall_behind_the_hand_is_as_high_as_the_arm_reaches():
    points = walls(seen_by_laser(None, 0.5), WorldGraph([]))
    np.testing.assert_allclose(points[:, :2], np.tile((1.5, 1.0), (len(WALL), 1)), atol=1e-6)
    np.testing.assert_allclose(points[:, 2], WALL)


def test_furniture_is_as_high_as_it_is_known_to_be():
    table = Entity("table_0", Kind.FURNITURE, "table", (1.2, 1.0, 0.0), size=(0.5, 1.0, 0.7))
    assert not len(walls(seen_by_laser(None, 0.5), WorldGraph([table])))
    assert len(walls(seen_by_laser(None, 0.5, 0.6), WorldGraph([table]))) == len(WALL)


def test_what_is_far_off_is_in_nobodys_way():
    assert not len(walls(seen_by_laser(NEAR + 0.1, None), WorldGraph([])))
    assert not len(walls(Observation(1.0, Pose2(0.0, 0.0, 0.0)), WorldGraph([])))


@pytest.mark.parametrize("lift", np.arange(0.4, 1.0, 0.07))
def test_fingers_do_not_pass_into_a_wall(lift):
    """At any height; a finger is as thick as the rays at a wall are apart."""
    angles = np.radians(np.arange(-90.0, 90.0))
    scan = LaserScan(1.0, (0.4 / np.cos(angles)).astype(np.float32), -np.pi / 2, np.radians(1.0), 10.0, np.eye(4))
    here = Observation(1.0, Pose2(2.0, 1.0, 0.5), scan=scan)
    points = apply(inverse(here.base_pose.matrix()), walls(here, WorldGraph([])))
    folding = {**BODY.robot.home, "joint_lift": lift, "joint_wrist_yaw": np.pi / 2}
    scene = CollisionScene(body_model(BODY.kinematics), points=points)
    drives = np.arange(-0.6, 0.2, 0.005)
    touching = [drive for drive in drives if scene.contact(Posture(folding, drive), 0.08)]
    tips = 0.4 - BODY.kinematics.tool(folding)[0, 3] - TIP
    assert touching[0] == pytest.approx(tips, abs=0.02)
    assert touching == list(drives[drives >= touching[0]]), "and no finger passes between the wall's points"


def test_a_board_over_a_surface_is_known_where_nobody_looks():
    shelf = Surface("board_1", Pose2(1.0, 2.0, np.pi / 2), 0.4, (0.3, 1.0), 0.27)
    (_, board), = ceiling(Pose2(0.0, 0.0, 0.0), shelf)
    assert board.bottom == pytest.approx(0.67)
    np.testing.assert_allclose((board.corners[:, :2].min(axis=0), board.corners[:, :2].max(axis=0)),
                               ((0.5, 1.85), (1.5, 2.15)))
    assert not ceiling(Pose2(0.0, 0.0, 0.0), Surface("top", Pose2(1.0, 2.0, 0.0), 0.4, (0.3, 1.0), 2.0))
