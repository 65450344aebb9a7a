"""Refusals before anything moves: the code, and a sentence that says what to do instead."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.manipulation.articulate import articulate
from dadu.manipulation.pick import pick
from dadu.manipulation.place import place
from dadu.robots import load_robot
from dadu.robots.hand import holding
from dadu.skills.outcome import Code
from dadu.skills.scene import Scene
from dadu.world.graph import Edge, Relation

ROBOT = load_robot("stretch")
EMPTY = Observation(1.0, Pose2(2.45, 1.2, 0.0), joints=dict(ROBOT.home))
FULL = replace(EMPTY, aperture=0.06, grip_effort=20.0)


@pytest.fixture
def scene() -> Scene:
    return Scene(graph=build_graph(load_house("flat"), "all"))


def outcome(skill, observation):
    """The result of a skill that must end at its first observation."""
    next(skill)
    with pytest.raises(StopIteration) as end:
        skill.send(observation)
    return end.value.value


def test_holding_needs_both_aperture_and_effort():
    assert holding(FULL, ROBOT)
    assert not holding(replace(FULL, aperture=0.0), ROBOT)
    assert not holding(replace(FULL, grip_effort=3.0), ROBOT)


def test_pick(scene):
    assert outcome(pick(ROBOT, scene, "soup_can_0"), FULL).code is Code.HAND_FULL
    unknown = outcome(pick(ROBOT, scene, "unicorn_0"), EMPTY)
    assert unknown.code is Code.UNKNOWN_TARGET and "apple_0" in unknown.message
    closed = outcome(pick(ROBOT, scene, "milk_0"), EMPTY)
    assert closed.code is Code.CONTAINER_CLOSED and "open(fridge_0)" in closed.message
    far = outcome(pick(ROBOT, scene, "apple_0"), replace(EMPTY, base_pose=Pose2(8.0, 5.0, 0.0)))
    assert far.code is Code.TOO_FAR and far.target == "apple_0"


def test_place(scene):
    assert outcome(place(ROBOT, scene, "on", "counter_0"), EMPTY).code is Code.HAND_EMPTY
    unknown = outcome(place(ROBOT, scene, "on", "moon"), FULL)
    assert unknown.code is Code.UNKNOWN_TARGET and "counter_0" in unknown.message
    assert outcome(place(ROBOT, scene, "in", "counter_0"), FULL).code is Code.NOT_INTERACTIVE
    assert outcome(place(ROBOT, scene, "in", "fridge_0"), FULL).code is Code.CONTAINER_CLOSED
    assert outcome(place(ROBOT, scene, "on", "sofa_0"), FULL).code is Code.TOO_FAR
    scene.graph.set_support("mug_0", Edge("mug_0", Relation.HELD_BY, "robot"))
    lost = outcome(place(ROBOT, scene, "on", "counter_0"), EMPTY)
    assert lost.code is Code.OBJECT_LOST and lost.target == "mug_0"


def test_articulate(scene):
    assert outcome(articulate(ROBOT, scene, "fridge_0"), FULL).code is Code.HAND_FULL
    assert outcome(articulate(ROBOT, scene, "moon"), EMPTY).code is Code.UNKNOWN_TARGET
    nothing = outcome(articulate(ROBOT, scene, "counter_0"), EMPTY)
    assert nothing.code is Code.NOT_INTERACTIVE and "fridge_0" in nothing.message
    other = outcome(articulate(ROBOT, scene, "fridge_0", "lid"), EMPTY)
    assert other.code is Code.NOT_INTERACTIVE and "door" in other.message
    away = replace(EMPTY, base_pose=Pose2(8.0, 5.0, 0.0))
    assert outcome(articulate(ROBOT, scene, "fridge_0"), away).code is Code.TOO_FAR


def test_a_stopped_skill_ends_quietly(scene):
    skill = pick(ROBOT, scene, "soup_can_0")
    next(skill)
    command = skill.send(EMPTY)
    assert command is not None
    skill.close()
    assert np.isfinite(EMPTY.stamp)
