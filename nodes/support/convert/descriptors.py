"""What ROS tools show of a parameter: the text below the field, and the range that its type allows."""

from __future__ import annotations

import ast
import inspect
import math
import sys
from functools import cache
from typing import Any

import annotated_types
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor

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
