"""How a skill begins after another was broken off with the hand closed, or about a handle."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2, apply
from dadu.core.robot import Command, Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.manipulation.carry import is_folded
from dadu.manipulation.recover_then import BACK, recover_then
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply as done
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene

ROBOT = load_robot("stretch")
BODY = Manipulator.from_description(ROBOT)
GRAPH = build_graph(load_house("flat"), "all")
LOADED = done(GRAPH, SkillCall("pick", ("apple_0",)))
OUT = {**ROBOT.home, "wrist_extension": 0.3, "joint_lift": 0.8, "joint_wrist_yaw": 0.0}
SOMEWHERE = Observation(1.0, Pose2(5.0, 3.0, 0.0), joints=OUT, aperture=0.06, grip_effort=20.0)


def the_skill(seen):
    """Ends at its first observation, which it leaves in `seen`."""
    seen.append((yield Command()))
    return SkillResult(Code.SUCCEEDED, "")


def begun(graph, observation, drives, way=None):
    """What the skill finds, on a body that does at once what it is told; `way` fills with the hand's places in the map
    where a motion ends."""
    seen = []
    skill = recover_then(ROBOT, Scene(graph), the_skill(seen), drives=drives)
    command = next(skill)
    for _ in range(3000):
        joints, aperture = observation.joints, observation.aperture
        if command.joints is not None:
            joints = {**joints, **command.joints.waypoints[-1].positions}
            if way is not None:
                way.append(apply(observation.base_pose.matrix(), BODY.kinematics.tool(joints)[:3, 3]))
        if command.gripper is not None:
            aperture = command.gripper.aperture
        effort = observation.grip_effort if command.gripper is None else 0.0  # of fingers at rest
        observation = replace(observation, stamp=observation.stamp + 0.05, joints=joints, aperture=aperture,
                              grip_effort=effort)
        try:
            command = skill.send(observation)
        except StopIteration:
            return seen[0]
    raise AssertionError("the skill never began")


def test_what_is_held_is_drawn_in_before_a_drive_and_held_on_to():
    found = begun(LOADED, SOMEWHERE, drives=True)
    assert is_folded(BODY, found) and found.grip_effort == SOMEWHERE.grip_effort


@pytest.mark.parametrize(("observation", "drives"), [
    (SOMEWHERE, False), (replace(SOMEWHERE, aperture=0.0, grip_effort=0.0), True),
    (replace(SOMEWHERE, joints=dict(ROBOT.stow)), True)], ids=["stays", "empty", "folded"])
def test_an_arm_that_need_not_is_not_moved(observation, drives):
    assert begun(LOADED, observation, drives).joints == observation.joints


def test_the_hand_lets_go_of_a_handle_but_of_no_thing():
    grasp = BODY.kinematics.tool(OUT)[:3, 3]
    part = GRAPH["fridge_0"].parts[0]
    x, y, _ = part.handle_at(0.5 * part.range) - apply(Pose2(0, 0, 0).matrix(), grasp)
    at_door = replace(SOMEWHERE, base_pose=Pose2(float(x), float(y), 0.0))
    found = begun(GRAPH, at_door, drives=False)
    assert found.grip_effort == 0.0 and is_folded(BODY, found)
    assert np.isclose(begun(LOADED, at_door, drives=False).grip_effort, SOMEWHERE.grip_effort)


def test_open_fingers_about_a_handle_back_out_the_way_the_hand_points():
    """Straight back along the arm they would push against the bar of a door that stands open."""
    turned = {**OUT, "joint_wrist_yaw": 0.7}
    T = BODY.kinematics.tool(turned)
    part = GRAPH["fridge_0"].parts[0]
    x, y, _ = part.handle_at(0.5 * part.range) - T[:3, 3]
    about = replace(SOMEWHERE, base_pose=Pose2(float(x), float(y), 0.0), joints=turned, aperture=0.168, grip_effort=0.0)
    way = []
    assert is_folded(BODY, begun(GRAPH, about, drives=True, way=way))
    first = way[0] - apply(about.base_pose.matrix(), T[:3, 3])
    assert first[1:] == pytest.approx(-BACK * T[1:3, 0], abs=0.005), "and the base does the rest, along x"
