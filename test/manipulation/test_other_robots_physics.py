"""pick and place with an arm of turning joints and the camera on its wrist: the UR3, and a robot that is only files."""

import numpy as np
import pytest

from dadu.manipulation.pick import pick
from dadu.manipulation.place import place
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.gaze import look_joints
from dadu.robots.kinematics import Posture
from dadu.robots.loader import robots_directory
from dadu.skills.outcome import Code
from dadu.world.graph import Edge, Relation

from .bench import Bench

RENAMED = {"shoulder_pan_joint": "turret", "wrist_3_joint": "roll", "wrist_3_link": "palm", "forearm_link": "boom",
           "grasp_center": "grip", "camera_color_optical_frame": "eye", "name: ur3": "name: mine",
           "ur3.urdf": "mine.urdf"}


@pytest.fixture(scope="module")
def variant(tmp_path_factory):
    """A robot of a user's own: other names, a taller column farther ahead, a wider base, weaker joints."""
    folder, texts = tmp_path_factory.mktemp("robots"), {}
    for kind in ("urdf", "yaml"):
        text = (robots_directory() / f"ur3.{kind}").read_text()
        for old, new in RENAMED.items():
            text = text.replace(old, new)
        texts[kind] = text
    moved = texts["urdf"].replace('<origin xyz="-0.11 -0.12 0.8719"/>', '<origin xyz="-0.05 -0.12 0.9019"/>')
    assert moved != texts["urdf"]
    (folder / "mine.urdf").write_text(moved.replace('effort="56"', 'effort="48"'))
    (folder / "mine.yaml").write_text(texts["yaml"].replace("[-0.28, ", "[-0.32, ").replace("carry_height: 1.07",
                                                                                         "carry_height: 1.10"))
    return folder / "mine.yaml"


def fetch_and_put_down(robot):
    bench = Bench(seed=3, robot=robot)
    try:
        near = bench.robot.reach[0] + 0.2
        counter, table = bench.graph["counter_0"], bench.graph["side_table_0"]
        bench.stand(bench.graph["soup_can_0"].position[:2], counter.yaw, near)
        result = bench.run(pick(bench.robot, bench.scene, "soup_can_0"))
        assert result.code is Code.SUCCEEDED, result
        bench.graph.set_support("soup_can_0", Edge("soup_can_0", Relation.HELD_BY, "robot"))
        bench.carry_to(bench.facing(table.position[:2], table.yaw, near + 0.05), "soup_can_0")
        result = bench.run(place(bench.robot, bench.scene, "on", "side_table_0"))
        assert result.code is Code.SUCCEEDED, result
        bench.advance(0.5)
        where = bench.position("soup_can_0")
        assert np.all(np.abs(where[:2] - table.position[:2]) < 0.3)
        assert where[2] == pytest.approx(table.surfaces[0].height + 0.05, abs=0.01)
    finally:
        bench.sim.close()


@pytest.mark.thorough
def test_the_ur3_fetches_and_puts_down():
    """As the robot below does, of which everything but the names is the UR3's."""
    fetch_and_put_down("ur3")


def test_a_third_robot_needs_no_code(variant):
    fetch_and_put_down(variant)


@pytest.mark.parametrize("point", [(1.5, 0.0, 0.5), (0.0, -0.9, 0.9), (0.4, -0.6, 0.75), (-0.4, -0.6, 0.75)])
def test_an_arm_with_the_camera_looks_without_touching_itself(point):
    body = Manipulator.from_description(load_robot("ur3"))
    joints = look_joints(body.kinematics, body.robot.stow, point)
    T = body.kinematics.camera(joints)
    seen = T[:3, :3].T @ (np.array(point) - T[:3, 3])
    assert np.arctan2(np.hypot(*seen[:2]), seen[2]) < 0.05
    assert not CollisionScene(body_model(body.kinematics)).contact(Posture(joints), 0.0)
    assert all(body.robot.joints[n].lower <= v <= body.robot.joints[n].upper for n, v in joints.items())
