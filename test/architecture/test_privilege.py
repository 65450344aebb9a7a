"""What perceives, remembers, drives, handles, understands and plans knows neither the true state nor the house; and of
the nodes each reads no more of it than is said here, and why."""

import ast
import re
from collections import deque

import pytest

from .import_graph import ROOT, import_graph
from .test_layers import SIM_KNOWS_NOT, layer

PRIVATE = ("dadu.world.state", "dadu.world.from_message", "dadu.house.files", "dadu.house.layout",
           "dadu.house.placement", "dadu.house.rasterize", "dadu.sim", "dadu.homes", "dadu.tasks")
"""the true state; a house's file, layout, things and map; what simulates it and what makes tasks of it"""
CLOCKWORK = re.compile(r"dadu\.sim\.time_sync|dadu\.sim\.mujoco\.robot\.(joint_drive|gripper_drive|driver_goals|model)")
"""what of that says nothing of the world: which simulated time is waited for, how drives move and goals end"""

TOLD, STATES, HOUSE = "told", "privilege states", "is the house, or its judge"
READS = {
    "memory.py": {"dadu.house.files": TOLD, "dadu.house.layout": TOLD,  # as much as `known` says: rooms and furniture
                  "dadu.stacks.privileged": STATES, "dadu.world.from_message": STATES},
    "navigation.py": {"dadu.stacks.site": TOLD},  # the map, and where on it the robot is put
    "perception.py": {"dadu.stacks.priors": TOLD},  # names, with the layout
    "planner.py": {"dadu.stacks.priors": TOLD},  # names, with the layout
    "console.py": {"dadu.house.files": TOLD},  # doors, with the layout; drawn for people alone
}
"""nodes of the robot, the modules that they import and by which something of the house or its state is reached, and by
what right"""
NO_ROBOT = ("sim_bridge.py", "simulator/", "commands/chaos.py", "commands/chaos_hands.py")
"""nodes that are the simulated house, or judge what was done in it"""

TRUTH = re.compile(r"GroundTruth|ground_truth|camera/instances")
PRIVILEGED = {"support/listening/true_pose.py": "", "memory.py": "settings.true_states", "perception.py": "privileged"}
"""nodes that may hear the simulator's truth, and what has to be granted where they subscribe to it; who makes a
`TruePose` has asked"""


@pytest.fixture(scope="module")
def graph():
    return import_graph(ROOT, "dadu")


def private(module):
    return module.startswith(PRIVATE) and not CLOCKWORK.fullmatch(module)


def reached(graph, start):
    """By whatever way, each with the module by which it was reached first."""
    came_from, waiting = {start: ""}, deque([start])
    while waiting:
        module = waiting.popleft()
        for other in sorted(graph[module] - came_from.keys()):
            came_from[other] = module
            waiting.append(other)
    return came_from


def way(came_from, module):
    steps = [module]
    while came_from[steps[-1]]:
        steps.append(came_from[steps[-1]])
    return " <- ".join(steps)


@pytest.mark.parametrize("package", SIM_KNOWS_NOT)
def test_it_reaches_nothing_privileged_by_whatever_way(graph, package):
    for start in (module for module in graph if "." in module and layer(module) == package):
        came_from = reached(graph, start)
        # Not even clockwork: that is for those who talk to a simulator.
        assert not (found := [way(came_from, m) for m in came_from if m.startswith(PRIVATE)]), f"{start}: {found[0]}"


def test_of_the_format_of_houses_it_knows_how_one_piece_is_described(graph):
    """A sort of furniture is imagined by it; no whole house."""
    starts = [module for module in graph if "." in module and layer(module) in SIM_KNOWS_NOT]
    seen = {module for start in starts for module in reached(graph, start) if not module.startswith("dadu.house.")}
    outside = [module for module in sorted(seen) if "dadu.house.format" in graph[module]]
    files = [ROOT / f"{module.replace('.', '/')}.py" for module in outside]
    names = {name for path in files for name in imported(path, "dadu.house.format")}
    assert names == {"Furniture"}, outside


def imported(path, module):
    return {alias.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
            and node.module == module for alias in node.names}


def node_files():
    """Those of the robot, each with its name below nodes/."""
    found = {str(path.relative_to(ROOT / "nodes")): path for path in (ROOT / "nodes").rglob("*.py")}
    return {name: path for name, path in found.items() if not name.startswith(NO_ROBOT)}


def test_each_node_reads_no_more_of_the_house_than_it_is_said_to(graph):
    def reads(module):
        return any(private(other) for other in reached(graph, module))

    found = {name: {module for module in of_dadu(path, graph) if reads(module)} for name, path in node_files().items()}
    assert {name: modules for name, modules in found.items() if modules} == {n: set(m) for n, m in READS.items()}


def of_dadu(path, graph):
    """The modules that a file imports, wherever in it, one by one however they are imported."""
    out = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            out |= (inner & graph.keys()) | {node.module}
        elif isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
    return out & graph.keys()


def test_no_node_imports_by_a_name_that_this_cannot_read():
    """Messages alone, which an installation may lack."""
    hidden = re.compile(r"import_module|__import__|\bexec\(")
    names = {name for name, path in node_files().items() if hidden.search(path.read_text())}
    assert names == {"support/convert/vision.py", "support/message_types.py"}


def test_few_nodes_hear_the_truth():
    assert {name for name, path in node_files().items() if TRUTH.search(path.read_text())} == PRIVILEGED.keys()


@pytest.mark.parametrize("name", PRIVILEGED)
def test_they_hear_it_where_it_was_granted(name):
    granted = PRIVILEGED[name]
    tree = ast.parse((ROOT / "nodes" / name).read_text())
    calls = [(call, conditions) for call, conditions in called(tree) if any(
        isinstance(word, ast.Constant) and TRUTH.search(str(word.value)) for word in call.args)]
    assert calls and all(granted in conditions or not granted for _, conditions in calls)


def test_the_true_pose_is_asked_for_where_it_was_granted():
    calls = [conditions for path in node_files().values() for call, conditions in called(ast.parse(path.read_text()))
             if isinstance(call.func, ast.Name) and call.func.id == "TruePose"]
    assert calls == [["settings.true_pose"]]


def called(tree, conditions=()):
    """Every call in a tree, with the conditions under which it is made, as they are written."""
    for child in ast.iter_child_nodes(tree):
        under = list(conditions)
        if isinstance(tree, ast.If) and child in tree.body or isinstance(tree, ast.IfExp) and child is tree.body:
            under.append(ast.unparse(tree.test))
        if isinstance(child, ast.Call):
            yield child, under
        yield from called(child, under)


def test_no_skill_reads_the_name_that_the_simulator_gives_a_detection():
    """`instance` stands in a detection for evaluation alone."""
    reads = re.compile(r"\.instances?\b")
    packages = ("memory", "navigation", "manipulation", "language", "planner")
    assert [str(path) for package in packages for path in (ROOT / "dadu" / package).rglob("*.py")
            if reads.search(path.read_text())] == []
