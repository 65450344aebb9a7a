"""ROS parameters from a typed `Settings` class: every leaf field becomes a parameter, unknown ones are refused."""

from __future__ import annotations

import ast
import inspect
import math
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Any, TypeVar

import annotated_types
from dadu_nodes.support import frames
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from dadu.core.config import parse
from dadu.core.errors import ConfigError, choices

S = TypeVar("S", bound=BaseModel)

RUN_FOLDER = "run_folder"
"""of every node: where in the run's directory its files are, apart from those of another robot's node of its name"""
_OF_ALL = ("use_sim_time", "start_type_description_service", frames.PARAMETER, RUN_FOLDER)


def declare(node: Node, cls: type[S], live: Collection[str] = ()) -> S:
    """Declares the fields of `cls` (nested ones as ``group.field``) on `node` and returns the validated settings.

    Values come from ``-p name:=value`` and ``--params-file``, as for any ROS node; one that equals its default is taken
    as not given. Those under `live` (fields or groups) may change later, see `follow`. Errors: ConfigError.
    """
    leaves = dict(_leaves(cls))
    _refuse_unknown(node, leaves)
    data: dict[str, Any] = {}
    for name, (owner, default, info) in leaves.items():
        described = descriptor(owner, name.rpartition(".")[2], info, _is_live(name, live))
        value = _declared(node, name, default, described)
        if _is_given(value, default, info):
            _put(data, name, value)
    return parse(cls, data, f"parameters of node {node.get_name()}")


def follow(node: Node, cls: type[S], live: Collection[str], take: Callable[[S], None]) -> None:
    """From now on a change of a parameter under `live` is checked as a whole with all others, and once ROS has taken it
    handed to `take`; one that does not fit is refused with its sentence."""
    leaves, checked = dict(_leaves(cls)), list[S]()

    def check(parameters: list[Parameter]) -> SetParametersResult:
        checked.clear()
        values = {name: node.get_parameter(name).value for name in leaves}
        changed = {p.name: p.value for p in parameters if p.name in leaves}
        if not changed:
            return SetParametersResult(successful=True)
        data: dict[str, Any] = {}
        for name, value in (values | changed).items():
            if _is_given(value, *leaves[name][1:]):
                _put(data, name, value)
        try:
            checked.append(parse(cls, data, f"parameters of node {node.get_name()}"))
        except ConfigError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def change(_: list[Parameter]) -> None:
        if checked:
            take(checked.pop())

    if live:
        node.add_on_set_parameters_callback(check)
        node.add_post_set_parameters_callback(change)


def _declared(node: Node, name: str, default: Any, described: ParameterDescriptor) -> Any:
    """The value given, else the default."""
    try:
        return node.declare_parameter(name, default, described).value
    except InvalidParameterValueException:  # out of range: what parses the settings says so in a sentence
        return node._parameter_overrides[name].value


def _is_live(name: str, live: Collection[str]) -> bool:
    return any(name == part or name.startswith(f"{part}.") for part in live)


def _leaves(cls: type[BaseModel], prefix: str = "", of: BaseModel | None = None
            ) -> Iterator[tuple[str, tuple[type[BaseModel], Any, FieldInfo]]]:
    """Parameter's name to the class that has the field, its default, `of` a group that has its own, and the field."""
    for name, info in cls.model_fields.items():
        default = info.get_default(call_default_factory=True) if of is None else getattr(of, name)
        if isinstance(default, BaseModel):
            yield from _leaves(type(default), f"{prefix}{name}.", default)
        else:
            # ROS has no type for an empty or nested value: such a field stays at its default unless given.
            yield prefix + name, (cls, list(default) if isinstance(default, tuple) else default, info)


def _refuse_unknown(node: Node, leaves: dict[str, Any]) -> None:
    for name in node._parameter_overrides:  # the only place where rclpy keeps what was given but not declared
        if name not in leaves and name not in _OF_ALL and not name.startswith("qos_overrides."):
            raise ConfigError(f"{node.get_name()}: unknown parameter {name!r}; valid: {choices(leaves, 40)}")


def _is_given(value: Any, default: Any, field: FieldInfo) -> bool:
    """True if a value says more than the class does without it. Where a node has a `default` of its own for what stands
    in a group, every value does."""
    of_class = field.get_default(call_default_factory=True)
    of_class = list(of_class) if isinstance(of_class, tuple) else of_class
    return bool(value != default or default != of_class)


def _put(data: dict[str, Any], dotted: str, value: Any) -> None:
    *groups, leaf = dotted.split(".")
    for group in groups:
        data = data.setdefault(group, {})
    data[leaf] = value


_INT_MAX = 2**63 - 1


def descriptor(owner: type[BaseModel], name: str, info: FieldInfo, live: bool) -> ParameterDescriptor:
    """Of field `name` of `owner`; `live`: it may change while the node runs."""
    # dynamic_typing: ROS takes `1` for a float field as a type error; pydantic decides instead.
    described = ParameterDescriptor(description=info.description or _docstrings(owner).get(name, ""),
                                    dynamic_typing=True, read_only=not live)
    low, high = _bounds(info)
    if info.annotation is float and (math.isfinite(low) or math.isfinite(high)):
        described.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
    elif info.annotation is int and (math.isfinite(low) or math.isfinite(high)):
        described.integer_range = [IntegerRange(from_value=int(max(low, -_INT_MAX)), to_value=int(min(high, _INT_MAX)))]
    return described


def _bounds(info: FieldInfo) -> tuple[float, float]:
    """Smallest and greatest value; an open bound is given as it is, pydantic refuses the bound itself."""
    low, high = -math.inf, math.inf
    for constraint in info.metadata:
        if isinstance(constraint, annotated_types.Ge | annotated_types.Gt):
            low = max(low, _number(getattr(constraint, "ge", None), getattr(constraint, "gt", None)))
        elif isinstance(constraint, annotated_types.Le | annotated_types.Lt):
            high = min(high, _number(getattr(constraint, "le", None), getattr(constraint, "lt", None)))
    return low, high


def _number(*values: Any) -> float:
    return next(float(value) for value in values if value is not None)


@cache
def _docstrings(cls: type[BaseModel]) -> dict[str, str]:
    """The text below each field, of the class and of those it comes from."""
    found: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        if issubclass(owner, BaseModel) and owner is not BaseModel:
            found |= _docstrings_in(owner.__module__).get(owner.__name__, {})
    return found


@cache
def _docstrings_in(module: str) -> dict[str, dict[str, str]]:
    """The text below each field, by the classes of a module, which is read but once."""
    found: dict[str, dict[str, str]] = {}
    for owner in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if not isinstance(owner, ast.ClassDef):
            continue
        for field, text in zip(owner.body, owner.body[1:]):
            if (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr)
                    and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)):
                found.setdefault(owner.name, {})[field.target.id] = inspect.cleandoc(text.value.value)
    return found
