"""What every grasp candidate must respect, whatever the object."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.grasp import grasping
from dadu.manipulation.grasp.grasping import lift_way
from dadu.manipulation.grasp.shape import UprightBox
from dadu.manipulation.grasp.synthesis import Grasp, grasp_height, synthesise
from dadu.manipulation.grasp.target import Target
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.kinematics import Posture
from dadu.robots.manipulator_settings import GripperSettings, PickSettings
from dadu.robots.poses import tool_pose
from dadu.skills.scene import Scene
from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph

ROBOT, GRIPPER, PICK = load_robot("stretch"), GripperSettings(), PickSettings()

boxes = st.builds(lambda a, b, yaw, h, r: UprightBox(np.array([1.0, 2.0]), yaw, (a, a if r else b), 0.7, 0.7 + h, r),
                  st.floats(0.02, 0.2), st.floats(0.02, 0.2), st.floats(0, np.pi / 2), st.floats(0.02, 0.3),
                  st.booleans())


def grasps(box, heading=-np.pi / 2):
    return synthesise(ROBOT, box, heading, GRIPPER, PICK)


@examples(150)
@given(box=boxes, heading=st.floats(-np.pi, np.pi))
def test_fingers_span_the_object_and_stay_off_the_support(box, heading):
    for grasp in grasps(box, heading):
        T = grasp.T_map_tool
        np.testing.assert_allclose(T[:3, :3].T @ T[:3, :3], np.eye(3), atol=1e-9)
        across = np.arctan2(T[1, 1], T[0, 1])
        assert all(box.width(across) < opening <= ROBOT.aperture_max for opening in grasp.openings)
        tip = T[2, 3] - 0.02 * np.sin(grasp.tilt) - 0.012 * np.cos(grasp.tilt)
        assert tip > box.bottom
        assert np.linalg.norm(T[:2, 3] - box.centre) <= box.radius


@given(box=boxes)
def test_the_best_comes_first_and_level_only_for_what_is_tall_enough(box):
    found = grasps(box)
    assert [g.cost for g in found] == sorted(g.cost for g in found)
    if box.height < PICK.top_only_below:
        assert all(g.tilt > 0.5 for g in found)


def test_wider_than_the_gripper_has_no_grasp_unless_hollow():
    wide = UprightBox(np.zeros(2), 0.0, (0.3, 0.3), 0.7, 0.8)
    assert grasps(wide) == []
    bowl = UprightBox(np.zeros(2), 0.0, (0.16, 0.16), 0.7, 0.77, True, True)
    rim = grasps(bowl)
    assert rim and all(np.linalg.norm(g.T_map_tool[:2, 3]) == pytest.approx(0.075, abs=0.01) for g in rim)


@given(height=st.floats(0.02, 0.4), tilt=st.sampled_from((0.0, 0.6, 1.0, np.pi / 2)))
def test_grasp_height_leaves_room_below(height, tilt):
    assert grasp_height(height, tilt, GRIPPER) >= 0.02


@pytest.mark.parametrize(("height", "least"), [(0.8, 0.059), (1.185, 0.015)])
def test_on_a_high_board_it_is_lifted_as_far_as_the_arm_goes(height, least):
    """The highest board that the arm reaches lies just below where it ends."""
    body, seed = Manipulator.from_description(ROBOT), Posture(dict(ROBOT.home), 0.0)
    T = tool_pose((0.0, -0.7, height), ROBOT.arm_direction, 0.0)
    box = UprightBox(np.array([0.0, -0.7]), 0.0, (0.09, 0.09), height - 0.06, height + 0.06)
    frame = DetectionFrame(0.0, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), ())
    start, target = body.solve(T, seed, (-0.1, 0.1)), Target("vase_0", box, frame)
    way = lift_way(body, T, start, target, Grasp(T, (0.1,), 0.0, 0.0), 0.1)
    assert body.kinematics.tool_at(way[-1])[2, 3] >= height + least
    with pytest.raises(NoSolution):
        body.solve(tool_pose((0.0, -0.7, 1.25), ROBOT.arm_direction, 0.0), seed, (-0.1, 0.1))


def test_pads_close_on_a_low_thing_rather_than_near_its_top():
    tube = UprightBox(np.zeros(2), 0.2, (0.16, 0.05), 0.7, 0.735)
    best = grasps(tube)[0]
    assert best.tilt > 0.9 and best.T_map_tool[2, 3] < tube.top


BODY = Manipulator.from_description(ROBOT)


def chosen(box, obstacles, monkeypatch):
    """The grasp of a thing before the arm, among `obstacles` (N, 3) [m, base_link]."""
    monkeypatch.setattr(grasping, "obstacles", lambda *_: obstacles)
    frame = DetectionFrame(0.0, np.eye(4), np.eye(3), 8, 8, np.zeros((1, 1), np.float32), ())
    observation = Observation(0.0, Pose2(0.0, 0.0, 0.0), joints={**ROBOT.home, **ROBOT.stow})
    choosing = grasping.choose(BODY, observation, Scene(WorldGraph()), Target("thing", box, frame), FailureMemory())
    next(choosing)
    with pytest.raises(StopIteration) as end:
        while True:
            choosing.send(observation)
    return end.value.value[1]


def folds(box, plan, obstacles):
    scene = CollisionScene(body_model(BODY.kinematics), points=obstacles).carrying(grasping._load(box, plan.grasp))
    return grasping._rise_to_fold(BODY, plan, scene) is not None


@pytest.mark.parametrize(("bottom", "higher"), [(0.7, True), (1.1, False)])
def test_what_the_arm_cannot_lift_from_its_best_height_is_held_lower(monkeypatch, bottom, higher):
    thing = UprightBox(np.array([0.0, -0.7]), 0.0, (0.1, 0.1), bottom, bottom + 0.19)
    plan = chosen(thing, np.zeros((0, 3)), monkeypatch)
    assert (plan.grasp.T_map_tool[2, 3] > bottom + 0.09) == higher
    assert plan.grasp.tilt == 0.0 and BODY.kinematics.tool_at(plan.lift[-1])[2, 3] > plan.grasp.T_map_tool[2, 3] + 0.015


@pytest.mark.parametrize(("distance", "room"), [(0.35, True), (0.25, False)])
def test_a_grasp_is_preferred_with_which_there_is_room_to_fold_the_arm(monkeypatch, distance, room):
    """Beside a wall; where there is room with none, the best of the others is taken."""
    thing = UprightBox(np.array([0.0, -0.75]), 0.0, (0.06, 0.2), 0.75, 0.95)
    y, z = (part.ravel() for part in np.meshgrid(np.arange(-0.8, 0.4, 0.02), np.arange(0.5, 1.4, 0.02)))
    wall = np.column_stack([np.full(y.size, distance), y, z])
    assert folds(thing, chosen(thing, wall, monkeypatch), wall) == room
    monkeypatch.setattr(grasping, "_rise_to_fold", lambda body, plan, scene: 0.0)
    nearest = chosen(thing, wall, monkeypatch)
    monkeypatch.undo()
    assert not folds(thing, nearest, wall)


def test_a_long_thing_is_folded_in_over_an_armrest(monkeypatch):
    """The hand alone unfolds beside it, and lower."""
    case = UprightBox(np.array([0.0, -0.75]), np.pi / 2, (0.28, 0.1), 0.42, 0.62)
    x, y, z = (part.ravel() for part in np.meshgrid(np.arange(0.12, 0.3, 0.02), np.arange(-0.9, -0.4, 0.02),
                                                    np.arange(0.4, 0.62, 0.02)))
    plan = chosen(case, np.column_stack([x, y, z]), monkeypatch)
    assert plan.over > 0
    assert chosen(case, np.zeros((0, 3)), monkeypatch).over == 0
