"""config/NODE.yaml: what ROS reads from them are settings of the node, and they say what the code says."""

from __future__ import annotations

from importlib import import_module

import pytest
import yaml

from dadu.bringup.arguments import Arguments
from dadu.bringup.command import settings_file
from dadu.bringup.graph import nodes
from dadu.core.config import Settings, parse

GRAPH = [*nodes(Arguments()), *(node for node in nodes(Arguments(navigation="nav2")) if node.name == "nav2_adapter")]


def settings_class(name: str) -> type[Settings]:
    """The one that the node's own module defines."""
    module = import_module(f"dadu_nodes.{name}")
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Settings) and value.__module__ == module.__name__
    )
    return found


@pytest.mark.parametrize("node", GRAPH, ids=lambda node: node.name)
def test_files_hold_settings_of_the_node_at_their_defaults(node):
    path = settings_file(node)
    if path is None:
        return  # a node whose settings are all launch arguments
    cls = settings_class(node.name)
    given = yaml.safe_load(path.read_text())["/**"]["ros__parameters"]
    assert parse(cls, given, str(path)) == cls()


@pytest.mark.parametrize("node", GRAPH, ids=lambda node: node.name)
def test_launch_parameters_are_settings_of_the_node(node):
    given = {name: value for name, value in node.parameters.items() if name != "use_sim_time"}
    parse(settings_class(node.name), given, node.name)
