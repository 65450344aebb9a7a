"""Ways between postures: free, within limits, the same for a seed, and refused with the name of what is in the way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.motion.model import body_model
from dadu.motion.plan import Blocked, joint_way, plan_entry
from dadu.motion.rrt import connect
from dadu.motion.scene import CollisionScene, Obstacle
from dadu.robots import load_robot
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.poses import tool_pose
from dadu.world.boxes import OrientedBox

HERE = Pose2(0.0, 0.0, 0.0)
LOW, HIGH = np.zeros(2), np.full(2, 40.0)


@given(gap=st.integers(2, 37), seed=st.integers(0, 5), back=st.booleans())
@settings(max_examples=15)
def test_a_gap_in_a_wall_is_found_and_what_is_found_is_free(gap, seed, back):
    def free(x, give=0.0):
        return not 18 + give <= x[0] <= 22 - give or abs(x[1] - gap) < 3 + give
    ends = np.array([2.0, 20.0]), np.array([38.0, 20.0])
    start, goal = ends[::-1] if back else ends
    way = connect(free, start, goal, LOW, HIGH, seed=seed, iterations=3000)
    assert way is not None and np.array_equal(way[0], start) and np.array_equal(way[-1], goal)
    for a, b in zip(way, way[1:], strict=False):
        assert all(free(a + (b - a) * share, 1.0) for share in np.linspace(0, 1, 200)), "between two checks: touched"
        assert (a >= LOW).all() and (b <= HIGH).all()
    again = connect(free, start, goal, LOW, HIGH, seed=seed, iterations=3000)
    assert len(again) == len(way) and all(map(np.array_equal, way, again))


def test_no_way_is_none_after_a_number_of_tries():
    asked = []
    assert connect(lambda x: bool(asked.append(1)) or not 18 <= x[0] <= 22, np.array([2.0, 2.0]),
                   np.array([38.0, 2.0]), LOW, HIGH, iterations=50) is None
    assert len(asked) < 50 * 10


@pytest.mark.parametrize("name", ["stretch", "ur3"])
def test_folded_to_a_table_and_named_where_something_stands_before_it(name):
    body = Manipulator.from_description(load_robot(name))
    model, now = body_model(body.kinematics), Posture({**body.robot.home, **body.robot.stow})
    goal = body.solve(tool_pose((0.0, -0.65, 0.85), body.robot.arm_direction, 0.0),
                      now.with_joints(body.reaching.joints), (-0.3, 0.3))
    table = Obstacle("table_0", OrientedBox.upright(0.0, -0.8, 0.0, 0.0, (1.0, 0.6, 0.75)))
    entry = plan_entry(body, now, HERE, goal, CollisionScene(model, [table]), 0.08)
    assert entry.goal == goal and CollisionScene(model, [table]).free([*entry.unfolding, *entry.inward], 0.08)
    screen = Obstacle("screen_0", OrientedBox.upright(0.0, -0.55, 0.0, 0.0, (2.0, 0.02, 2.0)))
    with pytest.raises(Blocked, match="screen_0 is in the way"):
        plan_entry(body, now, HERE, goal, CollisionScene(model, [table, screen]), 0.08)


def test_the_elbow_finds_its_way_round_a_post():
    """Between two postures whose straight way in joint space runs into it."""
    body = Manipulator.from_description(load_robot("ur3"))
    model, reaching = body_model(body.kinematics), body.reaching
    start = reaching.with_joints({"shoulder_pan_joint": -2.6})
    goal = reaching.with_joints({"shoulder_pan_joint": 0.2})
    post = Obstacle("post", OrientedBox.upright(0.0, -0.45, 0.0, 0.0, (0.06, 0.06, 1.0)))
    scene = CollisionScene(model, [post])
    assert scene.free([start, goal], 0.05)
    way = joint_way(body, start, goal, scene, 0.05, seed=1, iterations=400)
    assert way is not None and len(way) > 2
    again = joint_way(body, start, goal, scene, 0.05, seed=1, iterations=400)
    assert [posture.joints for posture in way] == [posture.joints for posture in again]
    for a, b in zip(way, way[1:], strict=False):
        shares = np.linspace(0, 1, 20)
        between = [Posture({n: a.joints[n] + s * (b.joints[n] - a.joints[n]) for n in a.joints}) for s in shares]
        assert sum(scene.contact(posture, 0.05) is not None for posture in between) <= 1, "touched between two checks"
