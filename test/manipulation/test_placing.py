"""From where base placement sends the robot, the arm gets what it holds to a free spot: geometry alone, no physics."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2, transform
from dadu.core.robot import LaserScan, Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.manipulation.carry import folded
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.placing.planning import choose
from dadu.manipulation.placing.receptacle import check_place
from dadu.manipulation.room import FOLDING, SIDE, drive_range, room_to_fold
from dadu.navigation.standing.base_placement import place_base
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.poses import tilt_of
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.scene import Scene
from dadu.world.boxes import OrientedBox
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Edge, Entity, Kind, Relation

BODY = Manipulator.from_description(load_robot("stretch"))
HOUSE = load_house("apartment")
MAP = rasterize(HOUSE)
REMOTE, CAN = (0.045, 0.169, 0.029), (0.066, 0.066, 0.12)


@pytest.fixture
def scene() -> Scene:
    return Scene(graph=build_graph(HOUSE, "all"), map=MAP)


def hold(scene, size):
    scene.graph.put(Entity("held", Kind.OBJECT, "thing", size=size))
    scene.graph.set_support("held", Edge("held", Relation.HELD_BY, "robot"))


def put(scene, id, on, at, size):
    """A box stands on furniture, `at` (2,) [m] in the surface's frame."""
    surface = scene.graph[on].surfaces[0]
    x, y = surface.pose.apply(np.array(at))
    scene.graph.put(Entity(id, Kind.OBJECT, "thing", (x, y, surface.height + size[2] / 2), surface.pose.yaw, size))
    scene.graph.set_support(id, Edge(id, Relation.ON, on, part=surface.name))


def faces(box: OrientedBox) -> np.ndarray:
    """(N, 3) [m]: sides and top of a box, a point every 2 cm."""
    axes = [np.linspace(-0.5, 0.5, max(2, round(extent / 0.02) + 1)) for extent in box.size]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 3)
    return box.centre + (grid[(np.abs(grid) == 0.5).any(axis=1)] * box.size) @ box.R.T


def seen(scene, furniture) -> DetectionFrame:
    """What a perfect eye sees of furniture and what stands on it."""
    boxes = [scene.graph[furniture].box, *(thing.box for thing in scene.graph.contents(furniture))]
    things = tuple(Detection("thing", 1.0, (0, 0, 9, 9), 9, faces(box), box.centre, box.size) for box in boxes)
    return DetectionFrame(1.0, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), things)


def planned(scene, on, size, aperture, tilt):
    """Where the robot is sent, and how the arm gets there from there. Errors: SkillFailed."""
    hold(scene, size)
    base = place_base(scene, BODY.robot, on, "place", relation="on", start=Pose2(*HOUSE.robot.pose))
    assert isinstance(base, Pose2), base
    posture = folded(BODY, Posture({**BODY.robot.home, "joint_wrist_pitch": -tilt}))
    here = Observation(1.0, base, joints=dict(posture.joints), aperture=aperture, grip_effort=20.0)
    goal = check_place(BODY, here, scene, "on", on, "")
    choosing = choose(BODY, here, scene, goal, seen(scene, on), FailureMemory())
    next(choosing)
    while True:
        try:
            choosing.send(here)
        except StopIteration as end:
            return base, end.value[1]


def lies(plan, size):
    """The outline's box of what is put down where it was planned, its first side along the hand."""
    return OrientedBox.upright(*plan.spot.position, plan.spot.heading, size)


def test_a_remote_goes_beside_the_lamp_of_a_small_table(scene):
    put(scene, "lamp_9", "side_table_0", (0.06, 0.0), (0.17, 0.17, 0.34))
    scene.graph.remove("lamp_0")
    _, plan = planned(scene, "side_table_0", REMOTE, REMOTE[0], 0.6)
    box = lies(plan, (REMOTE[1], REMOTE[0], REMOTE[2]))
    assert box.away(scene.graph["lamp_9"].box.outline).min() >= 0.02
    assert scene.graph["lamp_9"].box.away(box.outline).min() >= 0.02
    assert np.all(scene.graph["side_table_0"].box.away(box.outline) == 0.0)


def test_the_base_goes_to_that_end_of_the_table_where_there_is_room(scene):
    table = scene.graph["coffee_table_0"]
    for i, along in enumerate(np.arange(-0.5, 0.2, 0.12)):
        for j, across in enumerate((-0.2, 0.0, 0.2)):
            put(scene, f"box_{i}{j}", table.id, (across, along), (0.1, 0.1, 0.2))
    _, plan = planned(scene, table.id, CAN, CAN[0], 0.0)
    assert table.surfaces[0].pose.inverse().apply(plan.spot.position[:2])[1] > 0.2
    assert not plan.over_rim or len(plan.descent) > 2


