"""Parameters of all nodes: each is described, bounded where it can be, and those that may change do so at once."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from dadu_nodes.simulator.publishers import image_message
from dadu_nodes.support.parameters import _leaves, descriptor
from node_classes import node_class
from rclpy.parameter import Parameter
from std_msgs.msg import Header

from dadu.core.errors import ConfigError
from dadu.core.robot import Twist
from dadu.operator.arbiter import Authority
from dadu.operator.console.orders import DriveRequest

NODES = ("console", "controller_adapter", "foxglove_bridge", "grasp", "memory", "nav2_adapter", "navigation",
         "override", "perception", "place", "planner", "recorder", "sim_bridge", "stretch_adapter")


def settings_class(node):
    return node.__orig_bases__[0].__args__[0]


@pytest.mark.parametrize("name", NODES)
def test_every_parameter_is_described_every_number_bounded_and_what_is_live_is_there(name):
    node = node_class(name)
    leaves = dict(_leaves(settings_class(node)))
    for parameter, (owner, default, info) in leaves.items():
        said = descriptor(owner, parameter.rpartition(".")[2], info, live=False)
        assert said.description, f"{name}: {parameter} needs a text below its field"
        if isinstance(default, int | float) and not isinstance(default, bool):
            assert said.floating_point_range or said.integer_range, f"{name}: {parameter} needs a bound"
    for part in node.live:
        assert any(leaf == part or leaf.startswith(f"{part}.") for leaf in leaves), f"{name}: no parameter {part}"


def cells_beside_walls(node):
    costs = node._drive.costmap.costs()
    return int((costs[np.isfinite(costs)] > 1).sum())


def speed_of_the_page(node):
    sent = []
    node._hands._base = SimpleNamespace(publish=lambda message: sent.append(message.vx))
    node._hands.drive(DriveRequest(forward=1.0, turn=0.0), np.inf)
    return sent[0]


def most_steps(node):
    return node._limits(SimpleNamespace(max_steps=0, max_seconds=0.0)).max_steps


def size_of_a_picture(node):
    picture = np.random.default_rng(0).integers(0, 255, (48, 64, 3), np.uint8)
    written = []
    node._connection, node._on_message = lambda *_: None, lambda connection, data, received: written.append(len(data))
    node._on_picture("/picture", (), image_message(picture, "rgb8", Header()), 0)
    return written[0]


def silence_that_counts(node):
    """[s]"""
    link = node._driver.link
    link.joints_heard(0.0)
    return next(t for t in np.arange(0.1, 9.0, 0.1) if link.problem(t))


def silence_of_a_person(node):
    """[s]"""
    node.arbiter.teleop(Twist(), 0.0)
    t = 0.0
    while node.arbiter.state is Authority.TELEOP:
        t += 0.1
        node.arbiter.tick(t)
    return t


FLAT = {"house": "small_flat"}
CHANGES = [
    ("override", {}, "speed", 0.5, lambda node: node.arbiter.limit(Twist(vx=9.0)).vx),
    ("override", {}, "hold", 4.0, silence_of_a_person),
    ("console", {"port": 0}, "speed", 0.1, speed_of_the_page),
    ("navigation", FLAT, "costmap.inflation", 0.1, cells_beside_walls),
    ("navigation", FLAT, "controller.xy_tolerance", 0.03, lambda node: node._drive.controller.xy_tolerance),
    ("navigation", FLAT, "recovery.wait", 1.0, lambda node: node._drive.recovery.wait),
    ("navigation", FLAT, "localisation.rays", 60, lambda node: node._site.localiser.settings.rays),
    ("nav2_adapter", {}, "deadline", 120.0, lambda node: node.settings.deadline),
    ("grasp", {}, "manipulation.pick.lift", 0.12, lambda node: node._use.manipulation.pick.lift),
    ("place", {}, "manipulation.place.hover", 0.03, lambda node: node._use.manipulation.place.hover),
    ("memory", FLAT, "nearness.distance", 0.7, lambda node: node.memory._nearness.settings.distance),
    ("memory", FLAT, "forgetting.views", 6, lambda node: node.memory._associator.settings.forgetting.views),
    ("perception", {"detector": "ground_truth"}, "backprojection.min_pixels", 50,
     lambda node: node.settings.backprojection.min_pixels),
    ("planner", {}, "loop.max_steps", 30, most_steps),
    ("recorder", {}, "jpeg_quality", 50, size_of_a_picture),
    ("sim_bridge", FLAT, "rtf", 2.0, lambda node: node.engine.pacer.target),
    ("stretch_adapter", {}, "link.silence", 2.0, silence_that_counts),
]
"""node, parameters at the start, what is changed, to what, and what goes by it"""


@pytest.mark.parametrize(("name", "start", "parameter", "value", "of"), CHANGES,
                         ids=[f"{change[0]} {change[2]}" for change in CHANGES])
def test_what_is_live_changes_what_the_node_does(make_node, name, start, parameter, value, of):
    node = make_node(name, **start)
    before = of(node)
    (result,) = node.set_parameters([Parameter(parameter, value=value)])
    assert result.successful, result.reason
    assert of(node) != pytest.approx(before)


def test_what_is_changed_together_is_taken_whole_or_not_at_all_and_the_refusal_says_why(make_node):
    node = make_node("override")
    before = node.arbiter.settings
    refused = node.set_parameters_atomically([Parameter("hold", value=9.0), Parameter("command_timeout", value=-1.0)])
    assert not refused.successful and "command_timeout" in refused.reason
    assert node.arbiter.settings is before and node.get_parameter("hold").value == before.hold
    refused = node.set_parameters_atomically([Parameter("hold", value=9.0), Parameter("robot", value="ur3")])
    assert not refused.successful and "read-only" in refused.reason and node.arbiter.settings is before
    taken = node.set_parameters_atomically([Parameter("hold", value=9.0), Parameter("command_timeout", value=1.0)])
    assert taken.successful and (node.arbiter.settings.hold, node.arbiter.settings.command_timeout) == (9.0, 1.0)


def test_one_out_of_range_at_the_start_is_one_sentence(make_node):
    with pytest.raises(ConfigError, match="override: hold: Input should be greater than 0 \\(got -1.0\\)"):
        make_node("override", hold=-1.0)
