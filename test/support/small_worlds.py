"""Small worlds for tests of the simulator."""

from __future__ import annotations

from dadu.core.robot import Command, GripperCommand, JointTrajectory, Twist
from dadu.house.files import parse_house
from dadu.robots import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings

BLIND = SimulationSettings(camera=CameraSettings(rate=0), laser=LaserSettings(rate=0))
"""no sensors that take time"""

ROOM = {"name": "room", "category": "kitchen", "floor": [[0, 0], [5, 0], [5, 4], [0, 4]]}
TABLE = {"name": "table_0", "category": "table", "room": "room", "pose": [2.5, 1.0, 1.5708], "size": [0.6, 1.0, 0.75]}
CAN = {"name": "can_0", "category": "soup_can", "on": "table_0", "at": [0.1, 0.0]}
"""its centre at x = 2.5, y = 1.1 in map"""
FRIDGE = {"name": "fridge_0", "category": "fridge", "room": "room", "pose": [2.5, 0.4, 1.5708]}


def simulation(*, furniture=(TABLE,), objects=(CAN,), robot=(2.521, 1.8, 0.0), seed=-1, settings=BLIND) -> Simulation:
    """One room, as in the file unless `seed` is given."""
    house = parse_house({"house": "tiny", "rooms": [ROOM], "furniture": list(furniture), "objects": list(objects),
                         "robot": {"pose": list(robot)}}, "test")
    return Simulation(house, load_robot("stretch"), seed, settings)


def move(sim: Simulation, joints: dict[str, float], seconds: float = 4.0) -> None:
    """Moves the arm and waits."""
    sim.robot.act(Command(joints=JointTrajectory.single_goal(joints, seconds)))
    sim.advance(seconds + 0.5)


def grip(sim: Simulation, aperture: float, seconds: float = 2.5) -> None:
    """Moves the fingers and waits."""
    sim.robot.act(Command(gripper=GripperCommand(aperture)))
    sim.advance(seconds)


def drive(sim: Simulation, twist: Twist, seconds: float) -> None:
    """Drives, speaking to the base at 20 Hz."""
    for _ in range(round(seconds / 0.05)):
        sim.robot.act(Command(base=twist))
        sim.advance(0.05)


def stretch_to(sim: Simulation, name: str, above: float = 0.0) -> dict[str, float]:
    """Joints that put the level gripper round an object that stands to the robot's right."""
    x, y, z = sim.ground_truth().bodies[name].box.centre
    base = sim.body.base_pose(sim.data)
    return {"joint_lift": z + above - 0.115, "wrist_extension": base.y - y - 0.415, "joint_wrist_yaw": 0.0}


def grasp(sim: Simulation, name: str) -> None:
    """Takes an object from the front: gripper open beside it, out, close."""
    goal = stretch_to(sim, name)
    grip(sim, 0.16, 0.0)
    move(sim, goal | {"wrist_extension": 0.0}, 6.0)
    move(sim, goal, 3.0)
    grip(sim, -0.01)
