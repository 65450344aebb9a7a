"""Of a kind that no catalogue knows: seen by learned eyes, shown once, and known again when it stands elsewhere."""

import json

import numpy as np
import pytest

from dadu.house.files import parse_house
from dadu.perception.sensor_config import SensorConfig
from dadu.skills.call import SkillCall
from dadu.stacks.stack import Stack
from dadu.world.graph import Kind

pytestmark = pytest.mark.thorough
ROOM = {
    "house": "bedsit",
    "rooms": [{"name": "room", "category": "bedroom", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
    "furniture": [{"name": "desk_0", "category": "desk", "room": "room", "pose": [1.8, 3.6, -1.5708]},
                  {"name": "table_0", "category": "table", "room": "room", "pose": [3.5, 1.8, 3.1416]}],
    "objects": [{"name": "hourglass_0", "category": "hourglass", "on": "desk_0", "shape": "cylinder",
                 "size": [0.06, 0.06, 0.12]},
                {"name": "mug_0", "category": "mug", "on": "desk_0", "attributes": {"color": "red"}}],
    "robot": {"pose": [1.8, 1.5, 1.5708]},
}


def test_shown_once_it_is_fetched_from_elsewhere():
    stack = Stack(parse_house(ROOM, "bedsit"), seed=3, eyes=SensorConfig(perception="learned"))
    assert stack.privilege_report.line == "eyes: learned; pose: estimated; told: map, layout"
    stack.execute(SkillCall("go_to", ("desk_0",)))
    stack.advance(1.0)
    seen = min(stack.graph().of(Kind.OBJECT), key=lambda thing: away(stack, thing.position))
    assert away(stack, seen.position) < 0.05 and seen.category != "hourglass"
    stack.correct(json.dumps({"teach": {"thing": seen.id, "is": "hourglass"}}))
    stack.execute(SkillCall("go_to", ("table_0",)))
    stack.advance(40.0)  # what was seen half a minute ago is taken to be so still
    stack.simulation.disturb("move", "hourglass_0", "table_0")
    assert away(stack, seen.position) > 0.5

    report = stack.do("put the hourglass on the desk")
    stack.advance(1.0)
    x, y, z = stack.simulation.ground_truth().bodies["hourglass_0"].box.centre
    stack.close()
    assert report.success, report.summary
    assert abs(x - 1.8) < 0.8 and abs(y - 3.6) < 0.5 and z > 0.6


def away(stack, position):
    """From where the hourglass truly is [m]."""
    return float(np.linalg.norm(stack.simulation.ground_truth().bodies["hourglass_0"].box.centre - position))
