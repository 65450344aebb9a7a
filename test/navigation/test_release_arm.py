"""A hand that a skill left at a handle lets go of it before anybody drives."""

from dataclasses import replace

import numpy as np
import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2, apply
from dadu.navigation.costmap import Costmap
from dadu.navigation.go_to import Drive, go_to
from dadu.robots import load_robot
from dadu.robots.kinematics import Kinematics
from dadu.skills.generator import run
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import Articulation, Entity, Kind, WorldGraph

ROBOT, GOAL = load_robot("stretch"), Pose2(4.0, 2.0, 0.0)
BAR = 0.02


class Gripping(StandIn):
    """Fingers about a bar, which is all that keeps them apart; notes where the arm was when they opened."""

    aperture, let_go_at = BAR, None

    def observe(self):
        closed = self.aperture <= BAR
        return replace(super().observe(), aperture=self.aperture, grip_effort=ROBOT.grip_force if closed else 0.0)

    def act(self, command):
        if command.gripper is not None and command.gripper.aperture > BAR and self.let_go_at is None:
            self.aperture, self.let_go_at = command.gripper.aperture, dict(self.joints)
        super().act(command)


class Nav2:
    """Puts the robot where it is sent."""

    def __init__(self, robot):
        self.robot = robot

    def send(self, pose):
        self.robot.pose = pose

    def result(self):
        return SkillResult(Code.SUCCEEDED, "there")

    def cancel(self):
        pass


@pytest.fixture
def robot():
    robot = Gripping(ROBOT, Plane.room(6, 4), Pose2(2.0, 2.0, 0.0))
    robot.joints.update({"wrist_extension": 0.3, "joint_lift": 0.8, "joint_wrist_yaw": 0.0})
    return robot


def at_a_handle(robot, away=0.0):
    """A scene with a fridge whose handle is in the hand of `robot`, or that far `away` [m]."""
    fingers = apply(robot.pose.matrix() @ Kinematics(ROBOT).tool(robot.joints), np.zeros(3)) - (0.0, away, 0.0)
    door = Articulation("door", "hinge", tuple(fingers - (0.5, 0.0, 0.0)), (0.0, 0.0, -1.0), tuple(fingers),
                        (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), range=1.7, value=0.0)
    fridge = Entity("fridge_0", Kind.FURNITURE, "fridge", tuple(fingers - (0.2, 0.4, 0.0)), size=(0.6, 0.6, 1.6),
                    parts=(door,))
    return Scene(WorldGraph([fridge]), map=robot.plane.occupancy())


@pytest.mark.parametrize("by", ["its own", "Nav2"])
def test_a_hand_at_a_handle_opens_before_the_arm_is_drawn_in(robot, by):
    scene = at_a_handle(robot)
    drive = Drive(Costmap(scene.map, ROBOT), navigator=Nav2(robot) if by == "Nav2" else None)
    assert run(go_to(ROBOT, scene, GOAL, drive), robot, robot.advance, timeout=120).ok
    assert robot.let_go_at is not None and robot.let_go_at["wrist_extension"] == 0.3
    assert robot.joints["wrist_extension"] == pytest.approx(0.0, abs=0.03)


def test_what_is_held_elsewhere_is_kept(robot):
    scene = at_a_handle(robot, away=0.5)
    assert run(go_to(ROBOT, scene, GOAL), robot, robot.advance, timeout=120).ok
    assert robot.let_go_at is None
