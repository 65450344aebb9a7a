"""What perceives, remembers, drives, handles, understands and plans knows neither the true state nor the house."""

import re
from collections import deque

import pytest

from .import_graph import ROOT, import_graph
from .test_layers import SIM_KNOWS_NOT, layer

PRIVATE = ("dadu.world.state", "dadu.world.from_message", "dadu.house.layout", "dadu.house.placement",
           "dadu.house.rasterize", "dadu.sim", "dadu.homes", "dadu.tasks")
"""the true state; a house's layout, things and map; what simulates it and what makes tasks of it"""
PRIVILEGED = {"support/true_pose.py": "pose", "memory.py": "states", "perception.py": "instances"}
"""nodes that may hear the simulator's truth, where that privilege is granted"""
TELLS = {"sim_bridge.py", "simulator/publishers.py", "simulator/truth_message.py"}
JUDGES = {"commands/chaos_hands.py"}
"""what is no part of the robot"""


@pytest.fixture(scope="module")
def graph():
    return import_graph(ROOT, "dadu")


@pytest.mark.parametrize("package", SIM_KNOWS_NOT)
def test_it_reaches_nothing_privileged_by_whatever_way(graph, package):
    for start in (module for module in graph if "." in module and layer(module) == package):
        came_from, waiting = {start: ""}, deque([start])
        while waiting:
            module = waiting.popleft()
            for other in sorted(graph[module] - came_from.keys()):
                came_from[other] = module
                waiting.append(other)
                assert not other.startswith(PRIVATE), f"{start} reaches {other}: {way(came_from, other)}"


def way(came_from, module):
    steps = [module]
    while came_from[steps[-1]]:
        steps.append(came_from[steps[-1]])
    return " <- ".join(steps)


def test_few_nodes_hear_the_truth_and_only_by_privilege():
    hears = re.compile(r"GroundTruth|/sim/ground_truth|/camera/instances")
    found = {str(path.relative_to(ROOT / "nodes")) for path in (ROOT / "nodes").rglob("*.py")
             if hears.search(path.read_text())}
    assert found == PRIVILEGED.keys() | TELLS | JUDGES


def test_no_skill_reads_the_name_that_the_simulator_gives_a_detection():
    """`instance` stands in a detection for evaluation alone."""
    reads = re.compile(r"\.instances?\b")
    packages = ("memory", "navigation", "manipulation", "language", "planner")
    assert [str(path) for package in packages for path in (ROOT / "dadu" / package).rglob("*.py")
            if reads.search(path.read_text())] == []
