"""The class of a node, by the node's name."""

from importlib import import_module

from dadu_nodes.support.node import DaduNode


def node_class(name):
    module = import_module(f"dadu_nodes.{name}")
    (found,) = (value for value in vars(module).values()
                if isinstance(value, type) and issubclass(value, DaduNode) and value.__module__ == module.__name__)
    return found
