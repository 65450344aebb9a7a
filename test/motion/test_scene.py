"""What a body touches: by coal, against what plain geometry says."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2, apply
from dadu.motion.model import body_model
from dadu.motion.scene import CELL, MARGIN, SEEN, CollisionScene, Contact, Load, Obstacle
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Kinematics, Posture
from dadu.world.boxes import OrientedBox

BODIES = {name: Manipulator.from_description(load_robot(name)) for name in ("stretch", "ur3")}
EVERY = pytest.mark.parametrize("name", BODIES)


@EVERY
def test_at_rest_and_drawn_in_the_body_does_not_touch_itself(name):
    body, scene = BODIES[name], CollisionScene(body_model(BODIES[name].kinematics))
    assert scene.free([Posture(dict(body.robot.stow)), body.reaching], 0.08)


def test_a_folded_elbow_touches_itself():
    scene = CollisionScene(body_model(BODIES["ur3"].kinematics))
    hit = scene.contact(Posture({"elbow_joint": 2.9, "wrist_1_joint": 2.5, "shoulder_lift_joint": -1.5}), 0.05)
    assert hit is not None and hit.part != hit.other


def test_a_body_that_touches_itself_where_it_is_stowed_is_refused_by_both_links():
    robot = load_robot("ur3")
    folded = {**robot.stow, "elbow_joint": 2.9, "wrist_1_joint": 2.5, "shoulder_lift_joint": -1.5}
    with pytest.raises(ConfigError, match="links forearm_link, shoulder_link touch in the posture 'stow' or 'home'"):
        body_model(Kinematics(replace(robot, stow=folded)))


def test_links_that_touch_however_the_arm_is_bent_do_not_count_as_meeting(tmp_path):
    robot, shape = load_robot("ur3"), '<cylinder radius="0.055" length="0.14"/>'
    text = Path(robot.urdf).read_text()
    assert text.count(shape) == 1
    (tmp_path / "thick.urdf").write_text(text.replace(shape, '<sphere radius="0.26"/>'))
    thick, pair = replace(robot, urdf=str(tmp_path / "thick.urdf")), {"shoulder_link_0", "forearm_link_0"}
    assert pair in pairs(robot) and pair not in pairs(thick)


def pairs(robot):
    """Names of the shapes that may not meet, two by two."""
    geometry = body_model(Kinematics(robot)).geometry
    return [{geometry.geometryObjects[index].name for index in (pair.first, pair.second)}
            for pair in geometry.collisionPairs]


@EVERY
@given(data=st.data())
@settings(max_examples=25)
def test_a_box_is_touched_where_the_hand_is_and_only_there(name, data):
    """The base anywhere in map: everything moves along."""
    body, number = BODIES[name], st.floats(-3.0, 3.0)
    base = Pose2(data.draw(number), data.draw(number), data.draw(number))
    posture = Posture(body.reaching.joints, data.draw(st.floats(-0.4, 0.4)))
    grasp = apply(base.matrix() @ body.kinematics.tool_at(posture), np.zeros(3))

    def met(away, size=0.02):
        place = grasp + np.array([0.0, 0.0, away])
        box = Obstacle("thing", OrientedBox(place, np.eye(3), np.full(3, size)))
        return CollisionScene(body_model(body.kinematics), [box]).at(base).contact(posture, 0.0)
    assert met(0.0).other == "thing"
    assert met(0.6) is None


@given(offset=st.floats(-0.03, 0.03))
@settings(max_examples=25)
def test_margins_are_kept_to_boxes_and_points(offset):
    """A plane before the fingertips: met once it is nearer than the margin, of points give or take their cells."""
    body = BODIES["stretch"]
    model = body_model(body.kinematics)
    tip = fingertips()
    wall = OrientedBox(np.array([0.0, tip - offset - 0.05, 0.6]), np.eye(3), np.array([2.0, 0.1, 2.0]))
    x, z = np.meshgrid(np.arange(-0.3, 0.3, 0.005), np.arange(0.4, 0.9, 0.005))
    points = np.column_stack([x.ravel(), np.full(x.size, tip - offset), z.ravel()])
    if abs(offset - MARGIN) > 1e-4:
        hit = CollisionScene(model, [Obstacle("wall", wall)]).contact(body.reaching, 0.05)
        assert (hit is not None and hit.other == "wall") == (offset < MARGIN)
    if abs(offset - MARGIN) > CELL:
        assert (CollisionScene(model, points=points).contact(body.reaching, 0.05) is not None) == (offset < MARGIN)


@cache
def fingertips():
    """y [m, base_link] of the foremost thing that the reaching Stretch has: where a wall is first touched."""
    model, reaching = body_model(BODIES["stretch"].kinematics), BODIES["stretch"].reaching

    def met(y):
        wall = OrientedBox(np.array([0.0, y - 0.05, 0.6]), np.eye(3), np.array([2.0, 0.1, 2.0]))
        return CollisionScene(model, [Obstacle("wall", wall)]).contact(reaching, 0.05) is not None
    free, touched = -1.0, 0.0
    while touched - free > 1e-5:
        middle = (free + touched) / 2
        free, touched = (free, middle) if met(middle) else (middle, touched)
    return touched + MARGIN


def test_two_stray_points_are_noise():
    body = BODIES["stretch"]
    grasp = body.kinematics.tool(body.reaching.joints)[:3, 3]
    palm = grasp + np.array([0.0, 0.14, 0.0])
    stray = np.array([palm, palm + [0.01, 0.0, 0.0], palm - [0.01, 0.0, 0.0]])
    model = body_model(body.kinematics)
    assert CollisionScene(model, points=stray[:2]).contact(body.reaching, 0.05) is None
    assert CollisionScene(model, points=stray).contact(body.reaching, 0.05).other == SEEN


def test_what_is_held_counts_as_part_of_the_hand():
    body = BODIES["stretch"]
    below = body.kinematics.tool(body.reaching.joints)[:3, 3] - (0.0, 0.0, 0.2)
    box = Obstacle("table", OrientedBox(below, np.eye(3), np.full(3, 0.05)))
    model, load = body_model(body.kinematics), Load(np.eye(4), np.array([0.05, 0.05, 0.5]))
    assert CollisionScene(model, [box]).contact(body.reaching, 0.05) is None
    assert CollisionScene(model, [box]).carrying(load).contact(body.reaching, 0.05) == Contact("load", "table")
