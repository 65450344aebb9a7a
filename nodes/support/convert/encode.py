"""The library's types as ROS messages; `dadu.replay.messages` is the inverse."""

from __future__ import annotations

from typing import Any

import builtin_interfaces.msg
import dadu_interfaces.msg
import geometry_msgs.msg
import sensor_msgs.msg
import std_msgs.msg
import trajectory_msgs.msg

from dadu.replay.encode import Encoder

_PACKAGES = {
    "builtin_interfaces": builtin_interfaces.msg, "dadu_interfaces": dadu_interfaces.msg,
    "geometry_msgs": geometry_msgs.msg, "sensor_msgs": sensor_msgs.msg, "std_msgs": std_msgs.msg,
    "trajectory_msgs": trajectory_msgs.msg,
}


def _new(type: str, /, **fields: Any) -> Any:
    package, leaf = type.split("/")
    return getattr(_PACKAGES[package], leaf)(**fields)


encode = Encoder(_new)
