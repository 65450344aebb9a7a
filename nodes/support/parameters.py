"""ROS parameters from a typed `Settings` class: every leaf field becomes a parameter, unknown ones are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node

from dadu.core.config import parse
from dadu.core.errors import ConfigError, choices

S = TypeVar("S", bound=BaseModel)

_OF_ROS = ("use_sim_time", "start_type_description_service")


def declare(node: Node, cls: type[S]) -> S:
    """Declares the fields of `cls` (nested ones as ``group.field``) on `node` and returns the validated settings.

    Values come from ``-p name:=value`` and ``--params-file``, as for any ROS node. Errors: ConfigError.
    """
    leaves = dict(_leaves(cls))
    _refuse_unknown(node, leaves)
    data: dict[str, Any] = {}
    for name, (default, info) in leaves.items():
        # dynamic_typing: ROS takes `1` for a float field as a type error; pydantic decides instead.
        descriptor = ParameterDescriptor(description=info.description or "", dynamic_typing=True, read_only=True)
        _put(data, name, node.declare_parameter(name, default, descriptor).value)
    return parse(cls, data, f"parameters of node {node.get_name()}")


def _leaves(cls: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, tuple[Any, FieldInfo]]]:
    for name, info in cls.model_fields.items():
        default = info.get_default(call_default_factory=True)
        if isinstance(default, BaseModel):
            yield from _leaves(type(default), f"{prefix}{name}.")
        else:
            # ROS has no type for an empty or nested value: such a field stays at its default unless given.
            yield prefix + name, (list(default) if isinstance(default, tuple) else default, info)


def _refuse_unknown(node: Node, leaves: dict[str, Any]) -> None:
    for name in node._parameter_overrides:  # the only place where rclpy keeps what was given but not declared
        if name not in leaves and name not in _OF_ROS and not name.startswith("qos_overrides."):
            raise ConfigError(f"{node.get_name()}: unknown parameter {name!r}; valid: {choices(leaves, 40)}")


def _put(data: dict[str, Any], dotted: str, value: Any) -> None:
    *groups, leaf = dotted.split(".")
    for group in groups:
        data = data.setdefault(group, {})
    data[leaf] = value
