"""The library's types as ROS messages; `dadu.replay.messages` is the inverse."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from dadu.replay.encode import Encoder


@cache
def _type(name: str) -> Any:
    package, leaf = name.split("/")
    return getattr(import_module(f"{package}.msg"), leaf)


def _new(type: str, /, **fields: Any) -> Any:
    return _type(type)(**fields)


encode = Encoder(_new)
