"""A whole task with nothing but sensors: no instance picture, no true pose, no true state."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import label

from dadu.core.geometry import Pose2
from dadu.house.files import parse_house
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.sensor_config import SensorConfig
from dadu.sim.mujoco import truth
from dadu.sim.mujoco.robot.sim_robot import SimRobot
from dadu.sim.mujoco.simulation import Simulation
from dadu.stacks.stack import Stack

ROOM = {
    "house": "bedsit",
    "rooms": [{"name": "room", "category": "bedroom", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
    "furniture": [{"name": "desk_0", "category": "desk", "room": "room", "pose": [1.8, 3.6, -1.5708]},
                  {"name": "table_0", "category": "table", "room": "room", "pose": [3.5, 1.8, 3.1416]}],
    "objects": [{"name": "red_apple", "category": "apple", "on": "desk_0", "attributes": {"color": "red"}}],
    "robot": {"pose": [1.8, 1.5, 1.5708]},
}
KITCHEN = {
    "house": "kitchen",
    "rooms": [{"name": "room", "category": "kitchen", "floor": [[0, 0], [4.4, 0], [4.4, 4], [0, 4]]}],
    "furniture": [{"name": "fridge_0", "category": "fridge", "room": "room", "pose": [1.4, 3.65, -1.5708]},
                  {"name": "table_0", "category": "table", "room": "room", "pose": [3.9, 1.8, 3.1416]}],
    "objects": [{"name": "milk_0", "category": "milk_carton", "in": "fridge_0"}],
    "robot": {"pose": [1.8, 1.5, 1.5708]},
}
ELSEWHERE = Pose2(40.0, -70.0, 2.0)
"""where the simulator has the room, as far as the robot could tell by its true pose"""


class RedThings:
    """Takes whatever is red for an apple."""

    name = "red_things"

    def segment(self, frame):
        assert frame.instances is None, "the picture of instances is not even drawn"
        red, green, blue = (frame.rgb[..., i].astype(int) for i in range(3))
        regions, count = label((red > 1.8 * green) & (red > 1.8 * blue))
        masks = [mask for i in range(count) if (mask := regions == i + 1).sum() >= 40]
        if not masks:
            return Segmentation(np.zeros(regions.shape, np.int16), ())
        return Segmentation.from_masks(masks, [Segment("apple", score=0.8)] * len(masks))


class TruthWasRead(Exception):
    pass


@pytest.fixture
def no_truth(monkeypatch):
    """Reading the true state raises, and the true poses are in a frame of their own: who uses them gets lost, who only
    counts their increments, as wheels do, notices nothing."""
    def raises(self, robot):
        raise TruthWasRead
    observe = SimRobot.observe

    def displaced(self):
        seen = observe(self)
        camera = seen.camera and replace(seen.camera, T_map_camera=ELSEWHERE.matrix() @ seen.camera.T_map_camera)
        return replace(seen, base_pose=ELSEWHERE * seen.base_pose, camera=camera)
    monkeypatch.setattr(Simulation, "truth_of", raises)
    monkeypatch.setattr(SimRobot, "observe", displaced)


def test_a_task_is_done_by_what_is_sensed(no_truth):
    stack = Stack(parse_house(ROOM, "bedsit"), seed=3, detector=RedThings())
    assert stack.privilege_report.line == "eyes: red_things; pose: estimated; told: map, layout"
    report = stack.do("put the apple on the table")
    stack.advance(1.0)
    state = truth.world_state(stack.simulation.world, stack.simulation.body)
    believed = stack.robot.observe().base_pose
    stack.close()
    assert report.success, report.summary
    assert on_the_table(state)
    assert np.hypot(believed.x - state.robot.x, believed.y - state.robot.y) < 0.03


def test_nothing_is_told(no_truth):
    """It finds room to drive, furniture and the thing: OVMM's setting, with the simulator's eyes."""
    stack = Stack(parse_house(ROOM, "bedsit"), seed=3, known="nothing", mapped=False,
                  eyes=SensorConfig(privilege="instances"))
    assert stack.privilege_report.line == "eyes: simulator's instances (privileged); pose: estimated; told: nothing"
    report = stack.do("put the apple on the table")
    stack.advance(1.0)
    state = truth.world_state(stack.simulation.world, stack.simulation.body)
    stack.close()
    assert report.success, report.summary
    assert on_the_table(state)


@pytest.mark.thorough
def test_nothing_is_told_and_what_is_wanted_is_behind_a_door(no_truth):
    """That fridges open is known; where this one does, its handle says."""
    stack = Stack(parse_house(KITCHEN, "kitchen"), seed=3, known="nothing", mapped=False,
                  eyes=SensorConfig(privilege="instances"))
    report = stack.do("put the milk on the table")
    stack.advance(1.0)
    state = truth.world_state(stack.simulation.world, stack.simulation.body)
    stack.close()
    assert report.success, report.summary
    assert on_the_table(state, KITCHEN["furniture"][1]["pose"])


def on_the_table(state, table=ROOM["furniture"][1]["pose"]):
    (thing,) = state.bodies.values()
    (x, y, z), at = thing.box.centre, table
    return abs(x - at[0]) < 0.6 and abs(y - at[1]) < 0.6 and z > 0.4 and not thing.held


def test_the_truth_is_read_where_that_privilege_is_granted(no_truth):
    stack = Stack(parse_house(ROOM, "bedsit"), eyes=SensorConfig(privilege="states"))
    with pytest.raises(TruthWasRead):
        stack.advance(0.3)
    stack.close()
    stack = Stack(parse_house(ROOM, "bedsit"), eyes=SensorConfig(privilege="pose"))
    stack.advance(0.3)
    assert stack.robot.observe().base_pose[:2] == pytest.approx((ELSEWHERE * Pose2(1.8, 1.5, 1.5708))[:2], abs=1e-3)
    stack.close()
