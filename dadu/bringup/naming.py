"""Names of a robot beside others: its namespace, and the names that ROS has outside of any."""

from __future__ import annotations

import re

from dadu.core.errors import ConfigError

NAMESPACE = r"^(/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*)?$"
"""what ROS takes for one; empty: none"""
CONSOLE = "console.url"
"""file of a run: where the operator's page is, left by who serves it"""
FRAME_PREFIX = "^[A-Za-z0-9_/]*$"


def relative(name: str) -> str:
    """A name within the namespace of whoever uses it; without a namespace it is the same."""
    return name.removeprefix("/")


def shared_names(namespace: str, frame_prefix: str) -> dict[str, str]:
    """What is remapped into `namespace` though it begins with a slash everywhere: simulated time, and the transforms,
    unless frames have a prefix, which is there for robots that share the transforms. Empty without a namespace."""
    names = ("/clock",) if frame_prefix else ("/clock", "/tf", "/tf_static")
    return {name: relative(name) for name in names} if namespace else {}


def frame_prefix_of(name: str) -> str:
    """Before the frames of one of several robots in one world."""
    return f"{name}/"


def robot_words(name: str) -> list[str]:
    """``--ros-args`` of what belongs to one of several robots in one world: in a namespace and with frames of its own,
    as any robot beside others."""
    prefix = frame_prefix_of(name)
    return ["--ros-args", *ros_words(name, shared_names(name, prefix)), "-p", f"frame_prefix:={prefix}"]


def ros_words(namespace: str, remappings: dict[str, str]) -> list[str]:
    """The same for ``--ros-args``. Errors: ConfigError for what is no namespace."""
    if not re.match(NAMESPACE, namespace):
        raise ConfigError(f"{namespace!r} is no namespace: letters, digits and underscores, such as robot1")
    words = ["-r", f"__ns:=/{relative(namespace)}"] if namespace else []
    for ours, theirs in remappings.items():
        words += ["-r", f"{ours}:={theirs}"]
    return words