def test_over_what_stands_in_the_way(scene):
    """A wall of low things along every edge: the arm comes in over it and goes straight down behind."""
    table = scene.graph["coffee_table_0"]
    length, width = np.array(table.surfaces[0].size) / 2
    for i, (x, y, size) in enumerate([(length - 0.03, 0, (0.05, 2 * width, 0.12)),
                                      (0.03 - length, 0, (0.05, 2 * width, 0.12)),
                                      (0, width - 0.03, (2 * length, 0.05, 0.12)),
                                      (0, 0.03 - width, (2 * length, 0.05, 0.12))]):
        put(scene, f"wall_{i}", table.id, (x, y), size)
    _, plan = planned(scene, table.id, (0.05, 0.05, 0.05), 0.05, 0.6)
    top = table.surfaces[0].height
    hover = BODY.kinematics.tool_at(plan.entry.goal)[2, 3]
    assert plan.over_rim and hover > top + 0.12


def test_the_base_stays_where_the_hand_can_swing_out_before_a_wall():
    """A wall 0.3 m before the base and one 1 m behind it, as the laser sees them."""
    mount = transform(np.eye(3), (0.0, 0.0, 0.17))
    ranges = np.array([BODY.robot.footprint[:, 0].max() + 0.3, 1.0 - BODY.robot.footprint[:, 0].min()], np.float32)
    scan = LaserScan(1.0, ranges, 0.0, np.pi, 10.0, mount)
    here = Observation(1.0, Pose2(0, 0, 0), joints=dict(BODY.robot.home), scan=scan)
    behind, ahead = room_to_fold(BODY, here, 0.35)
    assert (behind, ahead) == (pytest.approx(-0.35), pytest.approx(0.3 - SIDE - FOLDING, abs=1e-6))
    assert ahead < drive_range(BODY, here)[1]


def test_as_high_as_the_arm_gets(scene):
    _, plan = planned(scene, "filing_cabinet_0", REMOTE, REMOTE[0], 0.6)
    assert plan.spot.position[2] == pytest.approx(1.0)


def test_what_the_hand_cannot_lift_so_high_is_said_to_be_too_far(scene):
    with pytest.raises(SkillFailed) as failure:
        planned(scene, "filing_cabinet_0", (0.15, 0.21, 0.03), 0.15, np.pi / 2)
    assert failure.value.result.code is Code.TOO_FAR and failure.value.result.detail == Detail.IK_FAILED


def test_a_free_spot_that_nothing_can_be_brought_to_is_blocked(scene):
    """A canopy of posts, too dense to reach through and too high to reach over."""
    table = scene.graph["side_table_0"]
    scene.graph.remove("lamp_0")
    length, width = np.array(table.surfaces[0].size) / 2
    for i, (x, y, size) in enumerate([(length, 0, (0.02, 2 * width, 0.9)), (-length, 0, (0.02, 2 * width, 0.9)),
                                      (0, width, (2 * length, 0.02, 0.9)), (0, -width, (2 * length, 0.02, 0.9))]):
        put(scene, f"wall_{i}", table.id, (x, y), size)
    with pytest.raises(SkillFailed) as failure:
        planned(scene, table.id, CAN, CAN[0], 0.0)
    assert failure.value.result.code is Code.EXECUTION_FAILED and failure.value.result.detail == Detail.COLLISION
    assert "go_to(side_table_0)" in failure.value.result.message


@pytest.mark.parametrize("tilt", [1.0, np.pi / 2])
def test_a_hand_that_points_down_is_less_steep_under_a_board_that_the_picture_leaves_out(scene, tilt):
    """Boards 27 cm apart: fingers that point down would meet the one above. What is put down leaning falls back, unless
    it is as tall as it is long."""
    shelf = scene.graph["side_table_0"]
    scene.graph.remove("lamp_0")
    scene.graph.put(replace(shelf, surfaces=(replace(shelf.surfaces[0], clearance=0.27),)))
    _, plan = planned(scene, shelf.id, (0.02, 0.12, 0.02), 0.02, tilt)
    assert tilt_of(BODY.kinematics.tool_at(plan.entry.goal)) == pytest.approx(0.6, abs=0.05)
    assert plan.over_rim, "its near end stays below the hand until it falls back"
    with pytest.raises(SkillFailed) as failure:
        planned(scene, shelf.id, CAN, CAN[0], tilt)
    assert failure.value.result.detail == Detail.COLLISION
    assert planned(scene, shelf.id, CAN, CAN[0], 0.0)
