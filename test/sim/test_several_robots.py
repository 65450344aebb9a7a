"""Several robots in one home: each with body, sensors, drivers and truth of its own, and in the others' way."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import BLIND, CAN, ROOM, TABLE, grasp, move
from small_worlds import simulation as alone

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.core.robot import Command, JointTrajectory, Twist
from dadu.house.files import load_house, parse_house
from dadu.robots import load_robot
from dadu.robots.starts import robot_names, start_poses
from dadu.sim.backends import make_simulation
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import Resource, World
from dadu.sim.engine import Engine, Listener
from dadu.sim.mujoco import space
from dadu.sim.mujoco.robot.model import ContactBits
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.pacing import PacingSettings
from dadu.sim.settings import CameraSettings, EngineSettings, LaserSettings, SimulationSettings

STRETCH = load_robot("stretch")
EXACT = SimulationSettings(camera=CameraSettings(width=64, height=48, rate=5),
                           laser=LaserSettings(rays=360, noise=0.0))


def small(robots=("stretch", "stretch"), settings=BLIND, furniture=(), objects=(), start=(1.5, 2.0, 0.0)):
    house = parse_house({"house": "tiny", "rooms": [ROOM], "furniture": list(furniture), "objects": list(objects),
                         "robot": {"pose": list(start)}}, "test")
    return Simulation(house, [load_robot(name) for name in robots], -1, settings)


def put(sim, number, *pose):
    body = sim.robots[number].body
    body.place(sim.data, Pose2(*pose), body.description.home)


@given(st.integers(1, 15))
def test_each_robot_touches_the_world_all_others_and_with_its_hand_its_trunk(count):
    kinds = [(i, hand) for i in range(count) for hand in (False, True)]
    bits = ContactBits.of_each(count)

    def masks(number, hand):
        own = bits[number]
        return (own.hand, 1 | own.others | own.trunk) if hand else (own.trunk, 1 | own.others)

    def touch(a, b):
        return bool(a[0] & b[1] or b[0] & a[1])

    for one in kinds:
        assert touch(masks(*one), (1, 1)) and masks(*one)[0] < 2**31
        for other in kinds:
            assert touch(masks(*one), masks(*other)) == (one[0] != other[0] or one[1] != other[1])


def test_bodies_have_names_and_joints_of_their_own():
    sim = small(("stretch", "ur3", "stretch"))
    assert [robot.name for robot in sim.robots] == ["robot_0", "robot_1", "robot_2"]
    names = [sim.model.joint(i).name for i in range(sim.model.njnt)]
    assert len(set(names)) == len(names) and {name.split("/")[0] for name in names} == set(robot_names(3))
    assert [robot.description.name for robot in sim.robots] == ["stretch", "ur3", "stretch"]
    before = [robot.observe() for robot in sim.robots]
    sim.robots[2].act(Command(base=Twist(vx=0.2), joints=JointTrajectory.single_goal({"joint_lift": 0.9}, 1.0)))
    sim.advance(0.5)
    after = [robot.observe() for robot in sim.robots]
    assert after[2].joints["joint_lift"] > before[2].joints["joint_lift"] + 0.02
    assert after[2].base_pose.x > before[2].base_pose.x + 0.03
    for still in (0, 1):
        assert np.allclose(after[still].base_pose, before[still].base_pose, atol=1e-3)
        assert np.allclose(list(after[still].joints.values()), list(before[still].joints.values()), atol=5e-3)


def test_one_robot_alone_is_called_and_begins_as_ever():
    sim, house = alone(), load_house("flat")
    assert sim.robot.name == "robot" and sim.robots == (sim.robot,)
    assert start_poses(house, [STRETCH]) == (Pose2(*house.robot.pose),)


def test_they_begin_near_each_other_free_and_apart():
    robots = [load_robot(name) for name in ("stretch", "ur3", "stretch", "stretch")]
    sim = Simulation(load_house("flat"), robots, 3, BLIND)
    assert not any(space.robot_overlaps(sim.world, body) for body in sim.world.bodies)
    places = np.array([robot.body.base_pose(sim.data)[:2] for robot in sim.robots])
    gaps = np.hypot(*(places[:, None] - places).T)[np.triu_indices(len(robots), 1)]
    assert gaps.min() > 0.5 and gaps.max() < 4.0


def test_where_there_is_no_room_for_all_that_is_said():
    with pytest.raises(ConfigError, match="no free place for 40 robots"):
        start_poses(small().house, [STRETCH] * 40)
    with pytest.raises(ConfigError, match="at most 15"):
        ContactBits.of_each(16)
    with pytest.raises(ConfigError, match="2 robots in one home need simulator:=mujoco"):
        make_simulation("habitat", "flat", [STRETCH, STRETCH], 0, BLIND)


def test_each_sees_the_other_in_laser_and_depth_and_never_itself():
    sim, ahead = small(settings=EXACT), slice(170, 191)
    put(sim, 0, 1.0, 2.0, 0.0)
    put(sim, 1, 3.0, 2.0, np.pi)
    near = [robot.sensors.scan().ranges[ahead].min() for robot in sim.robots]
    before = [robot.sensors.render().depth for robot in sim.robots]
    put(sim, 1, 3.0, 3.4, np.pi)
    alone = [robot.sensors.scan().ranges[ahead].min() for robot in sim.robots]
    assert near == pytest.approx([2.0, 2.0], abs=0.1), "the other's mast: above its base the laser meets no more"
    assert alone == pytest.approx([3.95, 2.95], abs=0.02), "the walls, through nothing of its own"
    assert (sim.robots[0].sensors.render().depth - before[0] > 0.5).any(), "where the other was the room is deeper"
    sim.close()


def test_they_cannot_drive_through_each_other():
    sim = small()
    put(sim, 0, 1.0, 2.0, 0.0)
    put(sim, 1, 2.0, 2.0, 0.0)
    for _ in range(120):
        sim.robots[0].act(Command(base=Twist(vx=0.3)))
        sim.advance(0.05)
    first, second = (robot.body.base_pose(sim.data) for robot in sim.robots)
    assert first.x > 1.2 and second.x > 2.01, "it comes, and pushes"
    assert second.x - first.x > 0.3, (first, second)


def test_what_one_holds_the_other_does_not_and_a_saved_world_goes_on_so(tmp_path):
    sim = small(furniture=(TABLE,), objects=(CAN,), start=(2.521, 1.8, 0.0))
    grasp(sim, "can_0")  # the first
    move(sim, {"joint_lift": 1.0}, 2.0)
    assert [sim.truth_of(robot).bodies["can_0"].held for robot in sim.robots] == [True, False]
    assert sim.truth_of(sim.robots[1]).robot == sim.robots[1].body.base_pose(sim.data)
    sim.save(tmp_path / "state.npz")
    other = small(furniture=(TABLE,), objects=(CAN,), start=(2.521, 1.8, 0.0))
    other.restore(tmp_path / "state.npz")
    other.advance(1.0)
    assert [other.truth_of(robot).bodies["can_0"].held for robot in other.robots] == [True, False]
    assert "can_0" in other.disturb("drop")
    assert not other.ground_truth().bodies["can_0"].held


def test_an_engine_tells_each_listener_of_its_own_robot_and_a_new_world_has_all_of_them(tmp_path):
    heard = [{}, {}]

    def listener(number):
        def keep(kind):
            return lambda *told: heard[number].setdefault(kind, told[0])
        return Listener(*(keep(kind) for kind in ("clock", "state", "scan", "camera", "truth")))

    sim = small(settings=EXACT)
    poses = [robot.body.base_pose(sim.data) for robot in sim.robots]
    engine = Engine(sim, EngineSettings(pacing=PacingSettings(rtf=8.0)), [listener(0), listener(1)], tmp_path)
    control = SimulatorControl(engine, World(sim.house, Resource("file:///tiny")), -1,
                               lambda house, robots: Simulation(house, robots, -1, BLIND), lambda _: None)
    engine.start()
    deadline = time.monotonic() + 100.0
    while min(map(len, heard)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    engine.pause()
    for told, pose in zip(heard, poses, strict=True):
        assert np.allclose(told["state"].base, pose, atol=0.01) and np.allclose(told["truth"].robot, pose, atol=0.01)
    assert not np.allclose(heard[0]["scan"].ranges, heard[1]["scan"].ranges)
    assert not np.allclose(heard[0]["camera"].T_map_camera, heard[1]["camera"].T_map_camera)
    assert {"robot_0", "robot_1"} < control.population.all().keys() | {"table_0"}
    control.population.set_state("robot_1", "", Pose2(4.0, 3.0, 1.0).matrix(), None)
    with engine.exclusive() as world:
        assert np.allclose(world.robots[1].body.base_pose(world.data), (4.0, 3.0, 1.0))
        assert np.allclose(world.robots[0].body.base_pose(world.data), poses[0], atol=0.01)
    control.load(Resource("flat"))
    with engine.exclusive() as world:
        assert len(world.robots) == 2 and world.house.house == "flat"
    engine.close()
