"""Imports point one way, no circles, no crowded folders."""

import re
from collections import Counter

import pytest

from .import_graph import ROOT, circles, import_graph, strings

LAYERS = (
    "core", "world", "incoming", "house", "skills", "robots", "knowledge", "goals", "perception", "memory",
    "motion", "navigation", "manipulation", "language", "planner", "team", "sim", "homes", "stacks", "tasks",
    "imports", "bringup", "operator", "replay", "eval", "learning", "mcp", "bench", "cli",
)  # fmt: skip
"""from low to high: a package imports only from those before it. Documented in docs/architecture.md."""
SIM_KNOWS_NOT = LAYERS[LAYERS.index("perception"):LAYERS.index("team") + 1]
"""a backend simulates what is there, whatever looks at it"""
REGISTRIES = {"dadu/perception/detectors.py", "dadu/perception/namers.py", "dadu/planner/interpreters.py",
              "dadu/cli/verbs.py",
              "dadu/learning/networks.py", "dadu/cli/bag/__init__.py", "dadu/cli/eval/__init__.py",
              "dadu/cli/map/__init__.py", "dadu/cli/data/__init__.py", "dadu/cli/bench/__init__.py",
              "dadu/cli/import_/__init__.py",
              "dadu/cli/train/__init__.py", "dadu/cli/model/__init__.py"}
"""the only files that name modules to import"""
FINDER = "dadu/core/plugins.py"
"""imports what a registry or a user names"""
CROWDED = 20
"""files that a folder may hold"""


@pytest.fixture(scope="module")
def graph():
    """Which module of dadu imports which."""
    return import_graph(ROOT, "dadu")


def layer(module: str) -> str:
    return module.split(".")[1]


def test_every_package_is_a_layer(graph):
    packages = {layer(module) for module in graph if "." in module}
    assert packages <= set(LAYERS), f"name the layer of {sorted(packages - set(LAYERS))} in LAYERS and in the docs"


@pytest.mark.parametrize("name", LAYERS)
def test_imports_point_down(graph, name):
    allowed = set(LAYERS[:LAYERS.index(name) + 1]) - (set(SIM_KNOWS_NOT) if name == "sim" else set())
    wrong = [f"{module} imports {other}" for module, others in graph.items() if "." in module and layer(module) == name
             for other in sorted(others) if "." in other and layer(other) not in allowed]
    assert not wrong, "\n".join(wrong)


def test_no_circle_of_files(graph):
    assert circles(graph) == []


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


def test_no_crowded_folder():
    files = Counter(path.parent for top in ("dadu", "nodes", "scripts") for path in (ROOT / top).rglob("*.py")
                    if path.name != "__init__.py")
    assert {str(folder.relative_to(ROOT)): count for folder, count in files.items() if count > CROWDED} == {}


def test_the_closed_loop_knows_no_interpreter_and_no_planner_by_name(graph):
    named = ("dadu.language", "dadu.planner.grammar", "dadu.planner.interpreters", "dadu.planner.policies.symbolic",
             "dadu.planner.model")
    wrong = [f"{module} imports {other}" for module, others in graph.items() if module.startswith("dadu.planner.loop")
             for other in others if other.startswith(named)]
    assert not wrong, "\n".join(wrong)


def test_only_registries_import_by_string():
    importing = {str(path.relative_to(ROOT)) for path in (ROOT / "dadu").rglob("*.py")
                 if re.search(r"\bimport_module\(|\b__import__\(", path.read_text())}
    assert importing <= {*REGISTRIES, FINDER}


def test_nothing_names_a_module_in_a_string_but_registries_and_commands():
    """A dotted name in a string is an import that no reader of imports sees."""
    named = {str(path.relative_to(ROOT)): text for path in (ROOT / "dadu").rglob("*.py") for text in strings(path)
             if re.fullmatch(r"dadu(\.\w+)+(:\w+)?", text)}
    started = {"dadu/bringup/command.py", "dadu/sim/habitat/client.py", "dadu/core/work.py"}
    templates = {"dadu/operator/report.py", "dadu/operator/console/serving.py", "dadu/eval/report/page.py"}
    assert set(named) <= REGISTRIES | started | templates, named


def test_the_library_knows_no_ros():
    ros = re.compile(r"^\s*(from|import) (rclpy|dadu_interfaces|\w+_msgs|rosidl\w*)\b", re.MULTILINE)
    assert [str(path) for path in (ROOT / "dadu").rglob("*.py") if ros.search(path.read_text())] == []
